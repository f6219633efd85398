import { admitsAnonymous } from '../../descriptor/access.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { operationOf } from '../harness/step.ts';
import { Deviation } from './deviation.ts';
import { callerFor, hidesOthersRows, type MoveContext, mayDo, parentParams, stepOf } from './move-context.ts';
import { anyOf } from './row-moves.ts';

/** Rows of others appear not to exist. */
export async function getAsOther(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers } = context;
  const row = await anyOf(context, resource);
  const { other } = callers;
  if (!row || !other || !hidesOthersRows(resource, client.protocols.contract.resources, other)) return;
  const step = stepOf(resource, 'get', other, { params: row.params });
  const subject = operationOf(step);
  const { reply } = await client.rest(step);
  if (reply.status !== 404 && reply.status !== 403)
    throw new Deviation('leak', subject, `${subject} answers ${reply.status} to a caller who does not own the row`);
  const route = client.route(resource, 'get');
  const outcome = route && (await client.graphql(step, route));
  if (outcome?.kind === 'data')
    throw new Deviation(
      'leak',
      route!.fields[0]!.name,
      `${route!.fields[0]!.name} returns a row to a caller who does not own it`,
    );
}

/** Without credentials, only public operations can be used. */
export async function getAnonymously(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers } = context;
  const row = await anyOf(context, resource);
  const operation = client.protocols.rest.operation(resource.actions.get!.operationId);
  const isPublic = admitsAnonymous(operation.access);
  if (!row || isPublic || callers.owner.authorization === undefined) return;
  const step = stepOf(resource, 'get', callers.anonymous, { params: row.params });
  const subject = operationOf(step);
  const { reply } = await client.rest(step);
  if (reply.status !== 401)
    throw new Deviation('access', subject, `${subject} answers ${reply.status} instead of 401 to an anonymous caller`);
  const route = client.route(resource, 'get');
  const outcome = route && (await client.graphql(step, route));
  if (outcome && (outcome.kind !== 'error' || outcome.status !== 401))
    throw new Deviation(
      'access',
      route!.fields[0]!.name,
      `${route!.fields[0]!.name} does not answer 401 to an anonymous caller`,
    );
}

/** Unknown and invalid parameters are refused. */
export async function listInvalid(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, random } = context;
  const caller = callerFor(context, resource, 'list');
  const params = parentParams(resource, context, caller);
  if (!params || !mayDo(caller, resource, 'list')) return;
  const query = random.pick([
    { limit: 0 },
    { limit: resource.list!.maximumLimit + 1 },
    { 'no-such-parameter': 'x' },
    { cursor: 'no-such-cursor' },
  ]);
  const step = stepOf(resource, 'list', caller, { params, query });
  const subject = operationOf(step);
  const { reply } = await client.rest(step);
  if (reply.status !== 400)
    throw new Deviation(
      'validation',
      subject,
      `${subject} answers ${reply.status} instead of 400 to ${JSON.stringify(query)}`,
    );
}
