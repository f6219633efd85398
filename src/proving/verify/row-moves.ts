import { isDeepStrictEqual } from 'node:util';
import {
  furtherPaths,
  namingProperty,
  propertyNamed,
  type ResourceDescriptor,
  resourceWithKey,
} from '../../descriptor/resource.ts';
import { missingId } from '../harness/ids.ts';
import { operationOf, type Step } from '../harness/step.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow, Values } from './known-rows.ts';
import { callerFor, isBound, type MoveContext, mayDo, parentParams, stepOf } from './move-context.ts';
import { compareValues } from './read-list.ts';
import { refusesAlike } from './refusal.ts';

/** Creates a row over any protocol, unless the server refuses it for a reason that the contract declares. */
export async function create(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, knownRows, inputs } = context;
  const caller = callerFor(context, resource, 'create');
  const params = parentParams(resource, context, caller);
  if (!params) return;
  const step = stepOf(resource, 'create', caller, { params, input: inputs.whole(resource) });
  const { outcome, reply } = await client.overAny(step, context.random);
  if (outcome.kind !== 'data') return;
  const values = outcome.value as Values;
  if (reply) checkCreated(step, values, reply.headers);
  if (isBound(resource, client.protocols.contract.resources, caller)) return;
  const row: KnownRow = {
    resource,
    id: String(values['id']),
    caller,
    params: { ...params, [resource.idParameter]: String(values[namingProperty(resource)]) },
    values,
  };
  knownRows.add(row);
  if (resource.actions.get && mayDo(caller, resource, 'get')) row.values = await read(context, row);
}

/** What a creation over REST answers beside the row. */
function checkCreated(step: Step, values: Values, { etag, location }: Readonly<Record<string, string>>): void {
  const subject = operationOf(step);
  if (values['version'] !== 1)
    throw new Deviation('version', subject, `returns version ${String(values['version'])} instead of 1`);
  if (!isTagOf(1, step.resource, etag))
    throw new Deviation('etag', subject, `returns the ETag ${etag ?? '(none)'} instead of "1"`);
  if (location === undefined || lastSegment(location) !== String(values[namingProperty(step.resource)])) {
    const what = `returns the Location ${location ?? '(none)'}, which is not the URL of the resource`;
    throw new Deviation('location', subject, what);
  }
}

/** The tag names the form of the representation, too, and where properties have rules, the view. */
function isTagOf(version: unknown, { properties }: ResourceDescriptor, etag: string | undefined): boolean {
  const hasViews = properties.some(({ access }) => access?.read);
  const seen = etag?.replace(/\.[\w-]+"$/, '"');
  return (hasViews ? seen?.replace(/-[\w-]+"$/, '"') : seen) === `"${String(version)}"`;
}

const lastSegment = (url: string): string =>
  decodeURIComponent(new URL(url, 'http://host').pathname.split('/').at(-1)!);

/** Reads a row over every protocol, which must agree. Throws when the row is missing. */
export async function read(context: MoveContext, row: KnownRow): Promise<Values> {
  const { client } = context;
  const { resource, caller, params } = row;
  const step = stepOf(resource, 'get', caller, { params });
  const subject = operationOf(step);
  const { outcome, reply } = await client.rest(step);
  if (outcome.kind !== 'data')
    throw new Deviation('lost', subject, `answers ${reply.status} for a resource that was created and not deleted`);
  const values = outcome.value as Values;
  const { etag } = reply.headers;
  const [version, id] = [String(values['version']), String(values['id'])];
  if (etag === undefined || !isTagOf(version, resource, etag))
    throw new Deviation('etag', subject, `returns the ETag ${etag ?? '(none)'} for version ${version}`);
  if (id !== row.id)
    throw new Deviation('identity', subject, `returns the resource with the id ${id} instead of ${row.id}`);
  const { status } = (await client.rest(step, { 'if-none-match': etag })).reply;
  if (status !== 304) {
    const what = `answers ${status} instead of 304 to If-None-Match with the ETag that it has just sent`;
    throw new Deviation('conditional', subject, what);
  }
  await compareValues(context, step, values);
  await compareLookups(context, step, values);
  return values;
}

/** By each of its other keys, the same is read. */
async function compareLookups(context: MoveContext, step: Step, values: Values): Promise<void> {
  const { resource, params } = step;
  const { [resource.idParameter]: _, ...place } = params;
  for (const { property, operationId } of furtherPaths(resource)) {
    const lookup = { ...step, params: { ...place, [property]: String(values[property]) } };
    const { outcome, reply } = await context.client.rest(lookup);
    if (outcome.kind !== 'data' || !isDeepStrictEqual(outcome.value, values)) {
      const what = `answers ${reply.status} ${reply.text.slice(0, 400)} where ${operationOf(step)} returns ${JSON.stringify(values)}`;
      throw new Deviation('identity', operationId, what);
    }
    await compareValues(context, lookup, values);
  }
}

/** A known row with the same version must be unchanged. */
export async function get(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const row = await anyOf(context, resource);
  if (!row) return;
  const before = row.values;
  row.values = await read(context, row);
  if (row.values['version'] === before?.['version'] && !isDeepStrictEqual(row.values, before)) {
    const what = 'returns a resource that has changed without a new version';
    throw new Deviation('drift', operationOf({ resource, action: 'get' }), what);
  }
}

/** A random known row; one is created if none is known. */
export async function anyOf(context: MoveContext, resource: ResourceDescriptor): Promise<KnownRow | undefined> {
  const { knownRows, random } = context;
  if (knownRows.of(resource).length === 0) await make(context, resource);
  // What a caller may make, it need not be allowed to read.
  const rows = knownRows.of(resource).filter(({ caller }) => mayDo(caller, resource, 'get'));
  return rows.length === 0 ? undefined : random.pick(rows);
}

/** Creates a row, after its parent and the rows that it must refer to. */
export async function make(
  context: MoveContext,
  resource: ResourceDescriptor,
  path: readonly string[] = [],
): Promise<void> {
  const { client, knownRows } = context;
  if (!resource.actions.create || path.includes(resource.key)) return;
  const needed = resource.properties.flatMap(({ references, required, nullable }) =>
    references && required && !nullable ? [references.resource] : [],
  );
  for (const key of new Set([...(resource.parent ? [resource.parent.resource] : []), ...needed])) {
    const above = resourceWithKey(client.protocols.contract.resources, key);
    if (knownRows.of(above).length === 0) await make(context, above, [...path, resource.key]);
  }
  await create(context, resource);
}

/** An id that no row has is answered by 404. */
export async function getMissing(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, inputs, knownRows: rows } = context;
  const caller = callerFor(context, resource, 'get');
  const place = parentParams(resource, context, caller);
  if (!place || !mayDo(caller, resource, 'get')) return;
  const naming = namingProperty(resource);
  const id = String(missingId({ inputs, rows }, resource, naming));
  const step = stepOf(resource, 'get', caller, { params: { ...place, [resource.idParameter]: id } });
  // Some rows are not the run's, and texts are short: one of them may have it.
  const isUuid = propertyNamed(resource.properties, naming).type === 'uuid';
  if (!isUuid && (await client.rest(step)).outcome.kind === 'data') return;
  await refusesAlike(context, step, { rule: 'missing', statuses: [404], when: 'for an id that no row has' });
}
