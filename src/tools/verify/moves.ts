import { isDeepStrictEqual } from 'node:util';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import { Inputs } from '../proof/inputs.ts';
import type { Step } from '../proof/step.ts';
import { Deviation } from './deviation.ts';
import { checkLists } from './lists.ts';
import { hidingRule, placeIn, type Scene, stepOf } from './scene.ts';
import { operationOf, type Session } from './session.ts';
import type { Known, Values } from './world.ts';

/** Something a client may do, with all that must be true of it. It does nothing where it does not apply. */
export interface Move {
  readonly name: string;
  run(scene: Scene): Promise<void>;
}

/** All moves that a contract allows. */
export function movesOf(resources: readonly ResourceDescriptor[]): readonly Move[] {
  return resources.flatMap((resource) => {
    const { actions } = resource;
    const move = (
      name: string,
      needed: readonly Action[],
      run: (scene: Scene, resource: ResourceDescriptor) => Promise<void>,
    ): Move[] =>
      needed.every((action) => actions[action])
        ? [{ name: `${resource.key}: ${name}`, run: (scene) => run(scene, resource) }]
        : [];
    return [
      ...move('create', ['create'], create),
      ...move('get', ['get'], get),
      ...move('get what is not there', ['get'], getMissing),
      ...move('update', ['update', 'get'], (scene, one) => change(scene, one, 'update')),
      ...move('replace', ['replace', 'get'], (scene, one) => change(scene, one, 'replace')),
      ...move('change an old version', ['update', 'get'], changeOld),
      ...move('delete', ['delete', 'get'], remove),
      ...move('look as another', ['get'], lookAsOther),
      ...move('look as nobody', ['get'], lookAsNobody),
      ...move('list', ['list'], checkLists),
      ...move('list with nonsense', ['list'], listNonsense),
    ];
  });
}

/** Creates a row, over either protocol, unless the server has a reason of the contract to refuse it. */
export async function create(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session, world, callers, random } = scene;
  const params = placeIn(resource, scene);
  if (!params) return;
  const inputs = new Inputs(session.language.contract.document, random, world.referable(random));
  const step = stepOf(resource, 'create', callers.owner, { params, input: inputs.whole(resource) });
  const route = session.route(resource, 'create');
  const values = route && random.chance(0.4) ? await graphqlCreate(scene, step) : await restCreate(scene, step);
  if (!values) return;
  const id = String(values['id']);
  const row: Known = { resource, id, caller: callers.owner, params: { ...params, [resource.idParameter]: id }, values };
  world.add(row);
  if (resource.actions.get) row.values = await read(scene, row);
}

async function graphqlCreate({ session }: Scene, step: Step): Promise<Values | undefined> {
  const outcome = await session.graphql(step, session.route(step.resource, 'create')!);
  return outcome.kind === 'data' ? (outcome.value as Values) : undefined;
}

async function restCreate({ session }: Scene, step: Step): Promise<Values | undefined> {
  const { outcome, reply } = await session.rest(step);
  if (outcome.kind !== 'data') return undefined;
  const values = outcome.value as Values;
  const { etag, location } = reply.headers;
  const subject = operationOf(step);
  if (values['version'] !== 1)
    throw new Deviation('version', subject, `${subject} answers the version ${String(values['version'])}, not 1`);
  if (etag !== '"1"') throw new Deviation('etag', subject, `${subject} answers the ETag ${etag ?? 'none'}, not "1"`);
  const isThere =
    location !== undefined && new URL(location, 'http://host').pathname.endsWith(`/${String(values['id'])}`);
  if (!isThere)
    throw new Deviation(
      'location',
      subject,
      `${subject} answers the Location ${location ?? 'none'}, which is not where the resource is`,
    );
  return values;
}

/** What both protocols say of a row, which must be the same. Throws when it is not there. */
async function read({ session }: Scene, row: Known): Promise<Values> {
  const { resource, caller, params } = row;
  const step = stepOf(resource, 'get', caller, { params });
  const subject = operationOf(step);
  const { outcome, reply } = await session.rest(step);
  if (outcome.kind !== 'data')
    throw new Deviation(
      'lost',
      subject,
      `${subject} answers ${reply.status} for a resource that was made and not deleted`,
    );
  const values = outcome.value as Values;
  if (reply.headers['etag'] !== `"${String(values['version'])}"`)
    throw new Deviation(
      'etag',
      subject,
      `${subject} answers the ETag ${reply.headers['etag'] ?? 'none'} for version ${String(values['version'])}`,
    );
  if (values['id'] !== row.id)
    throw new Deviation(
      'identity',
      subject,
      `${subject} answers the id ${String(values['id'])} where ${row.id} was asked for`,
    );
  const { reply: again } = await session.rest(step, { 'if-none-match': reply.headers['etag'] });
  if (again.status !== 304)
    throw new Deviation(
      'conditional',
      subject,
      `${subject} answers ${again.status} to If-None-Match with the ETag it has just sent, not 304`,
    );
  await compareGet(session, step, values);
  return values;
}

