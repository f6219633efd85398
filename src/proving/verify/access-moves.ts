import { admitsAnonymous } from '../../descriptor/access.ts';
import { declaredAction, listOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { callerFor, hidesOthersRows, type MoveContext, mayDo, parentParams, stepOf } from './move-context.ts';
import { refuses, refusesAlike } from './refusal.ts';
import { anyOf } from './row-moves.ts';

/** Rows of others appear not to exist. */
export async function getAsOther(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers } = context;
  const row = await anyOf(context, resource);
  const { other } = callers;
  if (!row || !other || !hidesOthersRows(resource, client.protocols.contract.resources, other)) return;
  const step = stepOf(resource, 'get', other, { params: row.params });
  const when = 'to a caller who does not own the row';
  await refusesAlike(context, step, { rule: 'leak', statuses: [404, 403], when });
}

/** Without credentials, only public operations can be used. */
export async function getAnonymously(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { callers } = context;
  const row = await anyOf(context, resource);
  const isPublic = admitsAnonymous(declaredAction(resource, 'get').access);
  if (!row || isPublic || callers.owner.authorization === undefined) return;
  const step = stepOf(resource, 'get', callers.anonymous, { params: row.params });
  await refusesAlike(context, step, { rule: 'access', statuses: [401], when: 'to an anonymous caller' });
}

/** Unknown and invalid parameters are refused. */
export async function listInvalid(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const caller = callerFor(context, resource, 'list');
  const params = parentParams(resource, context, caller);
  if (!params || !mayDo(caller, resource, 'list')) return;
  const query = context.random.pick([
    { limit: 0 },
    { limit: listOf(resource).maximumLimit + 1 },
    { 'no-such-parameter': 'x' },
    { cursor: 'no-such-cursor' },
  ]);
  const step = stepOf(resource, 'list', caller, { params, query });
  await refuses(context, step, { rule: 'validation', statuses: [400], when: `to ${JSON.stringify(query)}` });
}
