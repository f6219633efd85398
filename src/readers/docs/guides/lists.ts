import { getNamedType } from 'graphql';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import { declaredAction, listOf, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { link } from '../layout/links.ts';
import { block, code, items, lines, table } from '../layout/markdown.ts';
import type { Reference } from '../reference/reference.ts';
import { EACH, type Guide } from './guide.ts';

/** The path and the title of the list of a resource, as a link. */
export function listLink({ places }: Reference, resource: ResourceDescriptor): string {
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
    const differ = reference.model.resources.some(
      ({ list }) => list && (list.defaultLimit !== defaultLimit || list.maximumLimit !== maximumLimit),
    );
    const counts = parameters.some(({ name }) => name === 'count');
    return lines(
      `A list answers one page of entries and the cursor of the next. Ask again with that cursor until there is none. ${listLink(reference, resource)} is an example; all lists page alike.`,
      [
        shown.curl(resource, 'list', { query: { limit: Math.min(20, maximumLimit) } }),
        shown.list(resource, EACH),
        shown.others(resource, 'list'),
        shown.graphql(resource, 'list'),
      ].join('\n'),
      'The next page, with the cursor that the first has given:',
      [
        shown
          .curl(resource, 'list', { query: { limit: Math.min(20, maximumLimit), cursor: '$CURSOR' } })
          .replaceAll("'", '"'),
        shown.list(
          resource,
          (list) => `const list = ${list};
const first = await list.page();
if (first.page.${nextCursor}) console.log(await list.page(first.page.${nextCursor}));`,
        ),
        shown.others(resource, 'list', {}, 'pages'),
      ].join('\n'),
      'All pages, in a shell:',
      block('sh', allPages(shown.command(resource, 'list', { query: { limit: maximumLimit } }), nextCursor), 'curl'),
      '## What to know',
      items([
        `A page has ${defaultLimit} entries unless ${code('limit')} (GraphQL ${code('first')}) says otherwise, and at most ${maximumLimit}${differ ? '; each list has its own bounds' : ''}.`,
        `${code(`page.${nextCursor}`)} is null on the last page; over GraphQL ${code('pageInfo.endCursor')} is given as ${code('after')}, and ${code('pageInfo.hasNextPage')} is false there.`,
        'A cursor holds a place, not a number: entries that others add or remove meanwhile are neither shown twice nor left out. It belongs to its list, filters and order: send these with each cursor. With others it is refused as `INVALID_CURSOR`.',
        pagesBack && 'Pages go back, too: each has the cursor of the page before.',
        counts &&
          `${code('count=true')} adds ${code(`page.${totalCount}`)}, how many there are in all${resource.list.countBound === undefined ? '' : `, up to ${resource.list.countBound.toLocaleString('en')}`}.`,
      ]),
    );
  },
};

/** Prints each page of a list. `command`: the request of the first. */
const allPages = (command: string, nextCursor: string): string => `CURSOR=
while :; do
  PAGE=$(${command.replace('curl', 'curl -sf').replace(/'([^']*limit=\d+)'/, `"$1\${CURSOR:+&cursor=$CURSOR}"`)}) || exit 1
  echo "$PAGE"
  CURSOR=$(echo "$PAGE" | jq -r '.page.${nextCursor} // empty')
  [ -n "$CURSOR" ] || break
done`;

/** The value of GraphQL's enum for a sort key. */
function sortOf(reference: Reference, resource: ResourceDescriptor, key: string): string {
  const argument = reference.fieldWith('list', resource)?.field.args.find(({ name }) => name === 'sort');
  const values = argument && reference.model.graphql?.descriptor.sorts[getNamedType(argument.type).name];
  return Object.entries(values ?? {}).find(([, value]) => value === key)?.[0] ?? key;
}

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
    const overGraphql = shown.graphql(resource, 'list', { given: { sort: [sortOf(reference, resource, down)] } });
    return lines(
      `${code('sort')} names what a list is ordered by, ${code('-')} before a name from the greatest to the least. Several are divided by commas: what is equal by the first is ordered by the second.`,
      [
        shown.curl(resource, 'list', { query: { sort: down } }),
        shown.list(resource, EACH, `{ sort: ['${down}'] }`),
        shown.others(resource, 'list', { query: { sort: [down] } }),
      ].join('\n'),
      overGraphql && lines(`Over GraphQL the argument ${code('sort')} takes values of an enum:`, overGraphql),
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
