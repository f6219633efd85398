import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { codeFrame } from '../../compiler/findings/index.ts';
import type { ReportFailure } from '../../runtime/errors/index.ts';

/** Lockstep's own code: `src/` of a clone, `lib/src/` of the package. */
const LOCKSTEP = resolve(import.meta.dirname, '../..');

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where each call of a stack is, in files alone. */
const CALL = /(file:\/\/[^()\s]+):(\d+):(\d+)\)?$/gm;

/**
 * Prints each error that nobody foresaw, with the lines of the project that it comes from, and returns the same text for the
 * answer. `handlers`: the folder or file of the handlers, which is the project's own wherever it is.
 */
export function createFailureReport(handlers: string | undefined): ReportFailure {
  const own = handlers === undefined ? undefined : resolve(handlers);
  const isProjects = (file: string): boolean => {
    if (own !== undefined && isWithin(file, own)) return true;
    return !isWithin(file, LOCKSTEP) && !file.includes(`${sep}node_modules${sep}`);
  };
  return (thrown) => {
    const text = describeFailure(thrown, isProjects);
    console.error(`\n${text}\n`);
    return text;
  };
}

const isWithin = (file: string, folder: string): boolean => file === folder || file.startsWith(folder + sep);

function describeFailure(thrown: unknown, isProjects: (file: string) => boolean): string {
  if (!(thrown instanceof Error)) return `Something that is not an Error was thrown: ${inspect(thrown)}`;
  const title = `${thrown.name}: ${thrown.message}`;
  const place = callsIn(thrown).find(({ file }) => isProjects(file));
  return place === undefined ? title : `${title}\n${describePlace(place)}`;
}

const callsIn = ({ stack = '' }: Error): readonly Place[] =>
  [...stack.matchAll(CALL)].map(([, url, line, column]) => ({
    file: fileURLToPath(url!),
    line: Number(line),
    column: Number(column),
  }));

function describePlace(place: Place): string {
  const { file, line, column } = place;
  const at = `  at ${relative('.', file)}:${line}:${column}`;
  try {
    return `${at}\n${codeFrame(readFileSync(file, 'utf8'), place).replaceAll(/^/gm, '  ')}`;
  } catch {
    // The file has been changed or removed since it was loaded.
    return at;
  }
}
