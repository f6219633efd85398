import { conventionNames } from '../../../descriptor/convention-names.ts';
import {
  declaredAction,
  type FilterDescriptor,
  type FilterOperator,
  type ListDescriptor,
  listOf,
  type PropertyType,
  propertyNamed,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { link } from '../layout/links.ts';
import { code, items, lines, table } from '../layout/markdown.ts';
import { filtersOf } from '../reference/lists.ts';
import type { Reference } from '../reference/reference.ts';
import { literal } from '../samples/typescript.ts';
import { EACH, type Guide } from './guide.ts';

/** The path and the title of the list of a resource, as a link. */
function listLink({ places }: Reference, resource: ResourceDescriptor): string {
  const { operationId } = declaredAction(resource, 'list');
  return link(code(operationId), places.operation(operationId));
}

export const paging: Guide = {
  name: 'paging',
  title: 'Paging through a list',
  description: 'Read a list to its end, page by page, by cursors.',
  words: [
    'page',
    'pages',
    'pagination',
    'paginate',
    'cursor',
    'next page',
    'limit',
    'offset',
    'total count',
    'number of results',
    'how many',
    'all entries',
    'first',
    'after',
  ],
  text(shown, reference) {
    const resource = shown.resource(['list']);
    if (!resource?.list) return undefined;
    const { nextCursor, totalCount } = conventionNames(resource.nameCase);
    const { defaultLimit, maximumLimit, pagesBack } = resource.list;
    const { parameters } = operationWithId(reference.model.operations, declaredAction(resource, 'list').operationId);
    const counts = parameters.some(({ name }) => name === 'count');
    return lines(
      `A list answers one page of entries and the cursor of the next. Ask again with that cursor until there is none. ${listLink(reference, resource)} is an example; all lists page alike.`,
      [
        shown.curl(resource, 'list', { query: [`limit=${Math.min(20, maximumLimit)}`] }),
        shown.list(resource, EACH),
        shown.others(resource, 'list'),
        shown.graphql(resource, 'list'),
      ].join('\n'),
      'The next page, with the cursor that the first has given:',
      [
        shown
          .curl(resource, 'list', { query: [`limit=${Math.min(20, maximumLimit)}`, `cursor=$CURSOR`] })
          .replaceAll("'", '"'),
        shown.list(
          resource,
          (list) => `const list = ${list};
const first = await list.page();
if (first.page.${nextCursor}) console.log(await list.page(first.page.${nextCursor}));`,
        ),
      ].join('\n'),
      '## What to know',
      items([
        `A page has ${defaultLimit} entries unless ${code('limit')} (GraphQL ${code('first')}) says otherwise, and at most ${maximumLimit}; each list has its own bounds.`,
        `${code(`page.${nextCursor}`)} is null on the last page; over GraphQL ${code('pageInfo.endCursor')} is given as ${code('after')}, and ${code('pageInfo.hasNextPage')} is false there.`,
        'A cursor holds a place, not a number: entries that others add or remove meanwhile are neither shown twice nor left out. It belongs to its list, filters and order; with others it is refused as `INVALID_CURSOR`.',
        pagesBack && 'Pages go back, too: each has the cursor of the page before.',
        counts &&
          `${code('count=true')} adds ${code(`page.${totalCount}`)}, how many there are in all${resource.list.countBound === undefined ? '' : `, up to ${resource.list.countBound.toLocaleString('en')}`}.`,
      ]),
    );
  },
};

const MEANINGS: Readonly<Record<FilterOperator, string>> = {
  eq: 'is equal',
  in: 'is one of these',
  gt: 'is greater',
  gte: 'is greater or equal',
  lt: 'is less',
  lte: 'is less or equal',
  contains: 'contains the text, in any case',
};

export const filters: Guide = {
  name: 'filters',
  title: 'Filtering a list',
  description: 'Find the entries of a list by their values, ranges and words.',
  words: [
    'filter',
    'filter by',
    'range',
    'between',
    'greater than',
    'less than',
    'search',
    'find',
    'query',
    'where',
    'contains',
    'operators',
    'mine',
    'my',
  ],
  text(shown, reference) {
    const isFiltered = ({ list, actions }: ResourceDescriptor): boolean =>
      actions.list !== undefined && (list?.filters.length ?? 0) > 0;
    const all = reference.model.resources.filter(isFiltered);
    const hasRange = ({ list }: ResourceDescriptor): boolean => list?.filters.some(isRange) === true;
    const most = shown.resource(['list'], hasRange) ?? shown.resource(['list'], isFiltered);
    if (!most?.list) return undefined;
    const filter = mostTelling(most.list, most);
    if (!filter) return undefined;
    const used = [...new Set(all.flatMap((one) => listOf(one).filters.flatMap(({ operators }) => operators)))];
    const value = exampleOf(most, filter);
    const query =
      isRange(filter) || filter.shape === 'object'
        ? Object.entries(value as object).map(([operator, one]) => `${filter.parameter}[${operator}]=${one}`)
        : [`${filter.parameter}=${value}`];
    return lines(
      `A list takes a parameter for each property that it can be narrowed by; several must all apply. ${listLink(reference, most)} by ${code(filter.property)}:`,
      [
        shown.curl(most, 'list', { query }),
        shown.list(
          most,
          (list) => `const found = ${list};\n${EACH('found')}`,
          onOneLine({ [filter.parameter]: value }),
        ),
      ].join('\n'),
      reference.model.graphql && `Over GraphQL the same stands in the argument ${code('filter')}.`,
      '## Operators',
      table(
        ['Operator', 'The property', 'Over REST'],
        used.map((one) => [code(one), MEANINGS[one], code(spelled(one))]),
      ),
      '## What each list can be narrowed by',
      table(
        ['List', 'Filters'],
        all.map((resource) => [listLink(reference, resource), filtersOf(listOf(resource)).join(', ')]),
      ),
      items([
        all.some((one) => listOf(one).filter !== undefined) &&
          `Where a list takes ${code('filter')}, conditions combine by ${code('and')}, ${code('or')} and ${code('not')}.`,
        all.some((one) => listOf(one).search) &&
          `${code('search')} finds words, wherever they stand in the properties that a list is searched by.`,
        'A list shows what the caller may read and no more: those of one’s own rows need no filter.',
      ]),
    );
  },
};

const spelled = (operator: FilterOperator): string => {
  if (operator === 'eq') return '?name=value';
  return operator === 'in' ? '?name=a,b' : `?name[${operator}]=value`;
};

const isRange = ({ shape, operators }: FilterDescriptor): boolean =>
  shape === 'object' && operators.includes('gte') && operators.includes('lt');

/** A range of numbers says most, then any range, then any other. */
function mostTelling(
  { filters: all }: ListDescriptor,
  { properties }: ResourceDescriptor,
): FilterDescriptor | undefined {
  const isNumber = ({ property }: FilterDescriptor): boolean =>
    ['integer', 'number'].includes(propertyNamed(properties, property).type);
  return all.find((one) => isRange(one) && isNumber(one)) ?? all.find(isRange) ?? all[0];
}

/** Two values of each type, the smaller first. */
const VALUES: Readonly<Record<PropertyType, readonly unknown[]>> = {
  string: ['text'],
  json: ['text'],
  uuid: ['01941f29-7c00-7a10-8c57-1d0b6e2f4a01'],
  integer: [10, 20],
  number: [10, 20],
  int64: ['10', '20'],
  decimal: ['10', '20'],
  boolean: [true],
  date: ['2026-01-01', '2026-02-01'],
  'date-time': ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
};

/** What the client of TypeScript takes for a filter. */
function exampleOf({ properties }: ResourceDescriptor, filter: FilterDescriptor): unknown {
  const { type, enum: values } = propertyNamed(properties, filter.property);
  const [low, high] = values ?? VALUES[type];
  if (isRange(filter)) return { gte: low, lt: high };
  if (filter.shape === 'object') return { [filter.operators[0] ?? 'eq']: low };
  return filter.shape === 'in' ? [low] : low;
}

/** An object as TypeScript writes it, short. */
const onOneLine = (value: object): string =>
  literal(value)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/,(?= [}\]])/g, '');

