import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL(`./type-check-process${extname(import.meta.url)}`, import.meta.url));

/** The outcome of one check. */
export interface TypeReport {
  /** How many there are. */
  readonly errors: number;
  /** The errors with their lines, for people. */
  readonly text: string;
}

/**
 * Checks the types of the project in the working directory, beside everything else, and again after every change; each outcome
 * is printed. A project without a `tsconfig.json` or without TypeScript is not checked.
 */
export class TypeCheck {
  #process: ChildProcess | undefined;

  start(): void {
    if (!existsSync('tsconfig.json') || !hasTypeScript()) return;
    this.#process = fork(PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#process.on('message', (report) => console.log(describe(report as TypeReport)));
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill();
    await once(running, 'close');
  }
}

function hasTypeScript(): boolean {
  try {
    createRequire(resolve('package.json')).resolve('typescript');
    return true;
  } catch {
    return false;
  }
}

function describe({ errors, text }: TypeReport): string {
  if (errors === 0) return 'Types: no errors.';
  return `\n${text}\n\nTypes: ${errors} ${errors === 1 ? 'error' : 'errors'}.`;
}
