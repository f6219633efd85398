import { setImmediate as turn } from 'node:timers/promises';
import { type Action, type BatchDescriptor, type Id, namingProperty } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Validate } from '../../schema/schema-registry.ts';
import { mayFilterBy } from '../access/field-checks.ts';
import { withAncestorIds } from '../access/parents.ts';
import { rowWith } from '../access/row-with.ts';
import type { BatchCall, Call, PathParams, WriteCall } from '../interface/call.ts';
import type { BatchResult, BatchResults, ResourceActions } from '../interface/engine.ts';
import { available } from '../interface/store-failure.ts';
import { type BatchItem, batchReader, endingBatch, inBatch } from '../resource/batch-items.ts';
import { notFoundOf } from '../resource/faults.ts';
import type { Resource } from '../resource/resource.ts';
import { lockItems } from '../transaction/batch-locks.ts';
import { gatheringInserts, gathersInserts, OneRefused } from '../transaction/gathered-inserts.ts';
import { batchFingerprint, batchOnce } from '../transaction/idempotency.ts';
import { type Change, inTransaction } from '../transaction/in-transaction.ts';
import { currentReader } from '../transaction/reading.ts';
import { authorizeAction, hasOverride, type Runtime } from '../transaction/runtime.ts';

/** The actions of a resource that items are, for callers who have passed their doors. */
export type Writes = Pick<ResourceActions, 'create' | 'replace' | 'update' | 'delete'>;

/** Others have created or deleted the row of an upsert meanwhile: the transaction begins anew. */
class RowsMoved extends Error {}

/** How often an upsert looks for its row. */
const MAX_LOOKS = 3;

/** Throws what `BatchOperation` says. */
export function batchAction(
  runtime: Runtime,
  resource: Resource,
  descriptor: BatchDescriptor,
  writes: Writes,
  validate: Validate,
): (call: BatchCall) => Promise<BatchResults> {
  const read = batchReader(resource, descriptor, validate);
  const write = itemWriter(runtime, resource, writes);
  const actions: readonly Action[] = ['create', 'replace', 'update', 'delete'];
  const commit = actions.some((action) => hasOverride(runtime, resource, action)) ? 'serial' : 'locking';

  const gathers = gathersInserts(runtime, resource);
  const whole = async (
    begun: Change,
    call: BatchCall,
    items: readonly BatchItem[],
    isGathered: boolean,
  ): Promise<readonly BatchResult[]> => {
    const { caller, params } = call;
    if (runtime.lockOrder) await lockItems(begun, resource, items, params);
    const gathering = isGathered && gathers(caller) ? gatheringInserts(begun) : undefined;
    const results: BatchResult[] = [];
    for (const [at, item] of items.entries()) {
      const isCreate = item.kind === 'create';
      const change = (isCreate && gathering?.change) || begun;
      try {
        results.push(await write(item, { caller, params, joins: change }));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // One of the rows before may be the first that fails.
        await gathering?.flush();
        throw endingBatch(error, item);
      }
      if (isCreate && items[at + 1]?.kind !== 'create') await gathering?.flush();
      // A database in this process answers at once: others are served between two items.
      if (!runtime.lockOrder) await turn();
    }
    return results;
  };
  const atomic = (call: BatchCall, items: readonly BatchItem[], sent: readonly unknown[]): Promise<BatchResults> => {
    const fingerprint = batchFingerprint(call, sent);
    return whileMoved((isFirst) => {
      const work = (change: Change) => whole(change, call, items, isFirst);
      const { idempotencyKey } = call;
      if (idempotencyKey === undefined) return inTransaction(runtime, call, commit, work);
      return batchOnce(runtime, resource, { call: { ...call, idempotencyKey }, fingerprint, commit, work });
    });
  };

  const alone = async (call: BatchCall, item: BatchItem, fingerprint: string): Promise<BatchResult> => {
    const { caller, params, idempotencyKey } = call;
    if (idempotencyKey === undefined) return write(item, { caller, params });
    const work = async (change: Change) => [await write(item, { caller, params, joins: change })];
    const kept = { call: { ...call, idempotencyKey }, fingerprint, at: item.at, commit, work } as const;
    const [result] = await batchOnce(runtime, resource, kept);
    return result!;
  };
  const each = async (
    call: BatchCall,
    items: readonly BatchItem[],
    sent: readonly unknown[],
  ): Promise<BatchResults> => {
    const fingerprints = sent.map((one) => batchFingerprint(call, one));
    const results: (BatchResult | Error)[] = [];
    for (const item of items) {
      const done = available(() => whileMoved(() => alone(call, item, fingerprints[item.at] ?? '')));
      results.push(await done.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))));
      if (!runtime.lockOrder) await turn();
    }
    return results;
  };

  return async (given) => {
    const { mode, items } = read(given.input);
    const { principal } = given.caller;
    const params = await withAncestorIds(currentReader(runtime, given), resource, given.params, principal);
    const call = { ...given, params };
    const { items: sent } = given.input as { readonly items: readonly unknown[] };
    return mode === 'ATOMIC' ? atomic(call, items, sent) : each(call, items, sent);
  };
}

