import { isDeepStrictEqual } from 'node:util';
import type { PropertyDescriptor, ResourceDescriptor, SortDescriptor } from '../../descriptor/resource.ts';
import type { Step } from '../proof/step.ts';
import { Deviation } from './deviation.ts';
import { hidingRule, placeIn, type Scene, stepOf } from './scene.ts';
import { operationOf } from './session.ts';
import type { Values } from './world.ts';

/** Pages that are read of one list at most. */
const MAX_PAGES = 12;

interface Reading {
  readonly rows: readonly Values[];
  readonly isWhole: boolean;
}

/** A list holds what it should, once, in the order asked for, however it is cut into pages, over both protocols. */
export async function checkLists(scene: Scene, resource: ResourceDescriptor): Promise<void> {
  const { callers, random, world } = scene;
  const params = placeIn(resource, scene);
  if (!params) return;
  const list = resource.list!;
  const sort = list.sorts.length > 0 && random.chance(0.8) ? random.pick(list.sorts) : undefined;
  const query = sort ? { sort: [sort.value] } : {};
  const step = stepOf(resource, 'list', callers.owner, { params, query });
  const subject = operationOf(step);
  const small = await readAll(scene, step, 1 + random.below(5));
  if (!small) return;
  checkOnce(subject, small.rows);
  if (sort) checkOrder(subject, resource, sort, small.rows);
  const large = await readAll(scene, step, list.maximumLimit);
  if (!large) return;
  if (sort) checkOrder(subject, resource, sort, large.rows);
  const ids = (rows: readonly Values[]) => rows.map(({ id }) => id);
  const isPrefix = isDeepStrictEqual(ids(large.rows).slice(0, small.rows.length), ids(small.rows));
  if (!isPrefix || (small.isWhole && large.isWhole && small.rows.length !== large.rows.length))
    throw new Deviation('paging', subject, `${subject} lists other rows in small pages than in large ones`);
  if (large.isWhole) {
    const listed = new Set(ids(large.rows));
    const lost = world.of(resource).find((row) => !listed.has(row.id) && isBelow(row.params, params));
    if (lost)
      throw new Deviation('paging', subject, `${subject} does not list ${lost.id}, which was made and not deleted`);
  }
  await compareProtocols(scene, step, large);
  await checkOthers(scene, step);
}

const isBelow = (params: Readonly<Record<string, string>>, place: Readonly<Record<string, string>>): boolean =>
  Object.entries(place).every(([name, id]) => params[name] === undefined || params[name] === id);

/** Page by page; undefined: it is refused for a reason of the contract. */
async function readAll({ session }: Scene, step: Step, limit: number): Promise<Reading | undefined> {
  const subject = operationOf(step);
  const rows: Values[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...step.query, limit, ...(cursor && { cursor }) };
    const { outcome, reply } = await session.rest({ ...step, query });
    if (outcome.kind !== 'data') {
      if (page > 0)
        throw new Deviation('paging', subject, `${subject} answers ${reply.status} to the cursor that it has given`);
      return undefined;
    }
    const { data, page: info } = outcome.value as { data: Values[]; page: { nextCursor?: string | null } };
    if (data.length > limit)
      throw new Deviation('paging', subject, `${subject} answers ${data.length} entries where ${limit} were asked for`);
    rows.push(...data);
    cursor = info.nextCursor;
    if (!cursor) return { rows, isWhole: true };
    if (data.length === 0) throw new Deviation('paging', subject, `${subject} answers an empty page with a cursor`);
  }
  return { rows, isWhole: false };
}

function checkOnce(subject: string, rows: readonly Values[]): void {
  const seen = new Set<unknown>();
  for (const { id } of rows) {
    if (seen.has(id))
      throw new Deviation('paging', subject, `${subject} lists ${String(id)} twice, on pages that follow each other`);
    seen.add(id);
  }
}

function checkOrder(
  subject: string,
  { properties }: ResourceDescriptor,
  { property, direction, value }: SortDescriptor,
  rows: readonly Values[],
): void {
  const { type } = properties.find(({ name }) => name === property)!;
  for (let i = 1; i < rows.length; i += 1) {
    const [a, b] = [rows[i - 1]![property], rows[i]![property]];
    const order = compared(type, a, b);
    if (order !== undefined && (direction === 'asc' ? order > 0 : order < 0))
      throw new Deviation(
        'order',
        subject,
        `${subject} sorted by ${value} lists ${JSON.stringify(a)} before ${JSON.stringify(b)}`,
      );
  }
}

/** Undefined: nobody can tell, null having no place of its own, and texts being ordered by each database in its way. */
function compared(type: PropertyDescriptor['type'], a: unknown, b: unknown): number | undefined {
  if (a === null || b === null || a === undefined || b === undefined) return undefined;
  if (type === 'int64') return Number(BigInt(String(a)) - BigInt(String(b)));
  if (type === 'integer' || type === 'number') return Number(a) - Number(b);
  if (type === 'date' || type === 'date-time') return String(a) < String(b) ? -1 : Number(String(a) > String(b));
  const isPlain = [a, b].every((text) => /^[a-z0-9 ]*$/.test(String(text)));
  return isPlain ? (String(a) < String(b) ? -1 : Number(String(a) > String(b))) : undefined;
}

/** The first page over GraphQL is the first page over REST. */
async function compareProtocols({ session }: Scene, step: Step, { rows }: Reading): Promise<void> {
  const route = session.route(step.resource, 'list');
  if (!route) return;
  const limit = Math.min(10, step.resource.list!.maximumLimit);
  const outcome = await session.graphql({ ...step, query: { ...step.query, limit } }, route);
  const name = route.fields.map((field) => field.name).join('.');
  const expected = rows.slice(0, limit).map((row) => session.projected(route, 'list', row));
  const told = outcome.kind === 'data' ? (outcome.value as { data: unknown }).data : outcome;
  if (!isDeepStrictEqual(told, expected))
    throw new Deviation(
      'parity',
      name,
      `${name} lists something else than ${operationOf(step)}: ${JSON.stringify(told).slice(0, 300)} where that lists ${JSON.stringify(expected).slice(0, 300)}`,
    );
}

/** Nobody's list holds rows that are another's. */
async function checkOthers(scene: Scene, step: Step): Promise<void> {
  const { session, callers, world } = scene;
  const { resource } = step;
  if (!callers.other || !hidingRule(resource, session.language.contract.resources)) return;
  const others = await readAll(scene, { ...step, caller: callers.other }, resource.list!.maximumLimit);
  const leaked = others?.rows.find(({ id }) => world.of(resource).some((row) => row.id === id));
  const subject = operationOf(step);
  if (leaked)
    throw new Deviation('leak', subject, `${subject} lists ${String(leaked['id'])} to a caller whose row it is not`);
}
