import { schemaReference } from '../../compiler/json-schema/index.ts';
import { flatSchema } from '../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import { listOf, type PropertyDescriptor, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Step } from '../harness/step.ts';
import type { Values } from './known-rows.ts';
import type { MoveContext } from './move-context.ts';
import { finds, type Reading } from './read-list.ts';

/** Types whose values are equal when their JSON is: decimals and times may be spelled in several ways. */
const ONE_SPELLING: ReadonlySet<PropertyDescriptor['type']> = new Set([
  'string',
  'integer',
  'int64',
  'boolean',
  'date',
]);

/** A filter, and what it says of a row. */
interface Judged {
  readonly filter: Values;
  readonly holds: (row: Values) => boolean;
}

/** A filter that combines conditions finds those of the rows that meet them, over every protocol. */
export async function checkFilters(context: MoveContext, step: Step, { rows, isWhole }: Reading): Promise<void> {
  const { document } = context.client.protocols.contract;
  const { filter: schema } = listOf(step.resource);
  if (schema === undefined || !isWhole || rows.length === 0) return;
  for (const { filter, holds } of filtersFor(context, document, step.resource, rows)) {
    const filtered = { ...step, query: { ...step.query, [FILTER_PARAMETER]: filter } };
    const by = `the filter ${JSON.stringify(filter)} than those that meet it`;
    await finds(context, filtered, rows.filter(holds), { rule: 'filter', by });
  }
}

/** A value that a row has, its negation, and two values of which a row has one: as far as the schema offers them. */
function filtersFor(
  { random }: MoveContext,
  document: OpenApiDocument,
  resource: ResourceDescriptor,
  rows: readonly Values[],
): readonly Judged[] {
  const { properties } = flatSchema(document, schemaReference(listOf(resource).filter!));
  const spelled = new Set(resource.properties.filter(({ type }) => ONE_SPELLING.has(type)).map(({ name }) => name));
  const compared = [...properties.values()].flatMap(({ name, schemas }) => {
    const valued = spelled.has(name) ? rows.filter((row) => isScalar(row[name])) : [];
    const comparison = comparisonOf(flatSchema(document, ...schemas));
    return valued.length > 0 && comparison ? [{ name, valued, comparison }] : [];
  });
  if (compared.length === 0) return [];
  const one = (): Judged => {
    const { name, valued, comparison } = random.pick(compared);
    const value = random.pick(valued)[name];
    return { filter: { [name]: comparison(value) }, holds: (row) => row[name] === value };
  };
  const [first, second] = [one(), one()];
  return [
    first,
    ...(properties.has('not') ? [{ filter: { not: first.filter }, holds: (row: Values) => !first.holds(row) }] : []),
    ...(properties.has('or')
      ? [
          {
            filter: { or: [first.filter, second.filter] },
            holds: (row: Values) => first.holds(row) || second.holds(row),
          },
        ]
      : []),
  ];
}

const isScalar = (value: unknown): boolean => value !== undefined && value !== null && typeof value !== 'object';

/** How a property is compared with one value; undefined where it is not. */
function comparisonOf({ keywords, properties }: ReturnType<typeof flatSchema>) {
  if (properties.has('eq')) return (value: unknown) => ({ eq: value });
  if (properties.has('in')) return (value: unknown) => ({ in: [value] });
  if (properties.size > 0) return undefined;
  return keywords.has('items') ? (value: unknown) => [value] : (value: unknown) => value;
}
