import { quote } from '../../../descriptor/migration/literal.ts';
import { isReferring, type PropertyDescriptor, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { isPageBounded } from '../statements/reach.ts';
import { keyOfTable, type LiveColumn, type LiveRelation, type Right } from './mapped-catalogue.ts';

/** Where a mapped resource and its table part. */
export interface Drift {
  /** Nothing is served until it is mended. */
  readonly isError: boolean;
  /** Of the resource that it concerns, and the property, if it is one. */
  readonly resource: string;
  readonly property?: string;
  /** Names the table and the property, and what to do. */
  readonly what: string;
}

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
    ...referenceDrift(judged, byKey),
    ...unknownColumns(judged),
  ];
}

interface Judged {
  readonly resource: ResourceDescriptor;
  readonly live: LiveRelation;
  readonly fault: (what: string, property?: string, isError?: boolean) => Drift;
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
  const missing = property.enum ? (live.labels ?? []).filter((label) => !property.enum?.includes(label)) : [];
  if (missing.length > 0)
    yield fault(`lacks the values ${missing.join(', ')} of ${live.type}: add them to its enum.`, name);
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

const NEEDED: readonly (readonly [action: keyof ResourceDescriptor['actions'], right: Right])[] = [
  ['create', 'insert'],
  ['replace', 'update'],
  ['update', 'update'],
  ['delete', 'delete'],
];

function* rightDrift({ resource, live, fault }: Judged): Iterable<Drift> {
  const granted = (right: Right): string => `lacks the right: grant ${right} on it to the role of DATABASE_URL.`;
  if (!live.hasUsage) yield fault('lacks the right: grant usage on its schema to the role of DATABASE_URL.');
  const named = new Set(resource.properties.flatMap(({ columns = [] }) => columns));
  const own = live.columns.filter(({ name }) => named.has(name));
  if (!live.rights.includes('select') && !own.every(({ rights }) => rights.includes('select')))
    yield fault(granted('select'));
  const rights = new Set(NEEDED.flatMap(([action, right]) => (resource.actions[action] ? [right] : [])));
  for (const right of rights) {
    const isGranted =
      live.rights.includes(right) || (right !== 'delete' && own.some((one) => one.rights.includes(right)));
    if (!live.isTable) yield fault(`is a view, which is read-only: remove its ${right} from the contract.`);
    else if (!isGranted) yield fault(granted(right));
  }
  if (!resource.actions.create) return;
  const filled = new Set(
    resource.properties
      .filter(({ name, origin, initial }) =>
        origin !== 'server' && (name !== 'id' || origin === 'input') ? true : initial !== undefined,
      )
      .flatMap(({ columns = [] }) => columns),
  );
  for (const { name, isRequired, isFilled } of live.columns)
    if (isRequired && !isFilled && !filled.has(name))
      yield fault(`requires ${quote(name)}, which no create fills in: add a property to ${resource.schemas.input}.`);
}

/** Only the database guards references: where the contract writes, they have foreign keys. */
function* referenceDrift(
  { resource, live, fault }: Judged,
  byKey: ReadonlyMap<string, ResourceDescriptor>,
): Iterable<Drift> {
  if (!live.isTable) return;
  for (const { name, columns = [], references } of resource.properties.filter(isReferring)) {
    const target = byKey.get(references.resource);
    const table = target?.mapped;
    if (!target || !table || (!writes(resource) && !target.actions.delete)) continue;
    const key = live.foreignKeys.find(
      (one) => keyOfTable(one.target) === keyOfTable(table) && isSameSet(one.columns, columns),
    );
    if (!key) yield fault(`has no foreign key to ${table.schema}.${table.name}: remove x-references.`, name);
    else if (key.onDelete !== references.onDelete)
      yield fault(
        `is ${references.onDelete} on delete, but the foreign key is ${key.onDelete}: write \`x-on-delete: ${key.onDelete}\`.`,
        name,
      );
  }
}

const writes = ({ actions }: ResourceDescriptor): boolean =>
  actions.create !== undefined || actions.replace !== undefined || actions.update !== undefined;

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

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
