import { isUuid } from '../../../descriptor/formats/formats.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { Id, PropertyDescriptor } from '../../../descriptor/resource.ts';
import { rescued } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Row, StoredValue } from '../../storage/store.ts';
import { checkFollowed } from '../access/field-checks.ts';
import { rowTest, shown } from '../access/fields.ts';
import { asksOthers, isBlind, isSwayed } from '../access/other-rows.ts';
import { EventStream } from '../events/event-stream.ts';
import type { CallerFilter } from '../events/filtered-changes.ts';
import { mapped } from '../events/mapped.ts';
import { concerns, MISSED_EVENTS, missedEvents, type RowChange } from '../events/row-change.ts';
import type { Caller, SubscribeCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { RowEntity } from '../resource/row-codec.ts';
import { validationFailed } from '../resource/validated.ts';
import { authorizeAction, followedBy, type Runtime } from '../transaction/runtime.ts';

/**
 * A stream of the resources that change, as far as the caller may see them: each as it is after the change, a deleted
 * one as it was before, and so one that a change takes out of the caller's sight. Where changes may have been missed, the
 * stream has an `EVENTS_MISSED` error in their place. It is there once those of other servers are heard.
 */
export async function subscribe(
  runtime: Runtime,
  call: SubscribeCall,
): Promise<AsyncGenerator<Entity | ApiError, void, void>> {
  const resource = lookUp(runtime.resources, call.resource);
  const { caller } = call;
  const mayRead = (): void => checkReader(runtime, resource, caller);
  mayRead();
  for (const name of Object.keys(call.where)) checkFollowed(resource, name, caller.principal, name);
  const isWanted = matcher(resource, call.where);
  const tell = withView(runtime, resource, call, tellOf(runtime, resource, call));
  const following = runtime.peers?.follow(call.resource, followedBy(runtime, resource, caller.principal));
  const end = (): void => {
    unsubscribe();
    following?.release();
  };
  const stream = new EventStream<Row | typeof MISSED_EVENTS>(runtime.maxQueuedEvents, MISSED_EVENTS, end);
  const unsubscribe = tell((row) => {
    if (row === MISSED_EVENTS || isWanted(row)) stream.push(row);
  });
  await following?.heard;
  return mapped(stream, (row) => {
    mayRead();
    if (row === MISSED_EVENTS) return missedEvents();
    if (!resource.fields) return new RowEntity(resource, row);
    // A row is missed if it cannot be found out who reads it.
    return rescued<Entity | ApiError>(() => shown(runtime.store, resource, row, caller.principal), missedEvents);
  });
}

/** Calls a listener with the rows of changes that the caller sees, until the returned function is called. */
type Tell = (listener: (row: Row | typeof MISSED_EVENTS) => void) => () => void;

const tellOf = (runtime: Runtime, resource: Resource, call: SubscribeCall): Tell =>
  resource.filter.isRuled ? ofRules(runtime, resource, call) : ofOwners(runtime, resource, call);

/** Where other rows decide what the caller reads of these, a change of those is reported as events that were missed. */
function withView({ events }: Runtime, resource: Resource, { caller: { principal } }: SubscribeCall, tell: Tell): Tell {
  const view = resource.fields?.viewFor(principal);
  if (!view?.limited.some(({ conditions }) => conditions.some(asksOthers))) return tell;
  // A subscriber that hears so for the rows does not hear it again.
  if (resource.filter.isRuled && (isBlind(resource, principal) || isSwayed(resource, principal))) return tell;
  const tenant = tenantOf(resource, principal);
  return (listener) => {
    const ends = [
      tell(listener),
      events.subscribe(resource.descriptor.key, 'resighted', (change) => {
        if (change !== MISSED_EVENTS && concerns(change, tenant)) listener(MISSED_EVENTS);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
}

/** By the rules of `x-access`, which only the database can test. */
function ofRules({ filtered }: Runtime, resource: Resource, { caller: { principal }, kind }: SubscribeCall): Tell {
  const tenant = tenantOf(resource, principal);
  const filter: CallerFilter = {
    resource: resource.descriptor.key,
    conditions: resource.filter.whole(principal),
    levels: resource.levels.map(({ descriptor: { key }, filter }) => ({
      resource: key,
      conditions: filter.own(principal),
    })),
    isSwayed: isSwayed(resource, principal),
    tenant,
    within: withinOf(resource, tenant),
  };
  return (listener) =>
    filtered.follow(filter, (change) => {
      if (change === MISSED_EVENTS) listener(change);
      else if (change.kind === kind) listener(change.row);
    });
}

/** The tenant to which rows that the caller sees belong, by themselves or by those above them; undefined: any. */
function tenantOf(resource: Resource, principal: Principal | undefined): Id | undefined {
  const tenancy = resource.levels.find((level) => level.tenancy)?.tenancy;
  return tenancy?.seesAll(principal) ? undefined : tenancy?.tenantOf(principal);
}

/** What others do in their tenants costs this one no statement. */
const withinOf = ({ tenancy, index }: Resource, tenant: Id | undefined): CallerFilter['within'] =>
  tenancy && tenant !== undefined ? { index: index(tenancy.property), value: tenant } : undefined;

/** By the owners of the row and of its ancestors, which need no database. */
function ofOwners({ events }: Runtime, resource: Resource, { caller: { principal }, kind }: SubscribeCall): Tell {
  const tests = resource.levels.map(({ descriptor, filter }) => rowTest(descriptor.properties, filter.own(principal)));
  const isSeen = ({ row, ancestors }: RowChange): boolean =>
    tests.every((test, level) => test?.((level === 0 ? row : ancestors[level - 1]) ?? NO_ROW));
  return (listener) =>
    events.subscribe(resource.descriptor.key, kind, (change) => {
      if (change === MISSED_EVENTS) listener(change);
      else if (isSeen(change)) listener(change.row);
    });
}

/** An ancestor has been deleted meanwhile. */
const NO_ROW: Row = [];

/**
 * A caller who may get the resource (or list it, where there is no `get`) may follow its changes. Throws what
 * `authorizeAction` throws.
 */
function checkReader({ clock }: Runtime, resource: Resource, caller: Caller): void {
  authorizeAction(resource, resource.descriptor.actions.get ? 'get' : 'list', caller);
  if ((caller.principal?.expiresAtMs ?? Number.POSITIVE_INFINITY) > clock()) return;
  throw new ApiError('UNAUTHENTICATED', { detail: 'The token has expired.' });
}

function matcher(resource: Resource, where: SubscribeCall['where']): (row: Row) => boolean {
  const errors: FieldError[] = [];
  const wanted = Object.entries(where).map(([name, value]): [number, StoredValue] => {
    const property = lookUp(resource.property, name);
    const fault = idFault(property, value);
    if (fault !== undefined) errors.push({ parameter: name, detail: fault });
    return [resource.index(name), normalize(property, value) as StoredValue];
  });
  if (errors.length > 0) throw validationFailed(errors);
  return (row) => wanted.every(([i, value]) => row[i] === value);
}

/** Why no row can have the id; undefined when one can. */
function idFault({ type }: PropertyDescriptor, value: Id): string | undefined {
  if (type === 'uuid' && !isUuid(String(value))) return 'must be a UUID';
  if (type === 'integer' && typeof value !== 'number') return 'must be an integer';
  return undefined;
}
