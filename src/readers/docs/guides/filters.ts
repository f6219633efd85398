import { exampleOf, flat } from '../../../compiler/json-schema/index.ts';
import {
  type FilterDescriptor,
  type FilterOperator,
  type ListDescriptor,
  listOf,
  type PropertyType,
  propertyNamed,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { code, inline, table } from '../layout/markdown.ts';
import { filtersOf } from '../reference/lists.ts';
import type { Reference } from '../reference/reference.ts';
import { literal } from '../samples/typescript.ts';
import type { Guide } from './guide.ts';
import { listLink } from './lists.ts';
import type { Shown } from './shown.ts';

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
  values(shown, reference) {
    const isFiltered = ({ list, actions }: ResourceDescriptor): boolean =>
      actions.list !== undefined && (list?.filters.length ?? 0) > 0;
    const all = reference.model.resources.filter(isFiltered);
    const hasRange = ({ list }: ResourceDescriptor): boolean => list?.filters.some(isRange) === true;
    const resource = shown.resource(['list'], hasRange) ?? shown.resource(['list'], isFiltered);
    if (!resource) return undefined;
    const filter = mostTelling(listOf(resource), resource);
    if (!filter) return undefined;
    const used = [...new Set(all.flatMap((one) => listOf(one).filters.flatMap(({ operators }) => operators)))];
    const { description, example } = shownProperty(reference, resource, filter.property);
    const value = filteredBy(resource, filter, example);
    const hasBrackets = isRange(filter) || filter.shape === 'object';
    const query = hasBrackets
      ? Object.fromEntries(
          Object.entries(value as object).map(([operator, one]) => [`${filter.parameter}[${operator}]`, one]),
        )
      : { [filter.parameter]: value };
    return {
      ...{ resource, hasBrackets },
      listLink: listLink(reference, resource),
      property: code(filter.property),
      description: description && inline(description),
      filtered: { query },
      options: onOneLine({ [filter.parameter]: value }),
      filteredDocument: overGraphql(shown, reference, resource, filter.parameter, value),
      operators: table(
        ['Operator', 'The property', 'Over REST'],
        used.map((one) => [code(one), MEANINGS[one], code(spelled(one))]),
      ),
      lists: table(
        ['List', 'Filters'],
        all.map((one) => [listLink(reference, one), filtersOf(listOf(one)).join(', ')]),
      ),
      hasFilter: all.some((one) => listOf(one).filter !== undefined),
      hasSearch: all.some((one) => listOf(one).search),
    };
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

/** What the client of TypeScript takes for a filter. `example`: a value of the property. */
function filteredBy({ properties }: ResourceDescriptor, filter: FilterDescriptor, example: unknown): unknown {
  const { type, enum: values } = propertyNamed(properties, filter.property);
  const [low, high] = values ?? (typeof example === 'number' && example > 0 ? around(example) : VALUES[type]);
  if (isRange(filter)) return { gte: low, lt: high };
  if (filter.shape === 'object') return { [filter.operators[0] ?? 'eq']: low };
  return filter.shape === 'in' ? [low] : low;
}

/** Two round numbers that a number lies between: 1999 between 1000 and 2000. */
function around(example: number): readonly number[] {
  const step = 10 ** Math.floor(Math.log10(example));
  const digit = Math.floor(example / step);
  return [digit, digit + 1].map((one) => Number((one * step).toPrecision(12)));
}

/** What the contract says of a property, and its example. */
function shownProperty({ model: { document } }: Reference, { schemas }: ResourceDescriptor, name: string) {
  const whole = { $ref: `#/components/schemas/${schemas.resource}` };
  const property = flat(document, whole).properties?.[name];
  const { description } = flat(document, property) as { readonly description?: string };
  const given = exampleOf(document, whole) as Readonly<Record<string, unknown>> | undefined;
  return { description, example: given?.[name] ?? (property && exampleOf(document, property)) };
}

/** The same over GraphQL. */
function overGraphql(
  shown: Shown,
  { model: { graphql } }: Reference,
  resource: ResourceDescriptor,
  parameter: string,
  value: unknown,
): string {
  const names = Object.entries(graphql?.descriptor.filters?.[resource.key] ?? {});
  const [name] = names.find(([, one]) => one === parameter) ?? [parameter];
  return shown.graphql(resource, 'list', { given: { filter: { [name]: value } } });
}

/** An object as TypeScript writes it, short. */
const onOneLine = (value: object): string =>
  literal(value)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/,(?= [}\]])/g, '');