async function whileMoved<T>(work: (isFirst: boolean) => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await work(looks === 1);
    } catch (error) {
      if (!(error instanceof RowsMoved || error instanceof OneRefused)) throw error;
      if (looks === MAX_LOOKS) throw error.cause;
    }
  }
}

type ItemCall = Pick<Call, 'caller' | 'params' | 'joins'>;

/** Writes one item. Throws `ApiError` with places in the body of the batch, and `RowsMoved`. */
function itemWriter(
  runtime: Runtime,
  resource: Resource,
  writes: Writes,
): (item: BatchItem, call: ItemCall) => Promise<BatchResult> {
  const naming = namingProperty(resource.descriptor);
  const { idParameter, key: name } = resource.descriptor;

  const idWith = async (item: BatchItem, { caller, params, joins }: ItemCall): Promise<Id | undefined> => {
    const { key = {} } = item;
    const { principal } = caller;
    const hidden = Object.keys(key).filter((property) => !mayFilterBy(resource, property, principal));
    if (hidden.length > 0) {
      const detail = `You may not name a row by ${hidden.join(' and ')}.`;
      throw new ApiError('FORBIDDEN', { detail, errors: [{ parameter: 'key', detail }] });
    }
    const row = await rowWith(currentReader(runtime, { caller, params, joins }), resource, key, params, principal);
    return row && (resource.valueIn(row, 'id') as Id);
  };
  const ofId = (params: PathParams, id: Id): PathParams => ({ ...params, [naming === 'id' ? idParameter : 'id']: id });
  /** A key that is that of the path may be one that no row has yet. */
  const paramsOf = async (item: BatchItem, call: ItemCall): Promise<PathParams> => {
    const { id, key = {} } = item;
    if (id !== undefined) return ofId(call.params, id);
    const isOfPath = naming !== 'id' && Object.keys(key).join() === naming;
    if (isOfPath) return { ...call.params, [idParameter]: key[naming] as Id };
    const found = await idWith(item, call);
    if (found === undefined) throw notFoundOf(resource.descriptor, Object.keys(key));
    return ofId(call.params, found);
  };

  const written = async (item: BatchItem, call: ItemCall): Promise<BatchResult> => {
    const { kind, input, ifVersion } = item;
    if (kind === 'create') {
      const entity = await writes.create({ ...call, input });
      return { status: 201, id: entity.id, entity };
    }
    const params = await paramsOf(item, call);
    const expect = ifVersion === undefined ? {} : { expect: { ifMatch: [ifVersion] } };
    const target: WriteCall = { ...call, params, input, ...expect };
    if (kind === 'delete') return { status: 204, id: await writes.delete({ ...call, params, ...expect }) };
    if (kind === 'update') {
      const entity = await writes.update(target);
      return { status: 200, id: entity.id, entity };
    }
    const { entity, isCreated } = await writes.replace(target);
    return { status: isCreated ? 201 : 200, id: entity.id, entity };
  };

  const upserted = async (item: BatchItem, call: ItemCall, found: Id | undefined): Promise<BatchResult> => {
    const { input, patch } = item;
    if (found === undefined) {
      authorizeAction(resource, 'create', call.caller);
      const entity = await writes.create({ ...call, input });
      return { status: 201, id: entity.id, entity };
    }
    authorizeAction(resource, 'update', call.caller);
    const entity = await writes.update({ ...call, params: ofId(call.params, found), input: patch });
    return { status: 200, id: entity.id, entity };
  };

  const isMoved = async (item: BatchItem, call: ItemCall, found: Id | undefined, error: ApiError): Promise<boolean> =>
    error.code === (found === undefined ? 'ALREADY_EXISTS' : 'NOT_FOUND') && (await idWith(item, call)) !== found;

  return async (item, call) => {
    const { kind } = item;
    let within = 'input';
    try {
      if (kind !== 'upsert') {
        authorizeAction(resource, kind, call.caller);
        return await written(item, call);
      }
      const found = await idWith(item, call);
      within = found === undefined ? 'create' : 'update';
      try {
        return await upserted(item, call, found);
      } catch (error) {
        if (!(error instanceof ApiError) || !(await isMoved(item, call, found, error))) throw error;
        throw new RowsMoved(`${name}: the row has come or gone.`, { cause: error });
      }
    } catch (error) {
      throw error instanceof ApiError ? inBatch(error, resource, item, within) : error;
    }
  };
}
