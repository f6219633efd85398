import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, Location } from '../finding.ts';
import { parseFile } from './parse-file.ts';
import type { SourceMap } from './source-map.ts';

/** The files of a contract, read once each. Names are relative to its folder, with `/`. */
export class SourceFiles {
  readonly #folder: string;
  readonly #map: SourceMap;
  readonly #values = new Map<string, unknown>();
  readonly findings: Finding[] = [];

  constructor(folder: string, map: SourceMap) {
    this.#folder = folder;
    this.#map = map;
  }

  /** The parsed file; undefined when it cannot be read, which becomes a finding at `from`. */
  read(file: string, from: Location): unknown {
    if (this.#values.has(file)) return this.#values.get(file);
    const value = this.#parse(file, from);
    this.#values.set(file, value);
    return value;
  }

  #parse(file: string, from: Location): unknown {
    try {
      const { value, findings } = parseFile(readFileSync(join(this.#folder, file), 'utf8'), file, this.#map);
      this.findings.push(...findings);
      return value;
    } catch (error) {
      this.findings.push(this.#unreadable(file, from, error));
      return undefined;
    }
  }

  #unreadable(file: string, location: Location, error: unknown): Finding {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return {
      rule: isMissing ? 'file-missing' : 'file-unreadable',
      severity: 'error',
      message: isMissing ? `There is no file \`${file}\`.` : `\`${file}\` cannot be read: ${(error as Error).message}.`,
      location,
    };
  }
}
