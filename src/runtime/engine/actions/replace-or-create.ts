import { namingProperty } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { shown } from '../access/fields.ts';
import { findVisible, withAncestorIds } from '../access/parents.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Entity, Replacement } from '../interface/engine.ts';
import { immutable } from '../resource/faults.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource, RowName } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { validated } from '../resource/validated.ts';
import { committing } from '../transaction/in-transaction.ts';
import { currentReader } from '../transaction/reading.ts';
import { authorizeAction, type Runtime } from '../transaction/runtime.ts';
import { creator } from './create.ts';

/**
 * Replaces the row that the path names, or creates it if it does not exist (RFC 9110, 9.3.4). To create takes the
 * access of the create action. Throws `ALREADY_EXISTS` for a row that the caller cannot see.
 */
export function replaceOrCreate(
  runtime: Runtime,
  resource: Resource,
  replace: (call: WriteCall) => Promise<Entity>,
): (call: WriteCall) => Promise<Replacement> {
  const createAt = createAtPath(runtime, resource);
  const isThere = async (call: WriteCall): Promise<boolean> =>
    (await findVisible(currentReader(runtime, call), resource, call.params, call.caller.principal)) !== undefined;
  return async (given) => {
    const input = validated<Values>(resource.validateInput, given.input);
    const { principal } = given.caller;
    const params = await withAncestorIds(currentReader(runtime, given), resource, given.params, principal);
    const call = { ...given, input, params };
    if (await isThere(call)) {
      try {
        return { entity: await replace(call), isCreated: false };
      } catch (error) {
        // Deleted in the meantime.
        if (!isError(error, 'NOT_FOUND') || (await isThere(call))) throw error;
      }
    }
    try {
      return { entity: await createAt(call), isCreated: true };
    } catch (error) {
      // Created in the meantime; after this error, nothing more is written in the same transaction.
      if (call.joins || !isNameTaken(resource, error) || !(await isThere(call))) throw error;
      return { entity: await replace(call), isCreated: false };
    }
  };
}

function createAtPath(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  const create = creator(runtime, resource);
  const { actions } = resource.descriptor;
  const commit = committing(runtime, resource, 'create', async (change, call: WriteCall) => {
    const { row } = await create(change, call);
    return shown(change.transaction.unlocked, resource, row, call.caller.principal);
  });
  return async (call) => {
    if (actions.create) authorizeAction(resource, 'create', call.caller);
    checkNewName(resource, resource.nameOf(call.params), call.input as Values);
    if (call.expect?.ifMatch !== undefined)
      throw new ApiError('PRECONDITION_FAILED', { detail: resource.notFound.detail! });
    return commit(call);
  };
}

/** A new row has the id or the key of its path, which its input may repeat. */
function checkNewName(resource: Resource, { property, value }: RowName, input: Values): void {
  const repeated = normalized(resource, input)[property];
  if (repeated !== undefined && repeated !== value) throw immutable([property]);
}

const isError = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

function isNameTaken({ descriptor }: Resource, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'ALREADY_EXISTS') return false;
  const pointer = `/${namingProperty(descriptor)}`;
  return error.errors?.some((one) => 'pointer' in one && one.pointer === pointer) ?? false;
}
