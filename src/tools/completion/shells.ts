import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import type { CommandModel } from './model.ts';
import { zshCompletion } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that makes a shell complete the commands and options of a program. */
export function completionScript(shell: Shell, program: string, commands: readonly CommandModel[]): string {
  switch (shell) {
    case 'bash':
      return bashCompletion(program, commands);
    case 'zsh':
      return zshCompletion(program, commands);
    case 'fish':
      return fishCompletion(program, commands);
  }
}
