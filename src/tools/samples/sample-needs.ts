import { requestsById, type SampleRequest } from '../../compiler/emit/index.ts';
import { collectOperations } from '../../compiler/model/index.ts';
import { actorProperties } from '../../descriptor/actor-properties.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { isPlainObject } from '../../descriptor/plain-object.ts';
import {
  furtherPaths,
  isReferring,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { tenantClaims, tenantsOf } from '../token/tenant-claims.ts';
import { AccessPlan, PlannedRow } from './access-plan.ts';
import { callerOf, claimsOf, type Sent, type Values } from './sample-caller.ts';

/** What sample requests need of the rows of a resource. */
export interface SampleNeeds {
  /** The first rows: the one that samples read and change, the one that they delete, others that they refer to or need. */
  readonly rows: readonly PlannedRow[];
  /** The row that is deleted, to which nothing refers. */
  readonly deleted: PlannedRow | undefined;
  /** The row that is created: no other has its keys. */
  readonly created: PlannedRow | undefined;
}

/** What the samples of a resource are about. */
type Samples = SampleNeeds & Sent;

/** What sample requests need: the rows of each resource, by its key, and whose `sub` their token has. */
export interface Needs {
  readonly of: ReadonlyMap<string, SampleNeeds>;
  /** A row, or the `sub` itself. */
  readonly caller: unknown;
  /** What else rules of rows compare, as the token has it: a row in place of its id. */
  readonly claims: Claims;
  /** Those whose own row samples create or delete. */
  readonly others: readonly { readonly role: 'newcomer' | 'leaver'; readonly subject: string }[];
}

export function sampleNeeds(contract: CompiledContract): Needs {
  const { document, resources } = contract;
  const requests = requestsById({ document, resources, operations: collectOperations(document) });
  const bodies = [...requests.values()].flatMap(({ body }) => (isPlainObject(body?.value) ? [body.value] : []));
  const referring = resources.flatMap((one) => one.properties).filter(isReferring);
  const samples = resources.map((resource) => {
    const named = referring.filter(({ references }) => references.resource === resource.key);
    const ids = named.flatMap(({ name }) => bodies.map((body) => body[name]));
    return samplesOf(resource, requests, new Set(ids.filter((id) => id != null)));
  });
  const named = new Map(samples.map(({ resource, rows }) => [resource.key, rows]));
  const caller = callerOf(samples);
  const tenants = tenantsOf(contract);
  const tenant = named.get(tenants?.resource ?? '')?.[0] ?? tenants?.values[0];
  const claims = claimsOf(samples, named, tenantClaims(contract, tenant));
  const plan = new AccessPlan({ resources, named, claims: { ...claims, sub: caller } });
  if (caller instanceof PlannedRow) plan.add(caller);
  for (const one of samples) place(one, named, caller, tenant);
  for (const one of samples) allowChanges(one, plan);
  for (const one of samples) allowDeletion(one, plan);
  const others = resources.flatMap(({ actions }) =>
    [['newcomer', actions.create] as const, ['leaver', actions.delete] as const].flatMap(([role, action]) => {
      const { subject } = requests.get(action?.operationId ?? '') ?? {};
      return subject === undefined ? [] : [{ role, subject: String(subject) }];
    }),
  );
  return {
    of: new Map(samples.map((one) => [one.resource.key, { ...one, rows: plan.rows(one.resource.key) }])),
    caller,
    claims,
    others,
  };
}

function samplesOf(
  resource: ResourceDescriptor,
  requests: ReadonlyMap<string, SampleRequest>,
  ids: ReadonlySet<unknown>,
): Samples {
  const { actions, key } = resource;
  const of = (operationId: string | undefined) => (operationId === undefined ? undefined : requests.get(operationId));
  const bodyOf = (action: 'create' | 'replace' | 'update'): Values | undefined => {
    const value = of(actions[action]?.operationId)?.body?.value;
    return isPlainObject(value) ? value : undefined;
  };
  const bodies = { create: bodyOf('create'), replace: bodyOf('replace'), update: bodyOf('update') };
  const own = namingProperty(resource);
  const keyOf = (operationId: string | undefined): Values => {
    const value = of(operationId)?.inPath.at(-1)?.given;
    return value === undefined ? {} : { [own]: value };
  };
  const kept = {
    ...Object.fromEntries(
      furtherPaths(resource).map(({ property, operationId }) => [property, of(operationId)?.inPath.at(-1)?.given]),
    ),
    ...keyOf(actions.get?.operationId),
    ...changeable(resource, bodies.replace, bodies.update),
  };
  const spare = keyOf(actions.delete?.operationId);
  const known = [kept, ...(spare[own] === undefined || spare[own] === kept[own] ? [] : [spare])];
  const others = [...ids].filter((id) => known.every((row) => row['id'] !== id)).map((id): Values => ({ id }));
  const rows = [...known, ...others].map((values) => new PlannedRow(key, { ...values }));
  const created = bodies.create && new PlannedRow(key, { ...bodies.create });
  return { resource, bodies, rows, deleted: known[1] && rows[1], created };
}

/** Rows are below the first of their parent's, and belong to the caller where no scope opens them. */
function place(
  { resource, rows, deleted, created }: Samples,
  named: ReadonlyMap<string, readonly PlannedRow[]>,
  caller: unknown,
  tenantValue: unknown,
): void {
  const { parent, owner, tenant } = resource;
  const above = parent && named.get(parent.resource)?.[0];
  const isOwned = owner && owner.property !== 'id';
  for (const { values } of [rows[0], deleted, created].flatMap((row) => row ?? [])) {
    if (parent && above) values[parent.property] = above;
    if (isOwned && (owner.scope === undefined || values === created?.values)) values[owner.property] = caller;
  }
  if (!created) return;
  if (tenant) created.values[tenant.property] = tenantValue;
  const { created: actor } = actorProperties(resource);
  if (actor) created.values[actor.name] = caller;
}

/** The caller may create, read and change what samples do, and change again what they have changed. */
function allowChanges({ resource, bodies, rows, created }: Samples, plan: AccessPlan): void {
  const { rowAccess = {}, properties } = resource;
  const [row] = rows;
  const { create, replace, update } = bodies;
  const states = [{}, replace, update, replace && update && { ...replace, ...update }].flatMap((sent) =>
    row && sent ? [{ row, sent }] : [],
  );
  for (const state of states) {
    plan.meet(rowAccess.read, state);
    if (replace || update) plan.meet(rowAccess.update, state);
  }
  if (created) {
    plan.meet(rowAccess.create, { row: created });
    plan.meet(rowAccess.read, { row: created });
  }
  for (const { name, access } of properties) {
    for (const state of states) if (name in state.sent) plan.meet(access?.write, state);
    if (created && create && name in create) plan.meet(access?.write, { row: created });
  }
}

function allowDeletion({ resource, rows: [kept], deleted = kept }: Samples, plan: AccessPlan): void {
  const { rowAccess = {}, actions } = resource;
  if (!deleted || !actions.delete) return;
  plan.meet(rowAccess.read, { row: deleted });
  plan.meet(rowAccess.delete, { row: deleted });
}

/** What a row has that can be replaced and updated as the samples do. */
function changeable(
  { properties, unique, owner }: ResourceDescriptor,
  replacement: Values | undefined,
  patch: Values | undefined,
): Values {
  const keys = new Set(unique.flat());
  const pinned = properties.flatMap((property): readonly (readonly [string, unknown])[] => {
    const { name, origin, immutable, initial, nullable, transitions } = property;
    if (origin !== 'input' || name === owner?.property) return [];
    if (transitions) return [[name, stateFor(property, replacement, patch)]];
    if (!replacement || !(immutable || (keys.has(name) && name in replacement))) return [];
    return [[name, name in replacement ? replacement[name] : (initial ?? (nullable ? null : undefined))]];
  });
  return Object.fromEntries(pinned);
}

/** A state that may become what the samples send. */
function stateFor(
  { name, transitions = {}, initial }: PropertyDescriptor,
  replacement: Values | undefined,
  patch: Values | undefined,
): unknown {
  const sent = [
    ...(replacement ? [replacement[name] ?? initial] : []),
    ...(patch && name in patch ? [patch[name]] : []),
  ];
  const leadsTo = (state: unknown): boolean =>
    sent.every((next) => next === state || transitions[String(state)]?.includes(String(next)) === true);
  return [initial, ...Object.keys(transitions)].find(leadsTo) ?? initial;
}
