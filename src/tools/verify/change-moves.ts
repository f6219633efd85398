import type { PropertyDescriptor, ResourceDescriptor } from '../../descriptor/resource.ts';
import { type Input, Inputs } from '../harness/inputs.ts';
import { operationOf } from '../harness/step.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow, Values } from './known-rows.ts';
import { callerFor, type MoveContext, stepOf } from './move-context.ts';
import { anyOf, read } from './row-moves.ts';

/** A change increments the version by one at most; a refused change leaves the resource as it was. */
export async function change(
  context: MoveContext,
  resource: ResourceDescriptor,
  action: 'update' | 'replace',
): Promise<void> {
  const { client, random } = context;
  const row = await anyOf(context, resource);
  if (!row) return;
  const inputs = inputsOf(context);
  const input = action === 'update' ? inputs.patch(resource) : inputs.whole(resource);
  const current = await read(context, row);
  keep(resource, input, current);
  const before = Number(current['version']);
  const step = stepOf(resource, action, callerFor(context, resource, action, row.caller), {
    params: row.params,
    input,
    ifVersion: before,
  });
  const route = client.route(resource, action);
  const outcome = route && random.chance(0.4) ? await client.graphql(step, route) : (await client.rest(step)).outcome;
  const subject = operationOf(step);
  row.values = await read(context, row);
  const version = Number(row.values['version']);
  if (outcome.kind !== 'data') {
    if (version !== before) throw new Deviation('refused', subject, `${subject} was refused but changed the resource`);
    return;
  }
  const returned = Number((outcome.value as Values)['version']);
  if (returned !== version || version < before || version > before + 1)
    throw new Deviation(
      'version',
      subject,
      `${subject} changed the version from ${before} to ${version} and returned ${returned}`,
    );
}

const inputsOf = ({ client, knownRows, random }: MoveContext): Inputs =>
  new Inputs(client.protocols.contract.document, random, knownRows.referable(random));

/** A row that changes hands would be lost to its caller. */
function keep(resource: ResourceDescriptor, input: Input, current: Values): void {
  const isKept = ({ name, immutable }: PropertyDescriptor) => immutable || name === resource.owner?.property;
  for (const property of resource.properties)
    if (isKept(property) && property.name in input) input[property.name] = current[property.name];
}

/** A patch that the schema allows, empty if it may be. */
function allowedPatch(context: MoveContext, resource: ResourceDescriptor, current: Values): Input {
  const inputs = inputsOf(context);
  if (!inputs.schemaOf(resource.schemas.patch).minProperties) return {};
  const input = inputs.full(resource, 'patch');
  keep(resource, input, current);
  return input;
}

/** Both protocols refuse a change that expects another version. */
export async function changeOldVersion(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client } = context;
  const row = await anyOf(context, resource);
  if (!row) return;
  row.values = await read(context, row);
  const step = stepOf(resource, 'update', callerFor(context, resource, 'update', row.caller), {
    params: row.params,
    input: allowedPatch(context, resource, row.values),
    ifVersion: 1_000_000,
  });
  const subject = operationOf(step);
  const { reply } = await client.rest(step);
  const isRefused = reply.status === 412 || reply.status === 403;
  if (!isRefused)
    throw new Deviation(
      'conditional',
      subject,
      `${subject} answers ${reply.status} instead of 412 when a version is expected that the resource does not have`,
    );
  const route = client.route(resource, 'update');
  if (!route) return;
  const outcome = await client.graphql(step, route);
  const name = route.fields[0]!.name;
  if (outcome.kind !== 'error' || outcome.status !== reply.status)
    throw new Deviation(
      'parity',
      name,
      `${name} does not refuse, as ${subject} does, a version that the resource does not have`,
    );
}

/** A deleted row can no longer be read. */
export async function remove(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, knownRows } = context;
  const row = await anyOf(context, resource);
  if (!row || isSelf(row)) return;
  const step = stepOf(resource, 'delete', callerFor(context, resource, 'delete', row.caller), { params: row.params });
  const { outcome } = await client.rest(step);
  if (outcome.kind !== 'data') {
    await read(context, row);
    return;
  }
  knownRows.remove(row);
  const { reply } = await client.rest(stepOf(resource, 'get', row.caller, { params: row.params }));
  const subject = operationOf(step);
  if (reply.status !== 404)
    throw new Deviation(
      'missing',
      subject,
      `${operationOf({ resource, action: 'get' })} answers ${reply.status} instead of 404 for a resource that ${subject} has deleted`,
    );
}

/** Whether the row represents its caller; deleting it would affect the caller's other rows. */
const isSelf = ({ resource, id, caller }: KnownRow): boolean =>
  resource.owner?.property === 'id' && id === caller.subject;
