import { explainBootFault, MIN_NODE_MAJOR } from '../runtime/boot-fault.ts';
import { CommandFailure } from './command-failure.ts';

/** Why a command ended: a message, where the caller can do something about it, else the error itself. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof CommandFailure) return error.message;
  return explainModule(error) ?? explainBootFault(error) ?? explainFile(error) ?? error;
}

/** A module that is not there, or does not parse. */
function explainModule(error: unknown): string | undefined {
  if (error instanceof SyntaxError) return explainSyntax(error);
  const { code, message } = error as NodeJS.ErrnoException;
  const [, kind, name, importer] =
    /^Cannot find (package|module) '([^']+)' imported from (.+)$/m.exec(message ?? '') ?? [];
  if (code !== 'ERR_MODULE_NOT_FOUND' || kind === undefined) return undefined;
  if (kind === 'module') return `${importer} imports ${name}, which does not exist.`;
  const why = `on a Node older than ${MIN_NODE_MAJOR}, and when told to --omit them`;
  const advice = `Optional packages are left out, without a word, ${why}: install again without that, on this Node (${process.version}).`;
  return `The package ${name} is not installed; ${importer} imports it. ${advice}`;
}

/** Node begins the stack of what it cannot parse with the place; others begin with the name of the error. */
function explainSyntax({ stack = '' }: SyntaxError): string | undefined {
  const isPlaced = /^(?:file:\/\/|\/|[A-Za-z]:\\).*:\d+\n/.test(stack);
  return isPlaced ? stack.split('\n    at ', 1)[0]!.replaceAll(/\n{2,}/g, '\n') : undefined;
}

const OF_FILES: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EDQUOT',
  'EISDIR',
  'EMFILE',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** A file or folder that cannot be read or written; Node's message names it, and what was done with it. */
function explainFile(error: unknown): string | undefined {
  const { code, path, message } = error as NodeJS.ErrnoException;
  return path !== undefined && OF_FILES.has(code) ? `${message}.` : undefined;
}
