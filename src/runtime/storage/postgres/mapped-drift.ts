import { quote } from '../../../descriptor/migration/literal.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { isPageBounded } from '../statements/reach.ts';
import { keyOfTable, type LiveColumn, type LiveRelation } from './mapped-catalogue.ts';
import { type Drift, type Judged, writingDrift } from './mapped-writing-drift.ts';

export type { Drift } from './mapped-writing-drift.ts';

export type LiveRelations = ReadonlyMap<string, LiveRelation>;

/** The types of Postgres that a property may be kept in; `json` also has all arrays. */
const FITTING: Readonly<Record<PropertyDescriptor['type'], readonly string[]>> = {
  string: [
    'text',
    'varchar',
    'bpchar',
    'name',
    'citext',
    'inet',
    'cidr',
    'time',
    'timetz',
    'interval',
    'timestamp',
    'uuid',
  ],
  uuid: ['uuid'],
  integer: ['int2', 'int4'],
  int64: ['int8'],
  number: ['float4', 'float8'],
  decimal: ['numeric'],
  boolean: ['bool'],
  date: ['date'],
  'date-time': ['timestamptz', 'timestamp'],
  json: ['jsonb', 'json'],
};

/** How each type of Postgres is written in a contract. */
const WRITTEN: Readonly<Record<string, string>> = {
  uuid: 'type: string, format: uuid',
  int2: 'type: integer',
  int4: 'type: integer',
  int8: 'type: string, format: int64',
  float4: 'type: number',
  float8: 'type: number',
  numeric: 'type: string, format: decimal',
  bool: 'type: boolean',
  date: 'type: string, format: date',
  timestamptz: 'type: string, format: date-time',
  timestamp: 'x-column: { name: …, zone: UTC } for date-time, or format: date-time-local',
  jsonb: 'type: object',
  json: 'type: object',
};

/** All that a mapped resource lacks in the catalogue, errors first. `bySchema`: all mapped resources, by key. */
export function driftOf(
  resource: ResourceDescriptor,
  relations: LiveRelations,
  byKey: ReadonlyMap<string, ResourceDescriptor>,
): readonly Drift[] {
  const { mapped, name } = resource;
  if (!mapped) return [];
  const table = `${mapped.schema}.${mapped.name}`;
  const fault = (what: string, property?: string, isError = true): Drift => ({
    isError,
    resource: name,
    ...(property !== undefined && { property }),
    what: property === undefined ? `${table} (${name}) ${what}` : `${table}: ${name}.${property} ${what}`,
  });
  const live = relations.get(keyOfTable(mapped));
  if (!live) return [fault('is not there: correct x-table, or let the role see it (grant usage on its schema).')];
  const judged: Judged = { resource, live, fault };
  return [
    ...columnDrift(judged),
    ...keyDrift(judged),
    ...rightDrift(judged),
    ...writingDrift(judged, byKey),
    ...unknownColumns(judged),
  ];
}

function* columnDrift({ resource, live, fault }: Judged): Iterable<Drift> {
  const byName = new Map(live.columns.map((column) => [column.name, column]));
  for (const property of resource.properties)
    for (const name of property.columns ?? []) {
      const column = byName.get(name);
      if (!column) yield fault(`has the column ${quote(name)}, which is not there: correct x-column.`, property.name);
      else yield* typeDrift(property, column, live, fault);
    }
}

