import { createHash } from 'node:crypto';
import type { TenantKey } from './layout.ts';
import { hasFewValues, type PropertyDescriptor, propertyNamed, type ResourceDescriptor } from './resource.ts';

const MAX_NAME_LENGTH = 63;
const DIGEST_LENGTH = 8;

/** An index by its columns, in order. */
export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  /** Of the columns. */
  readonly properties: readonly string[];
  readonly isUnique: boolean;
}

/**
 * The indexes a table needs: unique keys, foreign keys, what rules of access compare, and for every declared filter and
 * sort one that starts with what narrows each list (the parent) and ends with `id`, which completes the order. A filter
 * of few values has one with each sort, too: without, a list would sort a large part of the table for a page. Where
 * rows belong to tenants, all begin with the tenant, but for those by which the database follows references, as ids are
 * unique over all tenants, and for those of filters and sorts where a caller may list the rows of all.
 * `keys`: those of all resources, if they begin with the tenant: so do the indexes by which references are followed.
 */
export function indexesOf(descriptor: ResourceDescriptor, keys?: Keys): Index[] {
  const own = keys?.get(descriptor.key);
  const columns = own?.isHidden ? [...descriptor.properties, own.column] : descriptor.properties;
  const first = own?.isHidden ? [own.column.name] : [];
  const unique = descriptor.unique.map((properties) => index(descriptor, columns, [...first, ...properties], true));
  const plain = keysOf(descriptor, keys).map((properties) => index(descriptor, columns, properties, false));
  return [...unique, ...withoutPrefixes(plain)];
}

type Keys = ReadonlyMap<string, TenantKey>;

function keysOf(descriptor: ResourceDescriptor, tenantKeys: Keys | undefined): string[][] {
  const { parent, owner, list, ruleIndexes = [] } = descriptor;
  const key = tenantKeys?.get(descriptor.key);
  const tenant = key?.column.name ?? descriptor.tenant?.property;
  const isAcross = key?.isAcross ?? descriptor.tenant?.across !== undefined;
  const scope = parent ? [parent.property] : [];
  const filters = (list?.filters ?? [])
    .filter(({ operators }) => operators.some((operator) => operator !== 'contains'))
    .map(({ property }) => property);
  const sorts = (list?.sorts ?? []).map(({ property }) => property);
  const coarse = filters.filter((name) => hasFewValues(propertyNamed(descriptor.properties, name)));
  const sortedBy = sorts.filter((name) => name !== 'id');
  const references = descriptor.properties.filter((property) => property.references);
  const isWithin = (resource: string | undefined): boolean => key !== undefined && !!tenantKeys?.has(resource ?? '');
  const followed = references.filter((one) => isAcross || !isWithin(one.references?.resource));
  const followedWithin = references.filter((one) => isWithin(one.references?.resource));
  const byId = ({ name }: PropertyDescriptor): string[] => [name, 'id'];
  const within = (names: readonly string[][]): string[][] =>
    tenant ? names.map((all) => [tenant, ...all]) : [...names];
  const whole = [
    ...(tenant && !key ? [['id']] : []),
    ...(parent ? [[...scope, 'id']] : []),
    ...(owner && owner.property !== 'id' ? [[owner.property, 'id']] : []),
  ];
  const declared = [
    ...[...filters, ...sorts].filter((property) => property !== 'id').map((property) => [...scope, property, 'id']),
    ...coarse.flatMap((filter) => sortedBy.map((sort) => [...scope, filter, sort, 'id'])),
  ];
  const sought = [...declared, ...ruleIndexes.map((names) => [...names, 'id'])];
  const across = [...(isAcross && !parent ? declared : []), ...(isAcross && key ? [['id']] : [])];
  const leading = [...followed.map(byId), ...within(followedWithin.map(byId))];
  return [...within(whole), ...leading, ...within(sought), ...across].map((names) => [...new Set(names)]);
}

function index(
  { table }: ResourceDescriptor,
  all: readonly PropertyDescriptor[],
  properties: readonly string[],
  isUnique: boolean,
): Index {
  const columns = properties.map((property) => propertyNamed(all, property).column);
  const name = shortened(`${table}_${columns.join('_')}`, isUnique ? '_key' : '_index');
  return { name, columns, properties, isUnique };
}

/** Postgres keeps 63 bytes of a name (PostgreSQL, 4.1.1); the digest distinguishes long ones. */
export function shortened(name: string, kind: string): string {
  if (name.length + kind.length <= MAX_NAME_LENGTH) return name + kind;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH);
  return `${name.slice(0, MAX_NAME_LENGTH - kind.length - DIGEST_LENGTH - 1)}_${digest}${kind}`;
}

/** Equal indexes once. */
function withoutPrefixes(indexes: readonly Index[]): Index[] {
  return [...new Map(indexes.map((index) => [index.name, index])).values()];
}
