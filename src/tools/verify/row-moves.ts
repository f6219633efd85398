import { isDeepStrictEqual } from 'node:util';
import { namingProperty, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { routeName } from '../harness/graphql-requests.ts';
import { Inputs } from '../harness/inputs.ts';
import type { Step } from '../harness/step.ts';
import { operationOf } from '../harness/step.ts';
import type { ContractClient } from './contract-client.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow, Values } from './known-rows.ts';
import { callerFor, isBound, type MoveContext, mayDo, parentParams, stepOf } from './move-context.ts';

/** How many ids are drawn to find one that no known row has. */
const MAX_DRAWS = 50;

/** Creates a row over either protocol, unless the server refuses it for a reason that the contract declares. */
export async function create(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, knownRows, random } = context;
  const caller = callerFor(context, resource, 'create');
  const params = parentParams(resource, context, caller);
  if (!params) return;
  const inputs = new Inputs(client.protocols.contract.document, random, knownRows.referable(random));
  const step = stepOf(resource, 'create', caller, { params, input: inputs.whole(resource) });
  const route = client.route(resource, 'create');
  const values = route && random.chance(0.4) ? await graphqlCreate(context, step) : await restCreate(context, step);
  if (!values || isBound(resource, client.protocols.contract.resources, caller)) return;
  const id = String(values['id']);
  const row: KnownRow = {
    resource,
    id,
    caller,
    params: { ...params, [resource.idParameter]: String(values[namingProperty(resource)]) },
    values,
  };
  knownRows.add(row);
  if (resource.actions.get && mayDo(caller, resource, 'get')) row.values = await read(context, row);
}

async function graphqlCreate({ client }: MoveContext, step: Step): Promise<Values | undefined> {
  const outcome = await client.graphql(step, client.route(step.resource, 'create')!);
  return outcome.kind === 'data' ? (outcome.value as Values) : undefined;
}

async function restCreate({ client }: MoveContext, step: Step): Promise<Values | undefined> {
  const { outcome, reply } = await client.rest(step);
  if (outcome.kind !== 'data') return undefined;
  const values = outcome.value as Values;
  const { etag, location } = reply.headers;
  const subject = operationOf(step);
  if (values['version'] !== 1)
    throw new Deviation('version', subject, `${subject} returns version ${String(values['version'])} instead of 1`);
  if (!isTagOf(1, step.resource, etag))
    throw new Deviation('etag', subject, `${subject} returns the ETag ${etag ?? '(none)'} instead of "1"`);
  const isThere = location !== undefined && lastSegment(location) === String(values[namingProperty(step.resource)]);
  if (!isThere)
    throw new Deviation(
      'location',
      subject,
      `${subject} returns the Location ${location ?? '(none)'}, which is not the URL of the resource`,
    );
  return values;
}

