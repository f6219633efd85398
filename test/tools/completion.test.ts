import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACKAGE_COMMANDS } from '../../src/tools/commands.ts';
import { modelOf } from '../../src/tools/completion/model.ts';
import { completionScript, SHELLS, type Shell } from '../../src/tools/completion/shells.ts';
import type { CommandModule } from '../../src/tools/define-command.ts';
import { hasShell } from '../support/shells.ts';

const root = join(import.meta.dirname, '..', '..');
let folder = '';
const fileOf = (shell: Shell): string => join(folder, `lockstep.${shell}`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-completion-'));
  const models = [];
  for (const { name } of PACKAGE_COMMANDS) {
    const module: CommandModule = await import(`../../scripts/${name}.ts`);
    models.push(modelOf(name, module.command));
  }
  for (const shell of SHELLS) writeFileSync(fileOf(shell), completionScript(shell, 'lockstep', models));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (shell: Shell, script: string, ...args: string[]): string[] => {
  const output = execFileSync(shell, [...(shell === 'fish' ? ['--no-config'] : []), '-c', script, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => line !== '');
};

/** What each shell suggests for words, the last of which is being typed. */
const SUGGEST = {
  bash: (words) => {
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lockstep
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', script, fileOf('bash'), ...words);
  },
  fish: (words) =>
    run('fish', 'source $argv[1]; complete -C $argv[2]', fileOf('fish'), words.join(' ')).map((line) =>
      line.split('\t')[0]!.replace(/\/$/, ''),
    ),
} satisfies Partial<Record<Shell, (words: readonly string[]) => string[]>>;

describe.each(['bash', 'fish'] as const)('in %s, `lockstep` completes', (shell) => {
  it.runIf(hasShell(shell)).each([
    ['commands', ['lockstep', 'ge'], ['generate']],
    ['options', ['lockstep', 'start', '--ha'], ['--handlers']],
    ['options of the command alone', ['lockstep', 'docs', '--se'], []],
    ['the values of an option', ['lockstep', 'contract', '--format', 's'], ['sarif']],
    ['folders', ['lockstep', 'start', '--contracts', 'test/fixtures/ca'], ['test/fixtures/cats']],
    ['nothing for an option that may be anything', ['lockstep', 'token', '--sub', ''], []],
    ['the first argument', ['lockstep', 'completion', 'z'], ['zsh']],
    ['what is new', ['lockstep', 'new', 'ac'], ['access']],
    ['nothing after it', ['lockstep', 'new', 'resource', ''], []],
  ])('%s', (_, words, expected) => {
    expect(SUGGEST[shell](words)).toEqual(expected);
  });
});

describe('in bash, `lockstep` completes', () => {
  it('the value after an equals sign, which bash takes for a word', () => {
    expect(SUGGEST.bash(['lockstep', 'contract', '--format', '=', 's'])).toEqual(['sarif']);
    expect(SUGGEST.bash(['lockstep', 'contract', '--format', '='])).toEqual([
      'human',
      'json',
      'sarif',
      'github',
      'markdown',
      'junit',
    ]);
  });
});

describe('in zsh, `lockstep`', () => {
  it.runIf(hasShell('zsh'))('has a script that zsh can read', () => {
    expect(run('zsh', 'zsh -n $0', fileOf('zsh'))).toEqual([]);
  });

  // Completion needs an interactive shell; here stand-ins take what the script asks of zsh.
  const STAND_INS = `compdef() { : }
_describe() { print -l -- $commands }
_arguments() {
  if [[ $1 == -C ]]; then line=("\${asked[@]}"); if (( $#asked == 1 )); then state=command; else state=rest; fi
  else print -l -- "$@"; fi
}
source $0; asked=("$@"); _lockstep`;

  it.runIf(hasShell('zsh'))('names the commands, then the options of one with their values', () => {
    const commands = run('zsh', STAND_INS, fileOf('zsh'), '');
    expect(commands.map((line) => line.split(':')[0])).toEqual(PACKAGE_COMMANDS.map(({ name }) => name));
    expect(run('zsh', STAND_INS, fileOf('zsh'), 'contract', '')).toEqual([
      '--contracts[folder of the contract]: :_files -/',
      '--out[folder of the generated files]: :_files -/',
      '--against[judge only the changes of this branch since it left REF, by the releases at that point in git]: :',
      '--only[run only these checks, separated by commas]: :(lint contract drift changes consumers access migrations)',
      '--format[format of the findings]: :(human json sarif github markdown junit)',
      '--database[Postgres for the files of migrations/: creates a temporary database on the server (default: SQLite in memory)]: :',
      '--all[print every warning, not only the first few]',
      '--fix[write the edits of the findings first]',
      '-h[display help for command]',
      '--help[display help for command]',
    ]);
    expect(run('zsh', STAND_INS, fileOf('zsh'), 'init', '')).toContain('1: :_files -/');
  });
});
