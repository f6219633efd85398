import { isDeepStrictEqual } from 'node:util';
import {
  listOf,
  type PropertyDescriptor,
  propertyNamed,
  type ResourceDescriptor,
  type SortDescriptor,
} from '../../descriptor/resource.ts';
import { levelsOf } from '../../descriptor/searches.ts';
import { type Inflect, inflectionsIn } from '../../descriptor/words/inflections.ts';
import { hasTerms, rankOf, termsOf } from '../../descriptor/words/words.ts';
import { searchesOf } from '../../tools/synthetic/index.ts';
import type { Step } from '../harness/step.ts';
import { operationOf } from '../harness/step.ts';
import { checkFilters } from './check-filters.ts';
import { Deviation } from './deviation.ts';
import type { KnownRow, Values } from './known-rows.ts';
import { callerFor, hidesOthersRows, type MoveContext, parentParams, stepOf } from './move-context.ts';
import { comparePages, finds, idsOf, type Reading, readAll } from './read-list.ts';
import { make } from './row-moves.ts';

/** Rows of a resource that its list is checked with, as far as the contract's rules let them be made. */
const ROWS = 4;
/** Creations in a row that rules may refuse, such as a second row with a unique value. */
const MAX_FAILURES = 3;
/** Entries of a small page, at most. */
const MAX_SMALL_PAGE = 3;
/** A list has the expected rows, each once, in the requested order, whatever the page size, and over every protocol. */
export async function checkLists(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  const { random, knownRows } = context;
  const caller = callerFor(context, resource, 'list');
  await makeRows(context, resource);
  const params = parentParams(resource, context, caller);
  if (!params) return;
  const list = listOf(resource);
  const sort = list.sorts.length > 0 && random.chance(0.8) ? random.pick(list.sorts) : undefined;
  const query = sort ? { sort: [sort.value] } : {};
  const step = stepOf(resource, 'list', caller, { params, query });
  const subject = operationOf(step);
  const small = await readAll(context, step, 1 + random.below(MAX_SMALL_PAGE));
  if (!small) return;
  checkOnce(subject, small.rows);
  if (sort) checkOrder(subject, resource, sort, small.rows);
  const large = await readAll(context, step, list.maximumLimit);
  if (!large) return;
  if (sort) checkOrder(subject, resource, sort, large.rows);
  const isPrefix = isDeepStrictEqual(idsOf(large.rows).slice(0, small.rows.length), idsOf(small.rows));
  if (!isPrefix || (small.isWhole && large.isWhole && small.rows.length !== large.rows.length))
    throw new Deviation('paging', subject, 'lists different rows in small pages than in large ones');
  if (large.isWhole) {
    const listed = new Set(idsOf(large.rows).map(String));
    const isShown = (row: KnownRow): boolean => row.caller === caller && isBelow(row.params, params);
    const lost = knownRows.of(resource).find((row) => !listed.has(row.id) && isShown(row));
    if (lost) throw new Deviation('paging', subject, `does not list ${lost.id}, which was created and not deleted`);
  }
  await comparePages(context, step, large);
  await checkSearch(context, step, large);
  await checkFilters(context, step, large);
  await checkOthers(context, step);
}

/** On a server that is nearly empty, a list would have no second page, and no order. */
async function makeRows(context: MoveContext, resource: ResourceDescriptor): Promise<void> {
  if (!resource.actions.create) return;
  const count = (): number => context.knownRows.of(resource).length;
  let failures = 0;
  while (count() < ROWS && failures < MAX_FAILURES) {
    const before = count();
    await make(context, resource);
    failures = count() > before ? 0 : failures + 1;
  }
}

const isBelow = (params: Readonly<Record<string, string>>, place: Readonly<Record<string, string>>): boolean =>
  Object.entries(place).every(([name, id]) => params[name] === undefined || params[name] === id);

export function checkOnce(subject: string, rows: readonly Values[]): void {
  const seen = new Set<unknown>();
  for (const { id } of rows) {
    if (seen.has(id)) throw new Deviation('paging', subject, `lists ${String(id)} twice on consecutive pages`);
    seen.add(id);
  }
}

function checkOrder(
  subject: string,
  { properties }: ResourceDescriptor,
  { property, direction, value }: SortDescriptor,
  rows: readonly Values[],
): void {
  const { type } = propertyNamed(properties, property);
  for (let i = 1; i < rows.length; i += 1) {
    const [a, b] = [rows[i - 1]![property], rows[i]![property]];
    const order = compared(type, a, b);
    if (order !== undefined && (direction === 'asc' ? order > 0 : order < 0))
      throw new Deviation('order', subject, `lists, by ${value}, ${JSON.stringify(a)} before ${JSON.stringify(b)}`);
  }
}

/**
 * Undefined when the order is not defined: the position of null is not, and each database may collate texts
 * differently.
 */
function compared(type: PropertyDescriptor['type'], a: unknown, b: unknown): number | undefined {
  if (a === null || b === null || a === undefined || b === undefined) return undefined;
  if (type === 'int64') return Number(BigInt(String(a)) - BigInt(String(b)));
  if (type === 'integer' || type === 'number') return Number(a) - Number(b);
  if (type === 'date' || type === 'date-time') return String(a) < String(b) ? -1 : Number(String(a) > String(b));
  const isPlain = [a, b].every((text) => /^[a-z0-9 ]*$/.test(String(text)));
  return isPlain ? (String(a) < String(b) ? -1 : Number(String(a) > String(b))) : undefined;
}

/** A search finds those of the rows that have its words, in the order of the list and over every protocol. */
async function checkSearch(context: MoveContext, step: Step, { rows, isWhole }: Reading): Promise<void> {
  const { search: properties, searchLanguage } = listOf(step.resource);
  if (!properties || !isWhole) return;
  const inflect = inflectionsIn(searchLanguage);
  const textOf = (row: Values): string => properties.map((property) => row[property] ?? '').join(' ');
  const inOrder = (found: readonly Values[], search: string): readonly Values[] =>
    step.query?.['sort']
      ? found
      : found.toSorted(
          (a, b) => rankIn(properties, a, inflect(termsOf(search))) - rankIn(properties, b, inflect(termsOf(search))),
        );
  for (const search of searchesOf(context.random, rows.map(textOf))) {
    const searched = { ...step, query: { ...step.query, search } };
    const expected = rows.filter((row) => hasTerms(textOf(row), search, inflect));
    const by = `${JSON.stringify(search)} than those with its words`;
    await finds(context, searched, inOrder(expected, search), { rule: 'search', by });
  }
}

/** Without an order that is asked for, those come first that have all words in the first properties. */
function rankIn(properties: readonly string[], row: Values, terms: ReturnType<Inflect>): number {
  const texts = levelsOf(properties).map((names) => names.map((name) => row[name] ?? '').join(' '));
  return rankOf(texts, terms);
}

/** The list of another caller does not contain the owner's rows. */
async function checkOthers(context: MoveContext, step: Step): Promise<void> {
  const { client, callers, knownRows } = context;
  const { resource } = step;
  if (!callers.other || !hidesOthersRows(resource, client.protocols.contract.resources, callers.other)) return;
  const asked = { ...step, caller: callers.other };
  const others = await readAll(context, asked, listOf(resource).maximumLimit);
  const leaked = others?.rows.find(({ id }) => knownRows.of(resource).some((row) => row.id === String(id)));
  if (leaked)
    throw new Deviation('leak', operationOf(step), `lists ${String(leaked['id'])} to a caller who does not own it`);
  if (others) await comparePages(context, asked, others);
}
