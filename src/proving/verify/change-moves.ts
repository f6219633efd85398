import type { PropertyDescriptor, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Input } from '../harness/inputs.ts';
import { operationOf } from '../harness/step.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow, Values } from './known-rows.ts';
import { callerFor, type MoveContext, stepOf } from './move-context.ts';
import { refuses, refusesAlike } from './refusal.ts';
import { anyOf, read } from './row-moves.ts';

/** A change increments the version by one at most; a refused change leaves the resource as it was. */
export async function change(
  context: MoveContext,
  resource: ResourceDescriptor,
  action: 'update' | 'replace',
): Promise<void> {
  const { client, inputs } = context;
  const row = await anyOf(context, resource);
  if (!row) return;
  const input = action === 'update' ? inputs.patch(resource) : inputs.whole(resource);
  const current = await read(context, row);
  keep(resource, input, current);
  const before = Number(current['version']);
  const step = stepOf(resource, action, callerFor(context, resource, action, row.caller), {
    params: row.params,
    input,
    ifVersion: before,
  });
  const { outcome } = await client.overAny(step, context.random);
  const subject = operationOf(step);
  row.values = await read(context, row);
  const version = Number(row.values['version']);
  if (outcome.kind !== 'data') {
    if (version !== before) throw new Deviation('refused', subject, 'was refused but changed the resource');
    return;
  }
  const returned = Number((outcome.value as Values)['version']);
  if (returned !== version || version < before || version > before + 1)
    throw new Deviation(
      'version',
      subject,
      `changed the version from ${before} to ${version} and returned ${returned}`,
    );
}

/** A row that changes hands would be lost to its caller. */
function keep(resource: ResourceDescriptor, input: Input, current: Values): void {
  const isKept = ({ name, immutable }: PropertyDescriptor) => immutable || name === resource.owner?.property;
  for (const property of resource.properties)
    if (isKept(property) && property.name in input) input[property.name] = current[property.name];
}

/** A patch that the schema allows, empty if it may be. */
function allowedPatch({ inputs }: MoveContext, resource: ResourceDescriptor, current: Values): Input {
  if (!inputs.schemaOf(resource.schemas.patch).minProperties) return {};
  const input = inputs.full(resource, 'patch');
  keep(resource, input, current);
  return input;
}

/** Every protocol refuses a change that expects another version. */
export async function changeOldVersion(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const row = await anyOf(context, resource);
  if (!row) return;
  row.values = await read(context, row);
  const step = stepOf(resource, 'update', callerFor(context, resource, 'update', row.caller), {
    params: row.params,
    input: allowedPatch(context, resource, row.values),
    ifVersion: 1_000_000,
  });
  const when = 'when a version is expected that the resource does not have';
  await refusesAlike(context, step, { rule: 'conditional', statuses: [412, 403], when });
}

/** A deleted row can no longer be read. */
export async function remove(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, knownRows } = context;
  const row = await anyOf(context, resource);
  if (!row || isSelf(row)) return;
  const { params } = row;
  const step = stepOf(resource, 'delete', callerFor(context, resource, 'delete', row.caller), { params });
  const { outcome } = await client.rest(step);
  if (outcome.kind !== 'data') {
    await read(context, row);
    return;
  }
  knownRows.remove(row);
  const when = `for a resource that ${operationOf(step)} has deleted`;
  await refuses(context, stepOf(resource, 'get', row.caller, { params }), { rule: 'missing', statuses: [404], when });
}

/** Whether the row represents its caller; deleting it would affect the caller's other rows. */
const isSelf = ({ resource, id, caller }: KnownRow): boolean =>
  resource.owner?.property === 'id' && id === caller.subject;
