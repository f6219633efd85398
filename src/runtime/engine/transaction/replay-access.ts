import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Created } from '../interface/engine.ts';
import { checkOwner } from '../resource/ownership.ts';
import type { Resource } from '../resource/resource.ts';
import { checkOwned, checkParents } from '../resource/visibility.ts';

/**
 * Checks that the caller may still have an answer that it had before: by the owner that the answer names and by the
 * present one, by the rules of `x-access` for the row as it was answered and as it is, and by the parents. Scopes
 * have been checked at the door. Throws `FORBIDDEN` for the row of another owner, or one that the caller may no longer create
 * or read, and `NOT_FOUND` for a parent that is out of sight by now.
 */
export async function checkReplayable(
  reader: Reader,
  resource: Resource,
  { params, caller: { principal } }: WriteCall,
  entity: Created,
): Promise<void> {
  await checkParents(reader, resource, params, principal, 'create');
  await checkAnswer(reader, resource, entity, principal);
  const { id, value } = entity;
  if (!resource.descriptor.owner) return;
  checkOwner(resource, value, principal);
  const row = await reader.get(resource.descriptor.key, resource.idOf(id));
  if (row) checkOwned(resource, row, principal, 'read');
}

async function checkAnswer(
  reader: Reader,
  { access, codec, descriptor: { key, name }, idOf }: Resource,
  { id, value }: Created,
  principal: Principal | undefined,
): Promise<void> {
  if (!access) return;
  const meets = async (action: 'create' | 'read', row: Row): Promise<boolean> => {
    const conditions = access[action]?.conditionsFor(principal) ?? [];
    return conditions.length === 0 || (await reader.meetEach(key, [row], conditions))[0]!;
  };
  const present = await reader.get(key, idOf(id));
  if ((await meets('create', codec.toRow(value))) && (!present || (await meets('read', present)))) return;
  throw new ApiError('FORBIDDEN', {
    detail: `You may no longer read what the first request with this key answered: a ${name}.`,
  });
}
