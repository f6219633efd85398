import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../document.ts';
import { indexesOf } from '../indexes.ts';
import type { ResourceDescriptor } from '../resource.ts';
import { type RecordedColumns, type RowShapes, rowShapesOf } from './row-shapes.ts';
import { tightened } from './tightened.ts';

/** What a database records of a contract that it is served by. */
export interface ContractRecord {
  /** `info.version` of the contract. */
  readonly version: string;
  /** SHA-256, in hexadecimal, of what the contract says of tables and rows. */
  readonly hash: string;
  readonly shapes: RowShapes;
}

/** A contract that a database has been served by; `shapes` of the last one alone. */
export type RecordedContract = Omit<ContractRecord, 'shapes'> & { readonly shapes?: RowShapes | undefined };

/** The record of a contract. */
export function contractRecord(document: OpenApiDocument, resources: readonly ResourceDescriptor[]): ContractRecord {
  const shapes = rowShapesOf(document, resources);
  const tables = resources.map((resource) => {
    const columns = resource.properties.map(({ column, type, nullable, required, initial, references }) => [
      ...[column, type, nullable, required, initial ?? null],
      references ? { resource: references.resource, onDelete: references.onDelete } : null,
    ]);
    const indexes = indexesOf(resource).map(({ name, columns, isUnique }) => ({ name, columns, isUnique }));
    return [resource.table, columns, indexes];
  });
  const hash = createHash('sha256')
    .update(JSON.stringify([tables, shapes]))
    .digest('hex');
  return { version: document.info.version, hash, shapes: { ...shapes, columns: columnsOf(resources) } };
}

const columnsOf = (resources: readonly ResourceDescriptor[]): RecordedColumns =>
  Object.fromEntries(
    resources.map(({ table, properties }) => [
      table,
      Object.fromEntries(
        properties.map(({ column, name, type, required, nullable, references, initial }) => [
          column,
          { property: name, type, isRequired: required && !nullable, initial, references },
        ]),
      ),
    ]),
  );

/** The tables and columns in which two contracts differ: `things`, `things.name`. `others`: of a contract that recorded no columns, the names of properties. */
function differingColumns(ours: RowShapes, others: RowShapes): string[] {
  const tables = new Set([...Object.keys(ours.tables), ...Object.keys(others.tables)]);
  return [...tables].flatMap((table) => {
    if (!ours.tables[table] || !others.tables[table]) return [table];
    const [stricter, looser] = [tightened(others, ours, table), tightened(ours, others, table)];
    const [mine, theirs] = [ours.columns?.[table] ?? {}, others.columns?.[table] ?? {}];
    const column = new Map(Object.entries({ ...theirs, ...mine }).map(([name, { property }]) => [property, name]));
    const properties = [...(stricter?.properties ?? []), ...(looser?.properties ?? [])];
    const known = others.columns ? Object.keys({ ...theirs, ...mine }) : [];
    const changed = known.filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]));
    const names = new Set([...properties.map((property) => column.get(property) ?? property), ...changed]);
    const isWhole = [stricter, looser].some((found) => found?.isWhole);
    return [...(isWhole ? [table] : []), ...[...names].map((name) => `${table}.${name}`)];
  });
}

/** How a contract stands to those that a database has been served by. */
export type Standing = 'same' | 'newer' | 'older';

/**
 * How a contract stands to the recorded ones, the last of which is the newest: by its version, or where that is the same,
 * by whether it was served before the last one.
 */
export function standingOf(contract: Omit<ContractRecord, 'shapes'>, recorded: readonly RecordedContract[]): Standing {
  const last = recorded.at(-1);
  if (!last) return 'newer';
  const order = compareVersions(contract.version, last.version);
  if (contract.hash === last.hash) return order > 0 ? 'newer' : 'same';
  if (order !== 0) return order > 0 ? 'newer' : 'older';
  const wasServed = recorded.some(({ hash, version }) => hash === contract.hash && version === contract.version);
  return wasServed ? 'older' : 'newer';
}

/** The contract that a database belongs to, beside an older one. */
export interface NewerContract {
  /** Its version, with its digest where the older one has the same version. */
  readonly name: string;
  readonly olderName: string;
  /** `; they differ in things, things.name`, if both have one version. */
  readonly difference: string;
}

/** The last recorded contract beside an older one. */
export function newerThan(contract: ContractRecord, last: RecordedContract): NewerContract {
  if (contract.version !== last.version) return { name: last.version, olderName: contract.version, difference: '' };
  const named = ({ version, hash }: RecordedContract): string => `${version}, digest ${hash.slice(0, DIGEST_SHOWN)}`;
  const columns = last.shapes && differingColumns(contract.shapes, last.shapes);
  const difference = columns ? `; they differ in ${columns.join(', ') || 'indexes'}` : '';
  return { name: named(last), olderName: named(contract), difference };
}

const DIGEST_SHOWN = 12;

/** By number, part by part; versions of another form than Semantic Versioning's are all the same. */
function compareVersions(a: string, b: string): number {
  const [numbers, others] = [numbersOf(a), numbersOf(b)];
  if (!numbers || !others) return 0;
  const i = numbers.findIndex((number, index) => number !== others[index]);
  return i === -1 ? 0 : numbers[i]! - others[i]!;
}

const numbersOf = (version: string): number[] | undefined => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
