import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { DEFAULT_MAX_COST } from '../../descriptor/graphql.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { once } from '../../descriptor/once.ts';
import { type Action, type Id, namingProperty } from '../../descriptor/resource.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { ReportStray } from '../errors/stray-values.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import type { Store } from '../storage/store.ts';
import { guarded } from './access/door.ts';
import { asCallerIn } from './actions/as-caller.ts';
import { createAction } from './actions/create.ts';
import { deleteAction } from './actions/delete.ts';
import { getAction } from './actions/get.ts';
import { getEachAction } from './actions/get-each.ts';
import { includer } from './actions/include.ts';
import { listAction } from './actions/list.ts';
import { listEachAction } from './actions/list-each.ts';
import { placed } from './actions/placed.ts';
import { replaceAction } from './actions/replace.ts';
import { subscribe } from './actions/subscribe.ts';
import { updateAction } from './actions/update.ts';
import { compileResources } from './compile-resources.ts';
import { createEventBus, type EventBus } from './events/event-bus.ts';
import { FilteredChanges } from './events/filtered-changes.ts';
import type { Peers } from './events/peers.ts';
import { RowOrder } from './events/row-order.ts';
import { furtherOperations } from './further-operations.ts';
import type { Call } from './interface/call.ts';
import type { Engine, OperationCall, ResourceActions } from './interface/engine.ts';
import type { Consumed } from './interface/event-handlers.ts';
import type { SentJobs } from './interface/job-scope.ts';
import { createPositionCodec } from './interface/position-codec.ts';
import { available } from './interface/store-failure.ts';
import type { Override, OverrideContext } from './interface/untyped.ts';
import { createCursorCodec } from './lists/cursor.ts';
import type { ListCache } from './lists/list-cache.ts';
import { checkOverrides } from './override-check.ts';
import { INCLUDE } from './resource/further-checks.ts';
import type { Resource } from './resource/resource.ts';
import { paramsCheck } from './resource/validated.ts';
import { tenantGroups } from './transaction/code-scope.ts';
import { type Change, deliver, inTransaction } from './transaction/in-transaction.ts';
import { jobScope } from './transaction/job-scope.ts';
import { KeysUnderWay } from './transaction/keys-under-way.ts';
import { LockOrder } from './transaction/lock-order.ts';
import { asTransaction, refuseNested } from './transaction/nested.ts';
import { readerFor } from './transaction/reading.ts';
import { readingOnly } from './transaction/reading-only.ts';
import { openRisingIds } from './transaction/rising-ids.ts';
import type { Runtime } from './transaction/runtime.ts';
import { tablesOf, tenantsGiven } from './transaction/store-tables.ts';

export interface EngineOptions extends Pick<CompiledContract, 'document' | 'rest' | 'resources'> {
  readonly schemas: SchemaRegistry;
  readonly store: Store;
  /** By resource key, then action. */
  readonly overrides?: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>> | undefined;
  readonly clock: () => number;
  /** Makes the ids of new rows; rising UUIDv7 if left out. */
  readonly newId?: (() => string) | undefined;
  /** Where committed changes are published; a bus of this server alone if left out. */
  readonly events?: EventBus;
  /** Keys of the resources whose changes are published. */
  readonly watched?: ReadonlySet<string>;
  /** Events that may be queued for one subscriber; 1,000 if left out. */
  readonly maxQueuedEvents?: number;
  /** Caches pages of lists; nothing is cached if left out. */
  readonly lists?: ListCache | undefined;
  /** The other servers on the same database; none if left out. */
  readonly peers?: Peers | undefined;
  /** Gets stored values that the contract does not allow, where a row shows them. */
  readonly reportStray?: ReportStray | undefined;
  /** Which changes code handles after the commit, by resource key; none if left out. */
  readonly consumed?: ReadonlyMap<string, Consumed> | undefined;
  /** The jobs that code may send; none if left out. */
  readonly jobs?: SentJobs | undefined;
  /** The cost of a request with what it includes, as GraphQL counts it; 1,000 if left out. */
  readonly maxCost?: number | undefined;
  /** Refusals name the rule that refused; never in production, because rules reveal rows that callers may not see. */
  readonly namesRules?: boolean | undefined;
}