function* typeDrift(
  property: PropertyDescriptor,
  live: LiveColumn,
  { isTable }: LiveRelation,
  fault: Judged['fault'],
): Iterable<Drift> {
  const { name, type, columns = [], zone, nullable, required } = property;
  if (columns.length > 1) return;
  const isFitting = live.isArray
    ? type === 'json'
    : live.labels
      ? type === 'string'
      : FITTING[type].includes(live.base) && (type !== 'date-time' || (live.base === 'timestamp') === (zone === 'UTC'));
  if (!isFitting) yield fault(`is ${type}, but ${quote(live.name)} is ${live.type}: write \`${written(live)}\`.`, name);
  const values = live.isArray ? property.entryEnum : property.enum;
  const missing = values ? (live.labels ?? []).filter((label) => !values.includes(label)) : [];
  if (missing.length > 0)
    yield fault(
      `lacks the values ${missing.join(', ')} of ${live.type}: add them to ${live.isArray ? 'the enum of its items' : 'its enum'}.`,
      name,
    );
  // Of the columns of a view, the catalogue does not know.
  if (isTable && required && !nullable && !live.isRequired)
    yield fault(`is required, but ${quote(live.name)} may be null: write \`type: [${type}, 'null']\`.`, name);
}

const written = ({ isArray, labels, base }: LiveColumn): string =>
  isArray ? 'type: array' : labels ? 'type: string' : (WRITTEN[base] ?? 'type: string');

function* keyDrift({ resource, live, fault }: Judged): Iterable<Drift> {
  const primary = live.indexes.find(({ isPrimary }) => isPrimary);
  const id = resource.properties.find(({ name }) => name === 'id');
  if (!live.isTable || !id) return;
  if (primary?.columns.join('\0') !== id.columns?.join('\0'))
    yield fault(
      primary
        ? `is not the primary key (${primary.columns.map(quote).join(', ')}): write \`x-column: ${JSON.stringify(primary.columns)}\`.`
        : 'is not a primary key, which the table lacks: leave it out, or map a view.',
      'id',
    );
}

function* rightDrift({ resource, live, fault }: Judged): Iterable<Drift> {
  if (!live.hasUsage) yield fault('lacks the right: grant usage on its schema to the role of DATABASE_URL.');
  const named = new Set(resource.properties.flatMap(({ columns = [] }) => columns));
  const own = live.columns.filter(({ name }) => named.has(name));
  if (!live.rights.includes('select') && !own.every(({ rights }) => rights.includes('select')))
    yield fault('lacks the right: grant select on it to the role of DATABASE_URL.');
}

function* unknownColumns({ resource, live, fault }: Judged): Iterable<Drift> {
  const named = new Set(resource.properties.flatMap(({ columns = [] }) => columns));
  const others = live.columns.map(({ name }) => name).filter((name) => !named.has(name));
  if (others.length > 0)
    yield fault(
      `has columns that the contract lacks: ${others.map(quote).join(', ')}. Add properties, or leave them out.`,
      undefined,
      false,
    );
}

/** Orders and filters of a list that no index of its table serves, each with one that would. */
export function* unservedLists({ descriptor, relation, ...table }: Table): Iterable<Drift> {
  const { list, name, properties } = descriptor;
  if (!list || !relation) return;
  const whole: Table = { descriptor, relation, ...table };
  const warn = (property: string, what: string): Drift => {
    const columns = properties.find((one) => one.name === property)?.columns ?? [];
    const index = `create index on ${quote(relation.schema)}.${quote(relation.name)} (${columns.map(quote).join(', ')})`;
    return {
      isError: false,
      resource: name,
      property,
      what: `${relation.schema}.${relation.name}: no index serves ${what} ${name}.${property}, so that each such list reads the table: ${index};`,
    };
  };
  const query = { resource: descriptor.key, conditions: [], limit: list.defaultLimit };
  const sorted = new Set(list.sorts.map(({ property }) => property));
  for (const property of sorted)
    if (
      property !== 'id' &&
      !isPageBounded(whole, {
        ...query,
        order: [
          { property, direction: 'asc' },
          { property: 'id', direction: 'asc' },
        ],
      })
    )
      yield warn(property, 'the order by');
  for (const property of new Set(list.filters.map((filter) => filter.property)))
    if (property !== 'id' && !whole.keys.some(([first]) => first === property)) yield warn(property, 'the filter by');
}