/** Where properties have rules, the tag names the view as well. */
function isTagOf(version: unknown, { properties }: ResourceDescriptor, etag: string | undefined): boolean {
  const hasViews = properties.some(({ access }) => access?.read);
  return (hasViews ? etag?.replace(/-[\w-]+"$/, '"') : etag) === `"${String(version)}"`;
}

const lastSegment = (url: string): string =>
  decodeURIComponent(new URL(url, 'http://host').pathname.split('/').at(-1)!);

/** Reads a row over both protocols, which must agree. Throws when the row is missing. */
export async function read({ client }: MoveContext, row: KnownRow): Promise<Values> {
  const { resource, caller, params } = row;
  const step = stepOf(resource, 'get', caller, { params });
  const subject = operationOf(step);
  const { outcome, reply } = await client.rest(step);
  if (outcome.kind !== 'data')
    throw new Deviation(
      'lost',
      subject,
      `${subject} answers ${reply.status} for a resource that was created and not deleted`,
    );
  const values = outcome.value as Values;
  const { etag } = reply.headers;
  if (etag === undefined || !isTagOf(values['version'], resource, etag))
    throw new Deviation(
      'etag',
      subject,
      `${subject} returns the ETag ${etag ?? '(none)'} for version ${String(values['version'])}`,
    );
  if (String(values['id']) !== row.id)
    throw new Deviation(
      'identity',
      subject,
      `${subject} returns the resource with the id ${String(values['id'])} instead of ${row.id}`,
    );
  const { reply: again } = await client.rest(step, { 'if-none-match': etag });
  if (again.status !== 304)
    throw new Deviation(
      'conditional',
      subject,
      `${subject} answers ${again.status} instead of 304 to If-None-Match with the ETag that it has just sent`,
    );
  await compareGet(client, step, values);
  await compareLookups(client, step, values);
  return values;
}

/** By each of its other keys, the same is read. */
async function compareLookups(client: ContractClient, step: Step, values: Values): Promise<void> {
  const { resource, params } = step;
  const { [resource.idParameter]: _, ...place } = params;
  for (const { property, operationId } of resource.lookups ?? []) {
    const lookup = { ...step, params: { ...place, [property]: String(values[property]) } };
    const { outcome, reply } = await client.rest(lookup);
    if (outcome.kind !== 'data' || !isDeepStrictEqual(outcome.value, values))
      throw new Deviation(
        'identity',
        operationId,
        `${operationId} answers ${reply.status} ${reply.text.slice(0, 400)} where ${operationOf(step)} returns ${JSON.stringify(values)}`,
      );
    await compareGet(client, lookup, values);
  }
}

async function compareGet(client: ContractClient, step: Step, values: Values): Promise<void> {
  const route = client.route(step.resource, 'get');
  if (!route) return;
  const name = routeName(route);
  const outcome = await client.graphql(step, route);
  const actual = outcome.kind === 'data' ? outcome.value : outcome;
  const expected = client.protocols.graphql!.expected(route, 'get', values);
  if (!isDeepStrictEqual(actual, expected))
    throw new Deviation(
      'parity',
      name,
      `${name} returns ${JSON.stringify(actual)} where ${operationOf(step)} returns ${JSON.stringify(expected)}`,
    );
}

/** A known row with the same version must be unchanged. */
export async function get(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const row = await anyOf(context, resource);
  if (!row) return;
  const before = row.values;
  row.values = await read(context, row);
  const subject = operationOf({ resource, action: 'get' });
  const isSame = row.values['version'] !== before?.['version'] || isDeepStrictEqual(row.values, before);
  if (!isSame)
    throw new Deviation('drift', subject, `${subject} returns a resource that has changed without a new version`);
}

/** A random known row; one is created when there is none. */
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
    const above = client.protocols.contract.resources.find((one) => one.key === key)!;
    if (knownRows.of(above).length === 0) await make(context, above, [...path, resource.key]);
  }
  await create(context, resource);
}

/** What no known row is named by: an id, or another key. */
function unlikelyName({ client, knownRows, random }: MoveContext, resource: ResourceDescriptor): string {
  const naming = namingProperty(resource);
  const { type } = resource.properties.find(({ name }) => name === naming)!;
  if (type === 'int64') return String(2n ** 62n + BigInt(random.below(2 ** 31)));
  if (type === 'uuid') return `01900000-0000-7000-8000-${String(random.below(2 ** 31)).padStart(12, '0')}`;
  const inputs = new Inputs(client.protocols.contract.document, random, knownRows.referable(random));
  const schema = inputs.schemaOf(resource.schemas.resource).properties?.[naming];
  const taken = new Set(knownRows.of(resource).map(({ params }) => params[resource.idParameter]));
  for (let tries = 0; ; tries += 1) {
    const id = String(inputs.valueOf(schema && { ...schema, examples: [] }));
    if (tries > MAX_DRAWS || !taken.has(id)) return id;
  }
}

/** An id that no row has is answered by 404. */
export async function getMissing(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client } = context;
  const caller = callerFor(context, resource, 'get');
  const place = parentParams(resource, context, caller);
  if (!place || !mayDo(caller, resource, 'get')) return;
  const id = unlikelyName(context, resource);
  const step = stepOf(resource, 'get', caller, { params: { ...place, [resource.idParameter]: id } });
  const subject = operationOf(step);
  const { reply, outcome: found } = await client.rest(step);
  // Some rows are not the run's, and texts are short: one of them may have it.
  const naming = namingProperty(resource);
  if (found.kind === 'data' && resource.properties.find(({ name }) => name === naming)?.type !== 'uuid') return;
  if (reply.status !== 404)
    throw new Deviation(
      'missing',
      subject,
      `${subject} answers ${reply.status} instead of 404 for an id that no row has`,
    );
  const route = client.route(resource, 'get');
  if (!route) return;
  const outcome = await client.graphql(step, route);
  const name = routeName(route);
  if (outcome.kind !== 'error' || outcome.status !== 404)
    throw new Deviation('parity', name, `${name} does not answer 404, as ${subject} does, for an id that no row has`);
}
