import { createHash } from 'node:crypto';
import { childPointer } from '../../descriptor/json-pointer.ts';
import type { Keep } from '../../descriptor/keep.ts';
import type { Location } from '../findings/finding.ts';
import { parseJson } from './json-file.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';
import type { SourceMap } from './source-map.ts';

const KIND = 'files';

/** A parsed file as it is kept: its value, and the lines and columns of all keys, as `Object.entries` passes them in depth. */
interface Entry {
  readonly value: unknown;
  readonly places: readonly number[];
}

/** The files of a folder, parsed again only where their texts have changed since the last run. */
export class ParsedFiles {
  readonly #map: SourceMap;
  readonly #keep: Keep;
  readonly #folder: string;
  /** JSON of entries, by the hash of the text that they were parsed from. */
  #known: ReadonlyMap<string, string> | undefined;
  readonly #used = new Map<string, string>();
  #hasNew = false;

  constructor(folder: string, map: SourceMap, keep: Keep) {
    this.#folder = folder;
    this.#map = map;
    this.#keep = keep;
  }

  /** As `parseFile` does. */
  parse(text: string, file: string): ParsedFile {
    const json = parseJson(text, file, this.#map);
    if (json) return { ...json, findings: [] };
    const hash = createHash('sha256').update(text).digest('base64');
    this.#known ??= entriesIn(this.#keep.read(KIND, [this.#folder]) ?? '');
    const known = this.#known.get(hash);
    if (known !== undefined) {
      this.#used.set(hash, known);
      return { value: restored(JSON.parse(known), file, this.#map), findings: [] };
    }
    const parsed = parseFile(text, file, this.#map);
    if (parsed.findings.length === 0 && isJson(parsed.value)) {
      const entry: Entry = { value: parsed.value, places: placesIn(parsed.value, this.#map) };
      this.#used.set(hash, JSON.stringify(entry));
      this.#hasNew = true;
    }
    return parsed;
  }

  /** Keeps what was parsed, and nothing that was not asked for. */
  save(): void {
    if (!this.#hasNew) return;
    const lines = [...this.#used].map(([hash, entry]) => `${hash} ${entry}`);
    this.#keep.write(KIND, [this.#folder], lines.join('\n'));
  }
}

/** A line for each: a hash and its entry. */
function entriesIn(text: string): ReadonlyMap<string, string> {
  const lines = text === '' ? [] : text.split('\n');
  return new Map(
    lines.map((line) => {
      const end = line.indexOf(' ');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

/** Whether a value is the same after it was written as JSON and read again. */
function isJson(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isJson);
  return value === null || (['string', 'boolean', 'number'].includes(typeof value) && !Object.is(value, -0));
}

function placesIn(value: unknown, map: SourceMap, places: number[] = []): readonly number[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const [key, member] of Object.entries(value)) {
    const { line, column } = map.locate(value, key);
    places.push(line, column);
    placesIn(member, map, places);
  }
  return places;
}

/** The value, whose places are known to the map again. */
function restored({ value, places }: Entry, file: string, map: SourceMap): unknown {
  let next = 0;
  const visit = (node: unknown, location: Location): void => {
    if (typeof node !== 'object' || node === null) return;
    map.setNode(node, location);
    for (const [key, member] of Object.entries(node)) {
      const pointer = childPointer(location.pointer, key);
      const at: Location = { file, line: places[next]!, column: places[next + 1]!, pointer };
      next += 2;
      map.setKey(node, key, at);
      visit(member, at);
    }
  };
  visit(value, { file, line: 1, column: 1, pointer: '' });
  return value;
}