export const sorting: Guide = {
  name: 'sorting',
  title: 'Sorting a list',
  description: 'Order a list by one property or several, upwards or downwards.',
  words: ['sort', 'sort by', 'order by', 'ascending', 'descending', 'dearest first', 'newest first', 'latest'],
  text(shown, reference) {
    const sorted = reference.model.resources.filter(
      ({ list, actions }) => (list?.sorts.length ?? 0) > 0 && actions.list,
    );
    const resource = shown.resource(['list'], ({ list }) => (list?.sorts.length ?? 0) > 0);
    if (!resource?.list) return undefined;
    const { sorts } = resource.list;
    const down = (sorts.find(({ direction }) => direction === 'desc') ?? sorts[0])?.value ?? '';
    return lines(
      `${code('sort')} names what a list is ordered by, ${code('-')} before a name from the greatest to the least. Several are divided by commas: what is equal by the first is ordered by the second.`,
      [
        shown.curl(resource, 'list', { query: [`sort=${down}`] }),
        shown.list(resource, EACH, `{ sort: ['${down}'] }`),
      ].join('\n'),
      reference.model.graphql &&
        `Over GraphQL the argument ${code('sort')} takes values of an enum: ${code('NAME_ASC')}, ${code('NAME_DESC')}.`,
      '## What each list can be ordered by',
      table(
        ['List', 'Keys', 'Order without'],
        sorted.map((one) => [
          listLink(reference, one),
          listOf(one)
            .sorts.map(({ value }) => code(value))
            .join(', '),
          listOf(one).defaultSort.map(code).join(', ') || 'the id',
        ]),
      ),
    );
  },
};
