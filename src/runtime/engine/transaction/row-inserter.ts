import { tenantAs } from '../../storage/row-scope.ts';
import type { Row } from '../../storage/store.ts';
import { subjectAs } from '../access/owner.ts';
import type { Tenancy } from '../resource/access.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import type { RowChecks } from './row-checks.ts';
import { written } from './row-writer.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/**
 * Inserts a new row; properties without a value get their initial value. Throws `ALREADY_EXISTS`,
 * `REFERENCE_NOT_FOUND`, and what the checks throw.
 */
export async function insertRow(
  unit: UnitOfWork,
  resource: Resource,
  values: Values,
  { judge, before, whenTaken }: RowChecks = {},
): Promise<Row> {
  const { transaction, log } = unit;
  const given = complete(resource, values, unit);
  const row = resource.codec.toRow(given);
  if (judge) await judge(row);
  if (before) await before(row);
  log.markStale(resource, 'write', row);
  if (unit.isAlone) await log.announce(resource, row);
  const along = { given, event: log.outgoing?.alone('created', resource, row) };
  const insert = () => transaction.insert(resource.descriptor.key, row, along);
  const kept = await written(unit, resource, row, insert, whenTaken);
  await log.markResighted(resource, kept, transaction.unlocked, 'created');
  await log.record('created', resource, kept, transaction.unlocked);
  return kept;
}

function complete(resource: Resource, values: Values, unit: UnitOfWork): Values {
  const { newId, now, principal } = unit;
  const { actors, tenancy } = resource;
  const { created, updated } = actors;
  const time = now.toISOString();
  const complete: Record<string, unknown> = {};
  for (const property of resource.descriptor.properties) {
    const value = values[property.name];
    complete[property.name] = value === undefined ? property.initial : normalize(property, value);
  }
  complete['id'] ??= madeId(resource, newId);
  for (const actor of [created, updated]) if (actor) complete[actor.name] ??= subjectAs(resource, actor, principal);
  if (tenancy) complete[tenancy.property] = tenantOfNew(resource, tenancy, complete, unit);
  const { createdAt, updatedAt } = resource.names;
  return { ...complete, version: resource.firstVersion, [createdAt]: time, [updatedAt]: time };
}

/** That of the rows that code writes; beyond tenants, what it gives; or else that of the caller. Throws `FORBIDDEN`. */
function tenantOfNew(
  resource: Resource,
  { property, forNew }: Tenancy,
  values: Values,
  { scope, principal }: UnitOfWork,
): unknown {
  if (scope?.kind === 'tenant') return tenantAs(resource.property.get(property)!.type, scope.tenant);
  return (scope?.kind === 'all' ? values[property] : undefined) ?? forNew(principal);
}

/** An id for a row that comes without; undefined if the database counts it. */
function madeId({ idMaker, descriptor }: Resource, newId: () => string): string | undefined {
  if (idMaker === 'server') return newId();
  if (idMaker === 'database') return undefined;
  throw new Error(`A new ${descriptor.name} needs an id, which the server does not make up.`);
}
