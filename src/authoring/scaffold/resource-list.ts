import { parse } from 'yaml';
import type { Finding } from '../../compiler/findings/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { ContractFiles } from '../sync/contract-files.ts';
import { contractSide } from '../sync/open-contract.ts';
import type { Removed } from '../sync/removed.ts';
import { removeEntry, type YamlPath } from '../sync/yaml-text.ts';
import { added, collectionOf } from './addition.ts';
import { type Field, readField } from './field.ts';
import { propertyName } from './field-schemas.ts';
import { forget, LIST_RECORD, lastApplied, writeApplied } from './list-record.ts';
import { fieldAddition } from './new-field.ts';
import { resourceAddition } from './new-resource.ts';
import { nounOf } from './noun.ts';
import { ID_KINDS, type IdKind } from './words/addition-kinds.ts';

/** The file in the contract folder that lists resources. */
const RESOURCE_LIST = 'resources.yaml';

/** A resource as the list has it. */
interface ListedResource {
  /** `books`, or `books/copies` below another. */
  readonly collection: string;
  readonly fields: readonly Field[];
  readonly singular: string | undefined;
  readonly id: IdKind;
}

/** The errors that the additions of a list would cause, and the entries that left the list: `books.isbn`. */
interface AppliedList {
  readonly findings: readonly Finding[];
  readonly gone: readonly string[];
}

/**
 * Adds the resources and fields that `resources.yaml` names and the OpenAPI document lacks; what is there stays as it is. Entries
 * that were applied before, and that the document has lost since then, leave the list instead. `out`: folder of the generated files.
 * Throws `ConfigError` for a list or a record that cannot be read.
 */
export async function applyResourceList(files: ContractFiles, out?: string, removed?: Removed): Promise<AppliedList> {
  const gone = await leaveOutGone(files, out);
  const text = await files.read(RESOURCE_LIST);
  for (const listed of text === undefined ? [] : inOrder(readResourceList(text))) {
    // What the sides differ in otherwise is derived afterwards, or reported then.
    const findings = (await applyOne(files, listed, removed)).filter(({ rule }) => !rule.startsWith('parity-'));
    if (findings.length > 0) return { findings, gone };
  }
  return { findings: [], gone };
}

/** Removes the entries of the list that the contract has lost. Resolves with their names. */
async function leaveOutGone(files: ContractFiles, out: string | undefined): Promise<readonly string[]> {
  const text = await files.read(RESOURCE_LIST);
  const last = text === undefined ? undefined : await lastApplied(files, out);
  if (text === undefined || !last) return [];
  const now = contractSide(await files.source());
  // A contract without resources begins anew.
  if ('findings' in now || now.resources.length === 0) return [];
  const gone = readResourceList(text).flatMap(({ collection, fields }): YamlPath[] => {
    const before = last.get(collection);
    const after = now.resources.find((one) => collectionOf(one) === collection);
    if (!before) return [];
    if (!after) return [[collection]];
    const lost = missingIn(after, fields).filter((field) => before.includes(propertyName(field)));
    return lost.map(({ name }) => [collection, 'fields', name]);
  });
  await files.write(RESOURCE_LIST, gone.reduce(removeEntry, text));
  return gone.map(([collection, , name]) => [collection, name ?? []].flat().join('.'));
}

/** Records the entries of the list that the contract now has, for the next `applyResourceList`. */
export async function recordResourceList(files: ContractFiles): Promise<void> {
  const text = await files.read(RESOURCE_LIST);
  const side = contractSide(await files.source());
  if ('findings' in side) return;
  const present = readResourceList(text ?? '').flatMap(({ collection, fields }) => {
    const resource = side.resources.find((one) => collectionOf(one) === collection);
    if (!resource) return [];
    const missing = missingIn(resource, fields);
    const names = fields.flatMap((field) => (missing.includes(field) ? [] : [propertyName(field)]));
    return [[collection, names] as const];
  });
  if (text !== undefined || files.has(LIST_RECORD)) await writeApplied(files, new Map(present));
}

