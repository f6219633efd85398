import { isDeepStrictEqual } from 'node:util';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import { Inputs } from '../proof/inputs.ts';
import type { Step } from '../proof/step.ts';
import { checkLists } from './check-lists.ts';
import { type ContractClient, operationOf } from './contract-client.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow, Values } from './known-rows.ts';
import { hasOwnerRule, type MoveContext, parentParams, stepOf } from './move-context.ts';

/**
 * Something that a client may do, with checks of everything that must hold. Does nothing where it is not applicable.
 */
export interface Move {
  readonly name: string;
  run(context: MoveContext): Promise<void>;
}

/** All moves that the contract's actions allow. */
export function movesOf(resources: readonly ResourceDescriptor[]): readonly Move[] {
  return resources.flatMap((resource) => {
    const { actions } = resource;
    const move = (
      name: string,
      needed: readonly Action[],
      run: (context: MoveContext, resource: ResourceDescriptor) => Promise<void>,
    ): Move[] =>
      needed.every((action) => actions[action])
        ? [{ name: `${resource.key}: ${name}`, run: (context) => run(context, resource) }]
        : [];
    return [
      ...move('create', ['create'], create),
      ...move('get', ['get'], get),
      ...move('get a missing row', ['get'], getMissing),
      ...move('update', ['update', 'get'], (context, one) => change(context, one, 'update')),
      ...move('replace', ['replace', 'get'], (context, one) => change(context, one, 'replace')),
      ...move('change an old version', ['update', 'get'], changeOldVersion),
      ...move('delete', ['delete', 'get'], remove),
      ...move('get as another caller', ['get'], getAsOther),
      ...move('get anonymously', ['get'], getAnonymously),
      ...move('list', ['list'], checkLists),
      ...move('list with invalid parameters', ['list'], listInvalid),
    ];
  });
}

/** Creates a row over either protocol, unless the server refuses it for a reason that the contract declares. */
export async function create(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, knownRows, callers, random } = context;
  const params = parentParams(resource, context);
  if (!params) return;
  const inputs = new Inputs(client.protocols.contract.document, random, knownRows.referable(random));
  const step = stepOf(resource, 'create', callers.owner, { params, input: inputs.whole(resource) });
  const route = client.route(resource, 'create');
  const values = route && random.chance(0.4) ? await graphqlCreate(context, step) : await restCreate(context, step);
  if (!values) return;
  const id = String(values['id']);
  const row: KnownRow = {
    resource,
    id,
    caller: callers.owner,
    params: { ...params, [resource.idParameter]: id },
    values,
  };
  knownRows.add(row);
  if (resource.actions.get) row.values = await read(context, row);
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
  if (etag !== '"1"')
    throw new Deviation('etag', subject, `${subject} returns the ETag ${etag ?? '(none)'} instead of "1"`);
  const isThere =
    location !== undefined && new URL(location, 'http://host').pathname.endsWith(`/${String(values['id'])}`);
  if (!isThere)
    throw new Deviation(
      'location',
      subject,
      `${subject} returns the Location ${location ?? '(none)'}, which is not the URL of the resource`,
    );
  return values;
}

/** Reads a row over both protocols, which must agree. Throws when the row is missing. */
async function read({ client }: MoveContext, row: KnownRow): Promise<Values> {
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
  if (reply.headers['etag'] !== `"${String(values['version'])}"`)
    throw new Deviation(
      'etag',
      subject,
      `${subject} returns the ETag ${reply.headers['etag'] ?? '(none)'} for version ${String(values['version'])}`,
    );
  if (values['id'] !== row.id)
    throw new Deviation(
      'identity',
      subject,
      `${subject} returns the resource with the id ${String(values['id'])} instead of ${row.id}`,
    );
  const { reply: again } = await client.rest(step, { 'if-none-match': reply.headers['etag'] });
  if (again.status !== 304)
    throw new Deviation(
      'conditional',
      subject,
      `${subject} answers ${again.status} instead of 304 to If-None-Match with the ETag that it has just sent`,
    );
  await compareGet(client, step, values);
  return values;
}

async function compareGet(client: ContractClient, step: Step, values: Values): Promise<void> {
  const route = client.route(step.resource, 'get');
  if (!route) return;
  const name = route.fields.map((field) => field.name).join('.');
  const outcome = await client.graphql(step, route);
  const actual = outcome.kind === 'data' ? outcome.value : outcome;
  const expected = client.projected(route, 'get', values);
  if (!isDeepStrictEqual(actual, expected))
    throw new Deviation(
      'parity',
      name,
      `${name} returns ${JSON.stringify(actual)} where ${operationOf(step)} returns ${JSON.stringify(expected)}`,
    );
}

