import { withArticle } from '../../../descriptor/article.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Created } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { hiddenOf } from './fields.ts';
import { checkOwned, checkOwner } from './owner.ts';
import { checkParents } from './parents.ts';

/** What has made the row as it was answered. */
type Made = 'create' | 'update';

/**
 * Checks that the caller may still have an answer that it had before: by the owner that the answer names and by the
 * present one, by the rules of `x-access` for the row as it was answered and as it is, and by the parents. Scopes
 * have been checked at the door. Throws `FORBIDDEN` for the row of another owner, or one that the caller may no longer
 * create or read, and `NOT_FOUND` for a parent that is out of sight by now.
 */
export async function checkReplayable(
  reader: Reader,
  resource: Resource,
  { params, caller: { principal } }: Pick<WriteCall, 'params' | 'caller'>,
  entity: Created,
  action: Made = 'create',
): Promise<void> {
  await checkParents(reader, resource, params, principal, action);
  await checkAnswer(reader, resource, entity, principal, action);
  const { id, value } = entity;
  if (resource.fields) await checkShown(reader, resource, entity, principal);
  const { owner, key } = resource.descriptor;
  checkOwner(resource, value, principal);
  const row = owner?.reads === 'owner' && (await reader.get(key, resource.idOf(id)));
  if (row) checkOwned(resource, row, principal);
}

/** What the answer shows of the row, the caller must be able to read now: it is the same bytes, or refused. */
async function checkShown(
  reader: Reader,
  resource: Resource,
  { id, value }: Created,
  principal: Principal | undefined,
): Promise<void> {
  const row = (await reader.get(resource.descriptor.key, resource.idOf(id))) ?? resource.codec.toRow(value);
  const hidden = await hiddenOf(reader, resource, row, principal);
  if (hidden.every((name) => value[name] == null)) return;
  throw new ApiError('FORBIDDEN', {
    detail: `You may no longer read all that the first request with this key answered of ${withArticle(resource.descriptor.name)}.`,
  });
}

async function checkAnswer(
  reader: Reader,
  { access, codec, descriptor: { key, name }, fields, idOf }: Resource,
  { id, value }: Created,
  principal: Principal | undefined,
  action: Made,
): Promise<void> {
  if (!access) return;
  const meets = async (action: Made | 'read', row: Row): Promise<boolean> => {
    const conditions = access[action]?.conditionsFor(principal) ?? [];
    return conditions.length === 0 || (await reader.meetEach(key, [row], conditions))[0]!;
  };
  const present = await reader.get(key, idOf(id));
  // What was hidden in the answer cannot be judged.
  const made = fields && present ? present : codec.toRow(value);
  if ((await meets(action, made)) && (!present || (await meets('read', present)))) return;
  throw new ApiError('FORBIDDEN', {
    detail: `You may no longer read what the first request with this key answered: ${withArticle(name)}.`,
  });
}