/** The fields whose properties a resource lacks. */
const missingIn = ({ properties }: ResourceDescriptor, fields: readonly Field[]): readonly Field[] =>
  fields.filter((field) => !properties.some(({ name }) => name === propertyName(field)));

/** Removes a resource from the list and the record of it, or the fields of some of its properties. */
export async function unlist(files: ContractFiles, collection: string, properties?: readonly string[]): Promise<void> {
  const text = await files.read(RESOURCE_LIST);
  const listed = text === undefined ? undefined : readResourceList(text).find((one) => one.collection === collection);
  if (text !== undefined && listed) {
    const fields = listed.fields.filter((one) => properties?.includes(propertyName(one)));
    const paths: readonly YamlPath[] = properties
      ? fields.map(({ name }) => [collection, 'fields', name])
      : [[collection]];
    await files.write(RESOURCE_LIST, paths.reduce(removeEntry, text));
  }
  await forget(files, collection, properties);
}

async function applyOne(
  files: ContractFiles,
  { collection, fields, singular, id }: ListedResource,
  removed: Removed | undefined,
): Promise<readonly Finding[]> {
  const side = contractSide(await files.source());
  if ('findings' in side) return side.findings;
  const existing = side.resources.find((resource) => collectionOf(resource) === collection);
  if (!existing) {
    const [name, ...above] = collection.split('/').toReversed();
    const parent = above.length === 0 ? undefined : above.toReversed().join('/');
    return added(files, resourceAddition(nounOf(name!, singular), fields, { parent, id }), removed);
  }
  const missing = missingIn(existing, fields);
  return missing.length === 0 ? [] : added(files, fieldAddition(collection, missing), removed);
}

/** Parses the list. Throws `ConfigError`. */
export function readResourceList(text: string): readonly ListedResource[] {
  const list = parsed(text);
  return Object.entries(list).map(([collection, entry]) => {
    const { fields, singular, id, ...rest } = mapping(entry, `\`${collection}\``);
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      throw refused(`\`${collection}\` has \`${unknown}\`; only \`fields\`, \`singular\` and \`id\` are allowed`);
    if (singular !== undefined && typeof singular !== 'string')
      throw refused(`\`${collection}.singular\` is not a word`);
    if (id !== undefined && !ID_KINDS.some((kind) => kind === id))
      throw refused(`\`${collection}.id\` is not one of ${ID_KINDS.join(', ')}`);
    const words = Object.entries(mapping(fields, `\`${collection}.fields\``));
    const kind = (id ?? 'uuid') as IdKind;
    return {
      collection,
      singular,
      id: kind,
      fields: words.map(([name, type]) => readField(`${name}:${String(type)}`)),
    };
  });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return mapping(parse(text) ?? {}, 'It');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refused((error as Error).message);
  }
}

function mapping(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(`${what} is not a mapping`);
  return value as Readonly<Record<string, unknown>>;
}

const refused = (why: string): ConfigError => new ConfigError([`${RESOURCE_LIST} cannot be read: ${why}.`]);

/** Parents come before what is below them, and what is referred to before what refers to it, as far as there is such an order. */
function inOrder(list: readonly ListedResource[]): readonly ListedResource[] {
  const done = new Set<ListedResource>();
  const open = new Set<ListedResource>();
  const visit = (one: ListedResource): void => {
    if (done.has(one) || open.has(one)) return;
    open.add(one);
    const needed = one.fields.flatMap(({ type }) => (type.kind === 'ref' ? [type.collection] : []));
    const parent = one.collection.slice(0, Math.max(0, one.collection.lastIndexOf('/')));
    for (const other of list) if (needed.includes(other.collection) || other.collection === parent) visit(other);
    done.add(one);
  };
  for (const one of list) visit(one);
  return [...done];
}