/** A known row with the same version must be unchanged. */
async function get(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const row = await anyOf(context, resource);
  if (!row) return;
  const before = row.values;
  row.values = await read(context, row);
  const subject = operationOf({ resource, action: 'get' });
  const isSame = row.values['version'] !== before['version'] || isDeepStrictEqual(row.values, before);
  if (!isSame)
    throw new Deviation('drift', subject, `${subject} returns a resource that has changed without a new version`);
}

/** A random known row; one is created when there is none. */
async function anyOf(context: MoveContext, resource: ResourceDescriptor): Promise<KnownRow | undefined> {
  const { knownRows, random } = context;
  if (knownRows.of(resource).length === 0) await make(context, resource);
  const rows = knownRows.of(resource);
  return rows.length === 0 ? undefined : random.pick(rows);
}

/** Creates a row, after its parent and the rows that it must refer to. */
async function make(context: MoveContext, resource: ResourceDescriptor, path: readonly string[] = []): Promise<void> {
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

async function getMissing(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers, random } = context;
  const place = parentParams(resource, context);
  if (!place) return;
  const id = `01900000-0000-7000-8000-${String(random.below(2 ** 31)).padStart(12, '0')}`;
  const step = stepOf(resource, 'get', callers.owner, { params: { ...place, [resource.idParameter]: id } });
  const subject = operationOf(step);
  const { reply } = await client.rest(step);
  if (reply.status !== 404)
    throw new Deviation(
      'missing',
      subject,
      `${subject} answers ${reply.status} instead of 404 for an id that no row has`,
    );
  const route = client.route(resource, 'get');
  if (!route) return;
  const outcome = await client.graphql(step, route);
  const name = route.fields.map((field) => field.name).join('.');
  if (outcome.kind !== 'error' || outcome.status !== 404)
    throw new Deviation('parity', name, `${name} does not answer 404, as ${subject} does, for an id that no row has`);
}

/** A change increments the version by one at most; a refused change leaves the resource as it was. */
async function change(context: MoveContext, resource: ResourceDescriptor, action: 'update' | 'replace'): Promise<void> {
  const { client, knownRows, random } = context;
  const row = await anyOf(context, resource);
  if (!row) return;
  const inputs = new Inputs(client.protocols.contract.document, random, knownRows.referable(random));
  const input = action === 'update' ? inputs.patch(resource) : inputs.whole(resource);
  for (const { name, immutable } of resource.properties) if (immutable && name in input) input[name] = row.values[name];
  const before = Number((await read(context, row))['version']);
  const step = stepOf(resource, action, row.caller, { params: row.params, input, ifVersion: before });
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

/** Both protocols refuse a change that expects another version. */
async function changeOldVersion(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client } = context;
  const row = await anyOf(context, resource);
  if (!row) return;
  row.values = await read(context, row);
  const step = stepOf(resource, 'update', row.caller, { params: row.params, input: {}, ifVersion: 1_000_000 });
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
async function remove(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, knownRows } = context;
  const row = await anyOf(context, resource);
  if (!row || isSelf(row)) return;
  const step = stepOf(resource, 'delete', row.caller, { params: row.params });
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

/** Rows of others appear not to exist. */
async function getAsOther(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers } = context;
  const row = await anyOf(context, resource);
  if (!row || !callers.other || !hasOwnerRule(resource, client.protocols.contract.resources)) return;
  const step = stepOf(resource, 'get', callers.other, { params: row.params });
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
async function getAnonymously(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers } = context;
  const row = await anyOf(context, resource);
  const operation = client.protocols.conformance.operation(resource.actions.get!.operationId);
  const isPublic =
    operation.access.anyOf.length === 0 || operation.access.anyOf.some(({ schemes }) => schemes.length === 0);
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
async function listInvalid(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { client, callers, random } = context;
  const params = parentParams(resource, context);
  if (!params) return;
  const query = random.pick([
    { limit: 0 },
    { limit: resource.list!.maximumLimit + 1 },
    { 'no-such-parameter': 'x' },
    { cursor: 'no-such-cursor' },
  ]);
  const step = stepOf(resource, 'list', callers.owner, { params, query });
  const subject = operationOf(step);
  const { reply } = await client.rest(step);
  if (reply.status !== 400)
    throw new Deviation(
      'validation',
      subject,
      `${subject} answers ${reply.status} instead of 400 to ${JSON.stringify(query)}`,
    );
}
