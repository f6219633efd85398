import type { Reader } from '../../storage/store.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Created } from '../interface/engine.ts';
import { checkOwner } from '../resource/ownership.ts';
import type { Resource } from '../resource/resource.ts';
import { checkOwned, checkParents } from '../resource/visibility.ts';

/**
 * Checks that the caller may still have an answer that it had before: by the owner that the answer names and by the
 * present one, and by the parents. Scopes have been checked at the door. Throws `FORBIDDEN` for the row of another owner,
 * and `NOT_FOUND` for a parent that is out of sight by now.
 */
export async function checkReplayable(
  reader: Reader,
  resource: Resource,
  { params, caller: { principal } }: WriteCall,
  { id, value }: Created,
): Promise<void> {
  await checkParents(reader, resource, params, principal, 'change');
  if (!resource.descriptor.owner) return;
  checkOwner(resource, value, principal);
  const row = await reader.get(resource.descriptor.key, resource.idOf(id));
  if (row) checkOwned(resource, row, principal, 'read');
}
