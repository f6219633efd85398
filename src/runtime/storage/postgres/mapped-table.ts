import { type Index, shortened } from '../../../descriptor/indexes.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Column, SelectedColumn, Table } from '../../../descriptor/table.ts';
import type { Row } from '../store.ts';
import type { WireRow } from './answer.ts';
import type { LiveColumn, LiveRelation } from './mapped-catalogue.ts';
import { comparedParts, comparedWith, isLoose, type PropertySource, rowDecoder } from './mapped-values.ts';
import { type MappedWriter, mappedWriter } from './mapped-writing.ts';

/** A table of others, and how rows are made of the columns that are read of it. */
export interface MappedParts {
  readonly table: Table;
  readonly isView: boolean;
  readonly decode: (wire: WireRow) => Row;
  readonly writer: MappedWriter;
}

/** The table of a mapped resource as the database has it, which the check of the catalogue has found to fit. */
export function mappedParts(descriptor: ResourceDescriptor, live: LiveRelation, secret: string): MappedParts {
  const byName = new Map(live.columns.map((column) => [column.name, column]));
  const liveOf = ({ columns = [] }: PropertyDescriptor): readonly LiveColumn[] =>
    columns.flatMap((name) => byName.get(name) ?? []);
  const columns = descriptor.properties.map((property) => columnOf(property, liveOf(property)));
  const names = [...new Set(descriptor.properties.flatMap(({ columns: own = [] }) => own))];
  const sources = descriptor.properties.map(
    (property): PropertySource => ({
      property,
      columns: liveOf(property),
      at: (property.columns ?? []).map((name) => names.indexOf(name)),
    }),
  );
  const indexes = live.indexes.map((index): Index & { readonly sequences: readonly (readonly string[])[] } => ({
    ...index,
    properties: index.columns,
    sequences: sequencesOf(index.columns, descriptor.properties),
  }));
  const isRequired = (name: string): boolean => {
    const own = columns.find((column) => column.name === name);
    return own?.required === true && !own.nullable;
  };
  const unique = indexes.filter(({ isUnique }) => isUnique).flatMap(({ sequences }) => sequences);
  const table: Table = {
    name: shortened(descriptor.table, ''),
    ...(descriptor.mapped && { relation: descriptor.mapped }),
    selected: names.map((name) => selectedOf(name, byName.get(name))),
    descriptor,
    columns,
    stored: columns,
    column: new Map(columns.map((column) => [column.name, column])),
    position: new Map(columns.map(({ name }, i) => [name, i])),
    key: ['id'],
    tenant: undefined,
    partitions: [],
    isDistributed: false,
    indexes: [],
    keys: indexes.flatMap(({ sequences }) => sequences.flatMap((sequence) => orderings(sequence, isRequired))),
    uniques: [['id'], ...unique],
    uniqueNames: new Map(indexes.filter(({ isUnique }) => isUnique).map((one) => [one.name, one.sequences[0] ?? []])),
    searches: [],
    wordSearch: undefined,
  };
  const decode = rowDecoder(sources, names.length, secret);
  return { table, isView: !live.isTable, decode, writer: mappedWriter(descriptor, live) };
}

function columnOf(property: PropertyDescriptor, live: readonly LiveColumn[]): Column {
  const [first, ...others] = live;
  if (!first) return property;
  const loose = live.map(isLoose);
  const isAnyLoose = loose.includes(true);
  if (others.length > 0)
    return {
      ...property,
      parts: live.map(({ name, cast }) => ({ column: name, type: cast })),
      compare: (value) => comparedParts(live, value),
      ...(isAnyLoose && { loose }),
    };
  return {
    ...property,
    column: first.name,
    cast: first.cast,
    compare: (value) => comparedWith(property, first, value),
    ...(isAnyLoose && { loose }),
  };
}

/** Types whose values are texts in JSON, which Postgres would write as numbers, or with blanks behind them. */
const TEXTS = ['int8', 'numeric', 'bpchar'];

function selectedOf(column: string, live: LiveColumn | undefined): SelectedColumn {
  if (!live?.isArray) return { column, json: live?.base === 'json' ? 'values' : undefined };
  return { column, json: TEXTS.includes(live.base) ? 'texts' : 'values' };
}

/** The properties that an index is on, in order: one of several columns in place of them, too. */
function sequencesOf(
  columns: readonly string[],
  properties: readonly PropertyDescriptor[],
): readonly (readonly string[])[] {
  if (columns.length === 0) return [[]];
  const leading = properties.filter(
    ({ columns: own = [] }) => own.length > 0 && own.every((column, i) => columns[i] === column),
  );
  const found = leading.flatMap(({ name, columns: own = [] }) =>
    sequencesOf(columns.slice(own.length), properties).map((rest) => [name, ...rest]),
  );
  return found.length > 0 ? found : [[]];
}

/** An index has NULL last, and orders begin with it: behind such a column it sorts nothing. Ties of its parts are few. */
function orderings(
  sequence: readonly string[],
  isRequired: (property: string) => boolean,
): readonly (readonly string[])[] {
  const end = sequence.findIndex((name) => !isRequired(name));
  const sorted = end < 0 ? sequence : sequence.slice(0, Math.max(1, end));
  if (end === 0) return [sorted];
  const parts = sorted.map((_, i) => sorted.slice(0, i + 1));
  return parts.map((part) => (part.includes('id') ? part : [...part, 'id']));
}
