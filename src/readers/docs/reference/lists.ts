import type { ContractModel } from '../../../compiler/model/index.ts';
import { countSentence } from '../../../compiler/sdl/index.ts';
import type { ConventionNames } from '../../../descriptor/convention-names.ts';
import {
  type ListDescriptor,
  nestedOf,
  type ResourceDescriptor,
  resourceWithKey,
} from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { code, items } from '../layout/markdown.ts';

/** What a list offers, as items of Markdown. */
export function listOf(
  { defaultLimit, maximumLimit, pagesBack, countBound, filter, search, searchLanguage, ...list }: ListDescriptor,
  { totalCountIsExact }: ConventionNames,
): string {
  const filters = filtersOf(list);
  const lines = [
    `Page size: ${defaultLimit} by default, at most ${maximumLimit}.`,
    pagesBack && 'Pages go both ways: each has the cursor of the page before, too.',
    countBound !== undefined && countSentence(countBound, totalCountIsExact),
    filters.length > 0 && `Filters: ${filters.join(', ')}.`,
    filter && `Combined conditions: ${code('filter')}, by ${code(filter)}.`,
    search && searchWords(search, searchLanguage),
    sortWords(list),
  ];
  return items(lines);
}

/** The parameters that a list can be narrowed by, with their operators. */
export const filtersOf = ({ filters, referenceFilters = [] }: Pick<ListDescriptor, 'filters' | 'referenceFilters'>) => [
  ...filters.map(
    ({ parameter, operators, shape }) => code(parameter) + (shape === 'object' ? ` (${operators.join(', ')})` : ''),
  ),
  ...referenceFilters.map(code),
];

function searchWords(search: readonly string[], language: string | undefined): string {
  const inflected = language === undefined ? '' : `, in all inflected forms (${code(language)})`;
  const ranked = search.length === 1 ? '' : ' Without `sort`, what has all of them in the first comes first.';
  return `Search: ${code('search')} finds words in ${search.map(code).join(', ')}${inflected}.${ranked}`;
}

function sortWords({ sorts, defaultSort }: Pick<ListDescriptor, 'sorts' | 'defaultSort'>): string | false {
  if (sorts.length === 0) return false;
  const usual = defaultSort.length > 0 ? defaultSort.map(code).join(', ') : 'the id';
  return `Sort keys: ${sorts.map(({ value }) => code(value)).join(', ')}; the default is ${usual}.`;
}

/** The lists of other resources that one has by what joins them: the labels of an issue. */
export function joinedListsOf({ key }: ResourceDescriptor, { resources, operations, graphql }: ContractModel): string {
  const nameOf = (wanted: string): string => resourceWithKey(resources, wanted).name;
  const lines = resources.flatMap((listed) =>
    nestedOf(listed).flatMap(({ operationId, below, join, name }) => {
      if (below !== key) return [];
      const { path } = operationWithId(operations, operationId);
      const field = graphql ? `, over GraphQL ${code(`${nameOf(below)}.${name}`)}` : '';
      const joined = `each ${code(listed.name)} that ${code(nameOf(join))} joins to it, if the caller reads all three`;
      return [
        `${code(`GET ${path}`)} (${code(operationId)}${field}) lists ${joined}. It offers what the list of ${code(listed.name)} does.`,
      ];
    }),
  );
  return items(lines);
}
