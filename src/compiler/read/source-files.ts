import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Keep } from '../../descriptor/keep.ts';
import type { Finding, Location } from '../findings/finding.ts';
import { MemberEdits } from './member-edits.ts';
import { ParsedFiles } from './parsed-files.ts';
import type { SourceMap } from './source-map.ts';

/** The files of a contract, each read once. Names are relative to its folder, with `/`. */
export class SourceFiles {
  readonly #folder: string;
  readonly #project: string;
  readonly #changed: ReadonlyMap<string, string>;
  readonly #parsed: ParsedFiles;
  readonly #values = new Map<string, unknown>();
  readonly #failures = new Map<string, Error>();
  readonly #edits = new Map<string, MemberEdits>();
  readonly findings: Finding[] = [];

  /** `changed`: texts that count in place of those in the folder, by name. */
  constructor(folder: string, map: SourceMap, changed: ReadonlyMap<string, string>, keep: Keep) {
    this.#folder = folder;
    this.#changed = changed;
    this.#project = projectOf(resolve(folder));
    this.#parsed = new ParsedFiles(resolve(folder), map, keep);
  }

  /** The canonical name of a file. */
  nameOf(file: string): string {
    return relative(resolve(this.#folder), resolve(this.#folder, file)).replaceAll(sep, '/');
  }

  /** Whether a file belongs to the contract's project. */
  isInProject(file: string): boolean {
    const path = relative(this.#project, resolve(this.#folder, file));
    return path.split(sep)[0] !== '..' && !isAbsolute(path);
  }

  /**
   * The parsed file. Undefined with a finding at `from()` when it cannot be read, or in the file when it cannot be
   * parsed.
   */
  read(file: string, from: () => Location): unknown {
    if (!this.#values.has(file)) this.#values.set(file, this.#parse(file));
    const failure = this.#failures.get(file);
    if (failure) this.findings.push(unreadable(file, from(), failure));
    return this.#values.get(file);
  }

  /** The edits of a file that was read. */
  editsOf(file: string): MemberEdits {
    const known = this.#edits.get(file) ?? new MemberEdits(file, this.#textOf(file));
    this.#edits.set(file, known);
    return known;
  }

  #textOf(file: string): string {
    return this.#changed.get(file) ?? readFileSync(join(this.#folder, file), 'utf8');
  }

  /** Keeps what was parsed for the next run. */
  save(): void {
    this.#parsed.save();
  }

  #parse(file: string): unknown {
    try {
      const { value, findings } = this.#parsed.parse(this.#textOf(file), file);
      this.findings.push(...findings);
      return value;
    } catch (error) {
      this.#failures.set(file, error as Error);
      return undefined;
    }
  }
}

/** The repository around a folder, else the outermost folder around it with a `package.json`, else the folder itself. */
function projectOf(folder: string): string {
  const around = [folder];
  while (dirname(around[0]!) !== around[0]) around.unshift(dirname(around[0]!));
  const having = (name: string): string[] => around.filter((one) => existsSync(join(one, name)));
  return having('.git').at(-1) ?? having('package.json')[0] ?? folder;
}

function unreadable(file: string, location: Location, error: NodeJS.ErrnoException): Finding {
  const isMissing = error.code === 'ENOENT';
  return {
    rule: isMissing ? 'file-missing' : 'file-unreadable',
    severity: 'error',
    message: isMissing ? `The file \`${file}\` does not exist.` : `\`${file}\` cannot be read: ${error.message}.`,
    hint: 'Paths in references are relative to their own file; the path in this message is relative to the contract folder.',
    location,
  };
}