async function compareGet(session: Session, step: Step, values: Values): Promise<void> {
  const route = session.route(step.resource, 'get');
  if (!route) return;
  const name = route.fields.map((field) => field.name).join('.');
  const outcome = await session.graphql(step, route);
  const told = outcome.kind === 'data' ? outcome.value : outcome;
  const expected = session.projected(route, 'get', values);
  if (!isDeepStrictEqual(told, expected))
    throw new Deviation(
      'parity',
      name,
      `${name} answers ${JSON.stringify(told)} where ${operationOf(step)} answers ${JSON.stringify(expected)}`,
    );
}

/** A row that is known, and what it is now must be what was seen last. */
async function get(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const row = await anyOf(scene, resource);
  if (!row) return;
  const before = row.values;
  row.values = await read(scene, row);
  const subject = operationOf({ resource, action: 'get' });
  const isSame = row.values['version'] !== before['version'] || isDeepStrictEqual(row.values, before);
  if (!isSame)
    throw new Deviation('drift', subject, `${subject} answers something else than before, with the same version`);
}

/** A row that is known; one that is made, where there is none yet. */
async function anyOf(scene: Scene, resource: ResourceDescriptor): Promise<Known | undefined> {
  const { world, random } = scene;
  if (world.of(resource).length === 0) await make(scene, resource);
  const rows = world.of(resource);
  return rows.length === 0 ? undefined : random.pick(rows);
}

/** Makes a row, and before it what it belongs to and refers to. */
async function make(scene: Scene, resource: ResourceDescriptor, path: readonly string[] = []): Promise<void> {
  const { session, world } = scene;
  if (!resource.actions.create || path.includes(resource.key)) return;
  const needed = resource.properties.flatMap(({ references, required, nullable }) =>
    references && required && !nullable ? [references.resource] : [],
  );
  for (const key of new Set([...(resource.parent ? [resource.parent.resource] : []), ...needed])) {
    const above = session.language.contract.resources.find((one) => one.key === key)!;
    if (world.of(above).length === 0) await make(scene, above, [...path, resource.key]);
  }
  await create(scene, resource);
}

async function getMissing(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session, callers, random } = scene;
  const place = placeIn(resource, scene);
  if (!place) return;
  const id = `01900000-0000-7000-8000-${String(random.below(2 ** 31)).padStart(12, '0')}`;
  const step = stepOf(resource, 'get', callers.owner, { params: { ...place, [resource.idParameter]: id } });
  const subject = operationOf(step);
  const { reply } = await session.rest(step);
  if (reply.status !== 404)
    throw new Deviation('missing', subject, `${subject} answers ${reply.status} for an id that nothing has, not 404`);
  const route = session.route(resource, 'get');
  if (!route) return;
  const outcome = await session.graphql(step, route);
  const name = route.fields.map((field) => field.name).join('.');
  if (outcome.kind !== 'error' || outcome.status !== 404)
    throw new Deviation('parity', name, `${name} does not answer the 404 of ${subject} for an id that nothing has`);
}

/** A change goes one version on, and what was sent is what is there, where the contract leaves it to the caller. */
async function change(scene: Scene, resource: ResourceDescriptor, action: 'update' | 'replace'): Promise<void> {
  const { session, world, random } = scene;
  const row = await anyOf(scene, resource);
  if (!row) return;
  const inputs = new Inputs(session.language.contract.document, random, world.referable(random));
  const input = action === 'update' ? inputs.patch(resource) : inputs.whole(resource);
  for (const { name, immutable } of resource.properties) if (immutable && name in input) input[name] = row.values[name];
  const before = Number((await read(scene, row))['version']);
  const step = stepOf(resource, action, row.caller, { params: row.params, input, ifVersion: before });
  const route = session.route(resource, action);
  const outcome = route && random.chance(0.4) ? await session.graphql(step, route) : (await session.rest(step)).outcome;
  const subject = operationOf(step);
  row.values = await read(scene, row);
  const version = Number(row.values['version']);
  if (outcome.kind !== 'data') {
    if (version !== before)
      throw new Deviation('refused', subject, `${subject} was refused, and changed the resource all the same`);
    return;
  }
  const told = Number((outcome.value as Values)['version']);
  if (told !== version || version < before || version > before + 1)
    throw new Deviation(
      'version',
      subject,
      `${subject} goes from version ${before} to ${version}, and answers ${told}`,
    );
}

