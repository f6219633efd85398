import { join } from 'node:path';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { ContractFiles } from '../sync/contract-files.ts';
import { lastSide } from '../sync/removed.ts';
import { collectionOf } from './addition.ts';

/** The file beside `resources.yaml` that has what of it the contract had at the end of the last `sync`. */
export const LIST_RECORD = 'resources-lock.json';

/** The properties of each collection. */
export type Applied = ReadonlyMap<string, readonly string[]>;

interface ListRecord {
  /** Of the contract: a copy that became another API has applied nothing yet. */
  readonly title: string;
  readonly resources: Readonly<Record<string, readonly string[]>>;
}

/**
 * What the contract had at the end of the last `sync`, or, before the first that recorded it, in its output in the folder `out`.
 * Throws `ConfigError` for a record that cannot be read.
 */
export async function lastApplied(files: ContractFiles, out: string | undefined): Promise<Applied | undefined> {
  const text = await files.read(LIST_RECORD);
  if (text !== undefined) {
    const { title, resources } = parsed(files, text);
    return title === (await titleOf(files)) ? new Map(Object.entries(resources)) : undefined;
  }
  const side = out === undefined ? undefined : await lastSide(files, out);
  return side && new Map(side.resources.map((one) => [collectionOf(one), one.properties.map(({ name }) => name)]));
}

/** Writes the record. */
export async function writeApplied(files: ContractFiles, applied: Applied): Promise<void> {
  const record: ListRecord = { title: await titleOf(files), resources: Object.fromEntries(applied) };
  await files.write(LIST_RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

/** Removes a resource from the record, or some of its properties, so that they may be listed again. */
export async function forget(files: ContractFiles, collection: string, properties?: readonly string[]): Promise<void> {
  const applied = files.has(LIST_RECORD) ? await lastApplied(files, undefined) : undefined;
  if (!applied?.has(collection)) return;
  const left = [...applied].flatMap(([name, all]) => {
    if (name !== collection) return [[name, all] as const];
    return properties ? [[name, all.filter((one) => !properties.includes(one))] as const] : [];
  });
  await writeApplied(files, new Map(left));
}

const titleOf = async (files: ContractFiles): Promise<string> => (await files.source()).document.info.title;

function parsed({ folder }: ContractFiles, text: string): ListRecord {
  try {
    const { title, resources } = JSON.parse(text) as Partial<ListRecord>;
    const lists: unknown[] = Object.values(resources ?? {});
    if (typeof title === 'string' && resources && lists.every(Array.isArray)) return { title, resources };
  } catch {
    // Such as the marks of a merge.
  }
  throw new ConfigError([
    `${join(folder, LIST_RECORD)} cannot be read: restore it, or remove it, and \`sync\` writes it again.`,
  ]);
}
