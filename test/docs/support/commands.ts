import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../../src/tools/commands.ts';
import type { CommandModule } from '../../../src/tools/define-command.ts';
import { documentText } from '../../support/documents.ts';
import type { Statement } from './shell.ts';
import { statementsIn, substituted } from './shell.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** What npm does itself. */
const NPM = ['ci', 'install', 'pack', 'publish', 'test', 'start'];
/** What any machine has. */
const SYSTEM = ['cd', 'mkdir', 'openssl'];
/** Of other languages: `test/readers/clients/` runs what is shown. */
const OTHERS = ['git', 'pip', 'twine', 'mvn'];

/** What `…` stands for in a URL. */
const PLACE = '://user@host/name';

/** What is wrong with a command of the documents, without running it; undefined: nothing. */
export async function faultIn({ variables, words }: Statement): Promise<string | undefined> {
  for (const [name, value] of Object.entries(variables)) {
    const inner = substituted(value);
    const [fault] = inner === undefined ? [] : await Promise.all(statementsIn(inner).map(faultIn));
    if (fault !== undefined) return fault;
    if (words.length > 0 && !documentText('settings.md').includes(`| \`${name}\` |`)) return `${name} is not a setting`;
  }
  const [program, ...rest] = words;
  switch (program) {
    case undefined:
      return undefined;
    case 'npm':
      return faultInNpm(rest);
    case 'npx':
      return rest[0] === 'lockstep' ? faultInCommand(rest[1] ?? '', rest.slice(2)) : `npx ${rest[0]} is not ours`;
    case 'node':
      return existsSync(join(root, rest[0] ?? '')) ? undefined : `there is no ${rest[0]}`;
    case 'docker':
      return rest[0] === 'compose' && existsSync(join(root, 'compose.yaml')) ? undefined : 'there is no compose.yaml';
    default:
      return [...SYSTEM, ...OTHERS].includes(program) ? undefined : `${program} is not a known command`;
  }
}

function faultInNpm(words: readonly string[]): Promise<string | undefined> | string | undefined {
  const end = words.indexOf('--');
  const [own, args] = end === -1 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  const [verb = '', name] = own.filter((word) => !word.startsWith('-'));
  const script = verb === 'run' ? name! : verb;
  if (COMMANDS.some((command) => command.name === script)) return faultInCommand(script, args);
  if (verb === 'run') return scripts[script] === undefined ? `there is no npm script ${script}` : undefined;
  // `npm publish a/b` asks GitHub for the repository `b` of `a`.
  if (name !== undefined && /^[\w-]+\/[\w-]+$/.test(name)) return `${name} is a repository to npm: write ./${name}`;
  return NPM.includes(verb) ? undefined : `npm ${verb} is not known`;
}

/** Parses the arguments as the command itself does; it does not run. */
async function faultInCommand(name: string, args: readonly string[]): Promise<string | undefined> {
  if (!COMMANDS.some((command) => command.name === name)) return `there is no command ${name}`;
  const { command }: CommandModule = await import(`../../../scripts/${name}.ts`);
  const { operands, unknown } = command.parseOptions(
    args.filter((arg) => arg !== '--help').map((arg) => arg.replace('://…', PLACE)),
  );
  // Other tests run the command.
  for (const option of command.options)
    command.setOptionValueWithSource(option.attributeName(), option.defaultValue, 'default');
  if (unknown.length > 0) return `${name} has no option ${unknown[0]}`;
  const { registeredArguments: declared } = command;
  const isTaken = operands.length <= declared.length || declared.at(-1)?.variadic === true;
  return isTaken ? undefined : `${name} takes no argument ${operands.at(-1)}`;
}