/** The engine of one contract over one store. Throws when an override does not belong to an action, or the clock is far behind. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { schemas, store, clock, overrides = {} } = options;
  const { events = createEventBus(), maxQueuedEvents = 1_000 } = options;
  checkOverrides(options.resources, overrides);
  const resources = compileResources(options, schemas, options);
  const secret = await store.secret('cursor');
  const { newId } = options;
  const ids = newId ? { next: newId, reserve: () => undefined } : await openRisingIds(store, clock);
  const codecs = { cursors: createCursorCodec(secret), positions: createPositionCodec(store.history, secret) };
  const { lists, peers } = options;
  const filtered = new FilteredChanges(events, store, maxQueuedEvents);
  const publishing = {
    events,
    order: peers?.order ?? (store.hasRowLocks ? new RowOrder() : undefined),
    filtered,
    maxQueuedEvents,
    keys: new KeysUnderWay(),
    lists,
    peers,
  };
  const lockOrder = store.hasRowLocks ? new LockOrder() : undefined;
  peers?.listen({
    onNotification: (notification) => deliver({ lists, events }, notification),
    onMissedEvents: (resource) => events.announceMissedEvents(resource),
  });
  const { tenancy } = [...resources.values()].find((one) => one.tenancy) ?? {};
  const runtime: Runtime = {
    store,
    tenancy,
    resources,
    tablesIn: tablesOf(resources),
    asCallerIn: asCallerIn(resources, () => runtime),
    overrides,
    ...codecs,
    clock,
    ids,
    lockOrder,
    jobs: options.jobs,
    consumes: (options.consumed?.size ?? 0) > 0,
    tenantGiven: tenantsGiven(resources),
    ...publishing,
  };
  const actions = new Map([...resources].map(([key, resource]) => [key, actionsOf(runtime, resource)]));
  return {
    resources: actions,
    include: includer(actions, options.maxCost ?? DEFAULT_MAX_COST),
    perform: (call, work) => available(() => perform(runtime, call, work)),
    transaction: (caller, work) => available(() => inTransaction(runtime, { caller }, 'serial', work)),
    jobScope: (call) => jobScope(runtime, call),
    tenantGroups: (caller, resource, ids) => tenantGroups(runtime, caller, resources.get(resource ?? ''), ids),
    subscribe: (call) => subscribe(runtime, call),
    filterKeyOf: (resource, { principal }) => lookUp(resources, resource).filter.key(principal),
    isOverridden: (resource, action) => overrides[resource]?.[action] !== undefined,
  };
}

function actionsOf(runtime: Runtime, resource: Resource): ResourceActions {
  const guard = <C extends Pick<Call, 'caller'>, T>(
    action: 'list' | 'get',
    make: (runtime: Runtime, resource: Resource) => (call: C) => MaybePromise<T>,
  ) => actionOf(resource, action, () => make(runtime, resource));
  const writes = {
    create: once(() => writing(resource, createAction(runtime, resource))),
    replace: once(() => writing(resource, replaceAction(runtime, resource))),
    update: once(() => writing(resource, updateAction(runtime, resource))),
    delete: once(() => writing(resource, deleteAction(runtime, resource))),
  };
  return {
    descriptor: resource.descriptor,
    locationOf: (params, { row }) =>
      resource.locationOf(params, resource.valueIn(row, namingProperty(resource.descriptor)) as Id),
    checkParams: paramsCheck(resource),
    checkQuery: resource.checks.query,
    checkInclude: (operation, include) => resource.queryChecks.get(operation)?.({ [INCLUDE]: include }),
    list: guard('list', placed(listAction)),
    get: guard('get', placed(getAction)),
    versionAlone: versionAlone(runtime, resource),
    getEach: guard('get', getEachAction),
    listEach: guard('list', listEachAction),
    ...furtherOperations(runtime, resource, writes),
    create: actionOf(resource, 'create', writes.create),
    replace: actionOf(resource, 'replace', writes.replace),
    update: actionOf(resource, 'update', writes.update),
    delete: actionOf(resource, 'delete', writes.delete),
  };
}

const VERSION: ReadonlySet<string> = new Set(['version']);

/** Another database would be asked once more whenever the caller has another version; and some rows are little else. */
function versionAlone(
  { store }: Runtime,
  { form, fields, parent, columnsOf }: Resource,
): ReadonlySet<string> | undefined {
  const isCheap = !store.hasRowLocks && !fields && !parent && form !== undefined;
  return isCheap && columnsOf(VERSION) ? VERSION : undefined;
}

/** What changes rows of tenants is for callers who have one. */
function writing<C extends Pick<Call, 'caller'>, T>(
  resource: Resource,
  run: (call: C) => MaybePromise<T>,
): (call: C) => MaybePromise<T> {
  const { tenancy } = resource.levels.find((level) => level.tenancy) ?? {};
  if (!tenancy) return run;
  return (call) => {
    tenancy.checkWriter(call.caller.principal);
    return run(call);
  };
}

function actionOf<C extends Pick<Call, 'caller'>, T>(
  resource: Resource,
  action: Action,
  make: () => (call: C) => MaybePromise<T>,
): (call: C) => MaybePromise<T> {
  const declared = resource.descriptor.actions[action];
  if (!declared) {
    return () => {
      throw new Error(`${resource.descriptor.name} has no action ${action}.`);
    };
  }
  return guarded(declared.access, make());
}

async function perform<T>(
  runtime: Runtime,
  { reads, scope: given, ...call }: OperationCall,
  work: (context: OverrideContext) => Promise<T>,
): Promise<T> {
  const { caller } = call;
  const scope = given ?? runtime.tenancy?.scopeIn(caller.principal);
  if (reads) return work(readingOnly(runtime, caller, await readerFor(runtime, caller, scope)).context(call));
  refuseNested();
  const changing = (change: Change) => asTransaction(() => work((scope ? change.within(scope) : change).context(call)));
  return inTransaction(runtime, call, 'serial', changing, scope);
}