/** A version that is no more is refused, over both protocols, and changes nothing. */
async function changeOld(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session } = scene;
  const row = await anyOf(scene, resource);
  if (!row) return;
  row.values = await read(scene, row);
  const step = stepOf(resource, 'update', row.caller, { params: row.params, input: {}, ifVersion: 1_000_000 });
  const subject = operationOf(step);
  const { reply } = await session.rest(step);
  const isRefused = reply.status === 412 || reply.status === 403;
  if (!isRefused)
    throw new Deviation(
      'conditional',
      subject,
      `${subject} answers ${reply.status} for a version that the resource does not have, not 412`,
    );
  const route = session.route(resource, 'update');
  if (!route) return;
  const outcome = await session.graphql(step, route);
  const name = route.fields[0]!.name;
  if (outcome.kind !== 'error' || outcome.status !== reply.status)
    throw new Deviation(
      'parity',
      name,
      `${name} does not refuse a version that the resource does not have, as ${subject} does`,
    );
}

/** What was deleted is not there any more, over both protocols. */
async function remove(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session, world } = scene;
  const row = await anyOf(scene, resource);
  if (!row || isSelf(row)) return;
  const step = stepOf(resource, 'delete', row.caller, { params: row.params });
  const { outcome } = await session.rest(step);
  if (outcome.kind !== 'data') {
    await read(scene, row);
    return;
  }
  world.remove(row);
  const { reply } = await session.rest(stepOf(resource, 'get', row.caller, { params: row.params }));
  const subject = operationOf(step);
  if (reply.status !== 404)
    throw new Deviation(
      'missing',
      subject,
      `${operationOf({ resource, action: 'get' })} answers ${reply.status} for what ${subject} has deleted, not 404`,
    );
}

/** A caller is a row itself, which others refer to. */
const isSelf = ({ resource, id, caller }: Known): boolean => resource.owner?.property === 'id' && id === caller.subject;

/** Others' rows are as if they were not there. */
async function lookAsOther(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session, callers } = scene;
  const row = await anyOf(scene, resource);
  if (!row || !callers.other || !hidingRule(resource, session.language.contract.resources)) return;
  const step = stepOf(resource, 'get', callers.other, { params: row.params });
  const subject = operationOf(step);
  const { reply } = await session.rest(step);
  if (reply.status !== 404 && reply.status !== 403)
    throw new Deviation('leak', subject, `${subject} answers ${reply.status} to a caller whose row it is not`);
  const route = session.route(resource, 'get');
  const outcome = route && (await session.graphql(step, route));
  if (outcome?.kind === 'data')
    throw new Deviation(
      'leak',
      route!.fields[0]!.name,
      `${route!.fields[0]!.name} answers a row to a caller whose row it is not`,
    );
}

/** Without credentials nothing is answered but what is public. */
async function lookAsNobody(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session, callers } = scene;
  const row = await anyOf(scene, resource);
  const operation = session.language.conformance.operation(resource.actions.get!.operationId);
  const isPublic =
    operation.access.anyOf.length === 0 || operation.access.anyOf.some(({ schemes }) => schemes.length === 0);
  if (!row || isPublic || callers.owner.authorization === undefined) return;
  const step = stepOf(resource, 'get', callers.anonymous, { params: row.params });
  const subject = operationOf(step);
  const { reply } = await session.rest(step);
  if (reply.status !== 401)
    throw new Deviation('access', subject, `${subject} answers ${reply.status} to nobody in particular, not 401`);
  const route = session.route(resource, 'get');
  const outcome = route && (await session.graphql(step, route));
  if (outcome && (outcome.kind !== 'error' || outcome.status !== 401))
    throw new Deviation(
      'access',
      route!.fields[0]!.name,
      `${route!.fields[0]!.name} answers nobody in particular, and not with 401`,
    );
}

/** Parameters that the contract lacks or does not allow are refused. */
async function listNonsense(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { session, callers, random } = scene;
  const params = placeIn(resource, scene);
  if (!params) return;
  const query = random.pick([
    { limit: 0 },
    { limit: resource.list!.maximumLimit + 1 },
    { 'no-such-parameter': 'x' },
    { cursor: 'no-such-cursor' },
  ]);
  const step = stepOf(resource, 'list', callers.owner, { params, query });
  const subject = operationOf(step);
  const { reply } = await session.rest(step);
  if (reply.status !== 400)
    throw new Deviation(
      'validation',
      subject,
      `${subject} answers ${reply.status} to ${JSON.stringify(query)}, not 400`,
    );
}
