import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fromRoot } from '../../../scripts/bench/server-process.ts';

/** The functions that have run, by the path of their file. */
export type CalledFiles = Readonly<Record<string, readonly string[]>>;

/** What a reader of a request goes through. */
export interface Distance {
  readonly files: number;
  /** Of these files. */
  readonly lines: number;
  /** Imports among these files that lead from one folder of `src/runtime` into another, or out of it. */
  readonly moves: number;
}

const IMPORT = /^(?:import|export) .*from '(\..*)';$/gm;

export async function distanceOf(called: CalledFiles): Promise<Distance> {
  const files = Object.keys(called);
  const texts = await Promise.all(files.map((file) => readFile(fromRoot(file), 'utf8')));
  const moves = files.flatMap((file, i) =>
    [...texts[i]!.matchAll(IMPORT)]
      .map(([, path]) => normalize(join(dirname(file), path!)))
      .filter((path) => Object.hasOwn(called, path) && roomOf(path) !== roomOf(file)),
  );
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return { files: files.length, lines, moves: moves.length };
}

/** `http` of `src/runtime/http/cors.ts`. */
const roomOf = (file: string): string => /^src\/runtime\/([^/]+)\//.exec(file)?.[1] ?? dirname(file);
