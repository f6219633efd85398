import { createHash } from 'node:crypto';
import { type Id, namingProperty } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { parentId } from '../access/find.ts';
import { checkReplayable } from '../access/replay.ts';
import type { BatchCall, WriteCall } from '../interface/call.ts';
import type { BatchResult, Created } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { type Change, inTransaction } from './in-transaction.ts';
import { hashOf } from './input-hash.ts';
import { commitOf } from './isolation.ts';
import { KeptEntity, type KeptResult, keptResult, readKept, resultOf, textOfKept } from './kept-answer.ts';
import type { Runtime } from './runtime.ts';

const KEPT_MS = 24 * 3_600_000;

/**
 * Runs a create once for each key of a caller: within 24 hours, a repeated call gets the first call's answer, byte for
 * byte (draft-ietf-httpapi-idempotency-key-header), also from an instance with another version of the contract. The
 * answer is kept in the transaction of the create; failures are not kept. Throws `IDEMPOTENCY_KEY_REUSED` for another
 * input, `CONFLICT` while the first call is in progress, and what `checkReplayable` throws.
 */
export async function createOnce(
  runtime: Runtime,
  resource: Resource,
  call: WriteCall,
  create: (change: Change, call: WriteCall) => Promise<Created>,
): Promise<Created> {
  // Before the input is validated, which fills in the defaults.
  const fingerprint = fingerprintOf(resource, call);
  const commit = commitOf(runtime, resource, 'create');
  return keptOnce(runtime, call, {
    key: keyOf(resource, call),
    commit: commit === 'serial' ? commit : 'locking',
    replay: (change, known) => replay(change, resource, call, { known, fingerprint }),
    work: (change) => create(change, call),
    textOf: (created) => textOfKept(fingerprint, created),
  });
}

/** Work whose answer is kept under a key, in its transaction. */
interface Kept<T> {
  readonly key: string;
  readonly commit: 'serial' | 'locking';
  readonly work: (change: Change) => Promise<T>;
  readonly textOf: (answer: T) => string;
  /** The answer that is known. */
  readonly replay: (change: Change, known: string) => Promise<T>;
}

async function keptOnce<T>(
  runtime: Runtime,
  call: Pick<WriteCall, 'caller' | 'joins'>,
  { key, commit, work, textOf, replay: replayed }: Kept<T>,
): Promise<T> {
  if (!runtime.keys.begin(key)) throw inProgress();
  try {
    const answer = await inTransaction(runtime, call, commit, async (change) => {
      const { transaction, now } = change;
      const isClaimed = await transaction.claim(key);
      const known = await transaction.recall(key, now);
      if (known !== undefined) return replayed(change, known);
      // The first is in progress elsewhere.
      if (!isClaimed) throw inProgress();
      const made = await work(change);
      await transaction.remember(key, textOf(made), new Date(now.getTime() + KEPT_MS));
      return made;
    });
    runtime.keys.answered(key);
    return answer;
  } finally {
    runtime.keys.end(key);
  }
}

/** A hash of items as they are sent, before anything fills in defaults; empty if the call has no key. */
export const batchFingerprint = ({ idempotencyKey }: Pick<BatchCall, 'idempotencyKey'>, sent: unknown): string =>
  idempotencyKey === undefined ? '' : hashOf(sent, () => false);

/** What a batch, or an item of one, does once for each key. */
export interface BatchOnce {
  readonly call: BatchCall & { readonly idempotencyKey: string };
  /** `batchFingerprint` of what is sent. */
  readonly fingerprint: string;
  /** The position of the item; undefined for the batch as a whole. */
  readonly at?: number;
  readonly commit: 'serial' | 'locking';
  readonly work: (change: Change) => Promise<readonly BatchResult[]>;
}

/** The same for the successes of a batch. Throws what `createOnce` throws. */
export function batchOnce(
  runtime: Runtime,
  resource: Resource,
  { call, fingerprint, at, commit, work }: BatchOnce,
): Promise<readonly BatchResult[]> {
  return keptOnce(runtime, call, {
    key: hash([keyOf(resource, { ...call, input: undefined }), 'batch', at ?? null]),
    commit,
    work,
    textOf: (results) => JSON.stringify({ fingerprint, results: results.map(keptResult) }),
    replay: async ({ transaction }, known) => {
      const kept = JSON.parse(known) as { readonly fingerprint: string; readonly results: readonly KeptResult[] };
      if (kept.fingerprint !== fingerprint) throw reused('This key was used with a different input.');
      const results = kept.results.map((one) => resultOf(resource, one));
      for (const { status, entity } of results)
        if (entity instanceof KeptEntity)
          await checkReplayable(transaction.unlocked, resource, call, entity, status === 201 ? 'create' : 'update');
      return results;
    },
  });
}

/** The kept answer, if the caller sent the same as then and may still have it. */
async function replay(
  { transaction }: Change,
  resource: Resource,
  call: WriteCall,
  { known, fingerprint }: { readonly known: string; readonly fingerprint: string },
): Promise<Created> {
  const kept = readKept(known);
  if (!kept) throw reused('This key was used before the server was upgraded, and its answer was not kept.');
  if (kept.fingerprint !== fingerprint) throw reused('This key was used with a different input.');
  const entity = new KeptEntity(resource, kept);
  const naming = namingProperty(resource.descriptor);
  const name = naming === 'id' ? kept.id : (entity.value[naming] as Id | undefined);
  if (name === undefined || !isSameCollection(kept.location, resource.locationOf(call.params, name)))
    throw reused('This key was used with another version of the API.');
  await checkReplayable(transaction.unlocked, resource, call, entity);
  return entity;
}

/** The paths may spell an id in another way. */
const isSameCollection = (kept: string, present: string): boolean => kept.toLowerCase() === present.toLowerCase();

/** A key belongs to a caller, in a tenant, and to what it creates where. */
function keyOf(resource: Resource, { caller, params, idempotencyKey }: WriteCall): string {
  const parents: [property: string, id: Id][] = [];
  for (const one of resource.levels) {
    const { parent } = one.descriptor;
    if (parent) parents.push([parent.property, parentId(one, params)]);
  }
  const tenant = resource.tenancy?.tenantOf(caller.principal);
  const names = [caller.principal?.subject ?? null, resource.descriptor.key, parents.sort(), idempotencyKey];
  return hash(tenant === undefined ? names : [...names, tenant]);
}

/**
 * A hash of what the caller sent, before defaults, so that versions of a contract whose defaults differ find the same.
 * Null stands for an absent property, unless that has a default.
 */
function fingerprintOf({ property }: Resource, { input, sent = input }: WriteCall): string {
  return hashOf(sent, (name, value) => value === null && property.get(name)?.initial == null);
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

function reused(detail: string): ApiError {
  return new ApiError('IDEMPOTENCY_KEY_REUSED', { detail, errors: [{ header: 'Idempotency-Key', detail }] });
}

function inProgress(): ApiError {
  return new ApiError('CONFLICT', {
    detail: 'A request with this Idempotency-Key is in progress.',
    headers: { 'retry-after': '1' },
  });
}
