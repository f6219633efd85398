import { createHash } from 'node:crypto';
import type { Id } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../storage/store.ts';
import type { WriteCall } from '../interface/call.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfRow, type RowEntity } from '../resource/row-entity.ts';
import { type Change, inTransaction, isolationOf, type Runtime } from './runtime.ts';

const REMEMBERED_MS = 24 * 3_600_000;

interface Remembered {
  /** Hash of the input. */
  readonly fingerprint: string;
  /** The row that was answered. */
  readonly row: Row;
}

/**
 * Runs a create once for each key of a caller: within 24 hours, a repeated call gets the first call's answer, byte for
 * byte (draft-ietf-httpapi-idempotency-key-header). The answer is stored in the transaction of the create; failures
 * are not stored. Throws `IDEMPOTENCY_KEY_REUSED` for another input, `CONFLICT` while the first call is in progress.
 */
export async function createOnce(
  runtime: Runtime,
  resource: Resource,
  call: WriteCall,
  create: (change: Change) => Promise<RowEntity>,
): Promise<RowEntity> {
  const key = keyOf(resource, call);
  if (runtime.inFlight.has(key)) throw inProgress();
  runtime.inFlight.add(key);
  try {
    return await inTransaction(runtime, isolationOf(runtime, resource, 'create'), async (change) => {
      if (!(await change.transaction.claim(key))) throw inProgress();
      const known = await change.transaction.recall(key, change.now);
      if (known !== undefined) return replayed(resource, call, JSON.parse(known));
      const entity = await create(change);
      const expires = new Date(change.now.getTime() + REMEMBERED_MS);
      const remembered: Remembered = { fingerprint: fingerprintOf(resource, call), row: entity.row };
      await change.transaction.remember(key, JSON.stringify(remembered), { now: change.now, expires });
      return entity;
    });
  } finally {
    runtime.inFlight.delete(key);
  }
}

function replayed(resource: Resource, call: WriteCall, { fingerprint, row }: Remembered): RowEntity {
  if (fingerprint === fingerprintOf(resource, call)) return entityOfRow(resource, row);
  const detail = 'This key was used with a different input.';
  throw new ApiError('IDEMPOTENCY_KEY_REUSED', { detail, errors: [{ header: 'Idempotency-Key', detail }] });
}

/** A key belongs to a caller and to what it creates where. */
function keyOf(resource: Resource, { caller, params, idempotencyKey }: WriteCall): string {
  const parents: [parameter: string, id: Id][] = [];
  for (let one = resource; one.parent; one = one.parent) {
    const { parameter } = one.descriptor.parent!;
    parents.push([parameter, one.parent.idOf(params[parameter]!)]);
  }
  return hash([caller.principal?.subject ?? null, resource.descriptor.key, parents.sort(), idempotencyKey]);
}

/** Leaving a property out and sending its default value are the same input. */
function fingerprintOf({ inputs }: Resource, { input }: WriteCall): string {
  const given = input as Readonly<Record<string, unknown>>;
  return hash(
    inputs.map((property) => canonical(normalize(property, given[property.name] ?? property.initial ?? null))),
  );
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** Makes equal values have equal text, whatever the order of their members. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]);
}

function inProgress(): ApiError {
  return new ApiError('CONFLICT', {
    detail: 'A request with this Idempotency-Key is in progress.',
    headers: { 'retry-after': '1' },
  });
}
