import { ConfigError } from '../../../descriptor/config-error.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Query } from './answer.ts';
import { keyOfTable, liveRelations } from './mapped-catalogue.ts';
import { type Drift, driftOf, unservedLists } from './mapped-drift.ts';
import { type MappedParts, mappedParts } from './mapped-table.ts';
import type { DatabaseLog } from './outage.ts';

/** Mapped resources as the database has them, by key, and where they part from it: then no tables. */
export interface Held {
  readonly tables: ReadonlyMap<string, MappedParts>;
  readonly drift: readonly Drift[];
}

/** Holds mapped resources against the catalogue. `secret`: what versions are made with. */
export async function heldAgainst(query: Query, resources: readonly ResourceDescriptor[], secret = ''): Promise<Held> {
  const mapped = resources.flatMap((resource) => (resource.mapped ? [{ resource, table: resource.mapped }] : []));
  if (mapped.length === 0) return { tables: new Map(), drift: [] };
  const relations = await liveRelations(
    query,
    mapped.map(({ table }) => table),
  );
  const byKey = new Map(mapped.map(({ resource }) => [resource.key, resource]));
  const drift = mapped.flatMap(({ resource }) => driftOf(resource, relations, byKey));
  if (drift.some(({ isError }) => isError)) return { tables: new Map(), drift };
  const tables = new Map(
    mapped.map(({ resource, table }) => [
      resource.key,
      mappedParts(resource, lookUp(relations, keyOfTable(table)), secret),
    ]),
  );
  return { tables, drift: [...drift, ...[...tables.values()].flatMap(({ table }) => [...unservedLists(table)])] };
}

/** The same for a server, which logs warnings. Throws `ConfigError` with all errors. */
export async function mappedTables(
  query: Query,
  resources: readonly ResourceDescriptor[],
  secret: () => Promise<string>,
  log: DatabaseLog | undefined,
): Promise<Held['tables']> {
  if (!resources.some(({ mapped }) => mapped)) return new Map();
  const { tables, drift } = await heldAgainst(query, resources, await secret());
  refuseErrors(drift);
  // Columns that the contract lacks are named by the check alone.
  for (const { what, resource, property } of drift) if (property !== undefined) log?.warn({ resource, property }, what);
  return tables;
}

/** Throws `ConfigError` with all errors. */
export function refuseErrors(drift: readonly Drift[]): void {
  const errors = drift.filter(({ isError }) => isError).map(({ what }) => what);
  if (errors.length > 0) throw new ConfigError(['The contract and the tables that it maps part:', ...errors]);
}
