import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeEmptyFolders, replaceFile } from '../../compiler/emit/folder/index.ts';
import { applyFixes, type Fix } from '../../compiler/findings/index.ts';
import type { ContractSource } from '../../compiler/model/index.ts';
import { ENTRIES, entryOf, readContract } from '../../compiler/read/index.ts';
import { readSdl } from '../../compiler/sdl/index.ts';

/** A file before and after; `before` is undefined for a new one, `after` for one that is removed. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The text of a file that is removed, for whatever reads the contract as it would be. */
const REMOVED = '';

/** The files of a contract, changed in memory: what becomes of them is read and judged before anything is written. */
export class ContractFiles {
  /** The folder, as the caller names it. */
  readonly folder: string;
  /** Name of the document that the others are referred from. */
  readonly entry: string;
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, string>();
  #source: Promise<ContractSource> | undefined;
  /** As it was read last, if nothing of its document has changed since. */
  #read: ContractSource | undefined;

  private constructor(folder: string, entry: string) {
    this.folder = folder;
    this.entry = entry;
  }

  /** `path`: the folder of a contract, or its document. */
  static async open(path: string): Promise<ContractFiles> {
    const { folder, entry } = await entryOf(path);
    return new ContractFiles(folder, entry);
  }

  /** Whether there is, or would be, a file or a folder of this name. */
  has(path: string): boolean {
    if (this.#after.get(path) === REMOVED) return false;
    const isNew = [...this.#after.keys()].some((one) => one === path || one.startsWith(`${path}/`));
    return isNew || existsSync(join(this.folder, path));
  }

  /** The text as it would be; undefined if the file is missing. */
  async read(path: string): Promise<string | undefined> {
    const known = this.#after.get(path);
    if (known !== undefined) return known === REMOVED ? undefined : known;
    if (!this.#before.has(path))
      this.#before.set(path, await readFile(join(this.folder, path), 'utf8').catch(() => undefined));
    return this.#before.get(path);
  }

  async write(path: string, text: string): Promise<void> {
    if ((await this.read(path)) === text) return;
    this.#after.set(path, text);
    this.#source = undefined;
    if (!path.endsWith('.graphql')) this.#read = undefined;
  }

  /** Removes a file, and its folder if nothing else is in it. */
  async remove(path: string): Promise<void> {
    if ((await this.read(path)) !== undefined) await this.write(path, REMOVED);
  }

  /** Makes edits that findings come with. */
  async fix(fixes: readonly Fix[]): Promise<void> {
    for (const [path, own] of Map.groupBy(fixes, ({ file }) => file))
      await this.write(path, applyFixes((await this.read(path)) ?? '', own));
  }

  /** What would be written, in the order of paths. */
  get changes(): readonly FileChange[] {
    return [...this.#after]
      .map(([path, text]) => ({ path, before: this.#before.get(path), after: text === REMOVED ? undefined : text }))
      .filter(({ before, after }) => before !== after)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The contract as it would be. */
  source(): Promise<ContractSource> {
    this.#source ??= this.#readSource();
    return this.#source;
  }

  /** The document is not read again for a change of the SDL; what is wrong with it may depend on whether there is one. */
  async #readSource(): Promise<ContractSource> {
    const known = this.#read;
    const isPlain = known?.findings.length === 0 && (known.ignored ?? []).length === 0 && ENTRIES.includes(this.entry);
    this.#read = isPlain
      ? { ...known, sdl: readSdl(this.folder, this.#after) }
      : await readContract(join(this.folder, this.entry), { changed: this.#after });
    return this.#read;
  }

  /** Writes all changes, the entry document last: it refers to the other files. When writing fails, what was written is undone. */
  async save(): Promise<void> {
    const changes = this.changes.toSorted((a, b) => Number(a.path === this.entry) - Number(b.path === this.entry));
    const written: FileChange[] = [];
    try {
      for (const change of changes) {
        await put(join(this.folder, change.path), change.after);
        written.push(change);
      }
    } catch (error) {
      for (const { path, before } of written) await put(join(this.folder, path), before);
      throw error;
    }
    const removed = changes.flatMap(({ path, after }) => (after === undefined ? [path] : []));
    await removeEmptyFolders(this.folder, removed);
  }
}

const put = (path: string, text: string | undefined): Promise<void> =>
  text === undefined ? rm(path) : replaceFile(path, text);
