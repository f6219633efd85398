import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fromRoot } from '../../../scripts/bench/server-process.ts';

/** What a request has run. */
export interface Way {
  /** The file of each function that was entered, in order. */
  readonly entries: string[];
  /** How many promises the functions made. */
  readonly promises: number;
}

/** What a reader of a request goes through. */
export interface Distance {
  readonly files: number;
  /** Of these files. */
  readonly lines: number;
  /** Changes of room in the order of calls. */
  readonly rooms: number;
}

export async function distanceOf(entries: Way['entries']): Promise<Distance> {
  const files = new Set(entries);
  const texts = await Promise.all([...files].map((file) => readFile(fromRoot(file), 'utf8')));
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  // What is asynchronous is in the way of everything, and leads nowhere.
  const rooms = entries.map(roomOf).filter((room) => room !== 'async');
  return { files: files.size, lines, rooms: rooms.filter((room, i) => i > 0 && room !== rooms[i - 1]).length };
}

/** `http` of `src/runtime/http/cors.ts`. */
const roomOf = (file: string): string => /^src\/runtime\/([^/]+)\//.exec(file)?.[1] ?? dirname(file);
