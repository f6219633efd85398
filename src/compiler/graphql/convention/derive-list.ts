import { startWithArticle } from '../../../descriptor/article.ts';
import type { Parameter, Schema } from '../../../descriptor/document.ts';
import { type FilterDescriptor, holdsId, isFiltered, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { INT32_BOUNDS, isWithin } from '../../json-schema/integer-bounds.ts';
import { lowerFirst, upperFirst } from '../../model/naming.ts';
import { pagingParameter, parameterSchema } from '../../model/resources/list-parameters.ts';
import { flatSchema, itemsOf } from '../../model/schemas.ts';
import { type Contract, type ContractSide, draftOf } from './contract-side.ts';
import { type Definition, type Member, nameIn } from './definition.ts';
import { sortName } from './names.ts';
import { idText, membersOf, type PropertyMember, unnamedObject } from './object-members.ts';
import type { Operators, RangeTypes } from './range-types.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { descriptionOf, wordsOf } from './words.ts';

/** The definitions of a list: connection, edge, filter and order. */
export function deriveList(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
  plural: string,
): void {
  connection(side, types, resource, plural);
  const { name, list } = resource;
  const { filters, sorts } = list!;
  if (list!.filter !== undefined) types.filter(list!.filter, `Selects the ${plural} in a list.`);
  else if (isFiltered(list)) {
    const members = [
      ...filters.map((filter) => filterMember(side, types, ranges, resource, filter)),
      ...referenceMembers(side, types, resource),
    ];
    types.add({ kind: 'input', name: `${name}Filter`, description: `Selects the ${plural} in a list.`, members });
  }
  if (sorts.length > 0) {
    const members = sorts.map(({ value }) => ({ name: sortName(value) }));
    types.add({ kind: 'enum', name: `${name}Sort`, description: `The order of ${plural}.`, members });
  }
}

function connection(side: ContractSide, types: TypeDeriver, resource: ResourceDescriptor, plural: string): void {
  const { name, list } = resource;
  const isCounted = pagingParameter(draftOf(side, resource).operations.list!, 'count') !== undefined;
  const [page, edge] = pageTypes(name);
  types.add({
    ...page,
    description: `A page of ${plural}.`,
    members: [
      ...page.members,
      ...(isCounted ? [TOTAL_COUNT] : []),
      ...(isCounted && list!.countBound !== undefined ? [TOTAL_COUNT_IS_EXACT] : []),
    ],
  });
  types.add({ ...edge, description: `${startWithArticle(wordsOf(lowerFirst(name)))} in a page.` });
}

/** The types of Relay's cursor connections for the pages of a resource: a connection, and an edge of it. */
export const pageTypes = (name: string): readonly [page: Definition, edge: Definition] => [
  {
    kind: 'type',
    name: `${name}Connection`,
    members: [
      { name: 'edges', type: `[${name}Edge!]!` },
      { name: 'nodes', type: `[${name}!]!` },
      { name: 'pageInfo', type: 'PageInfo!' },
    ],
  },
  {
    kind: 'type',
    name: `${name}Edge`,
    members: [
      { name: 'cursor', type: 'String!' },
      { name: 'node', type: `${name}!` },
    ],
  },
];

export const TOTAL_COUNT: Member = { name: 'totalCount', type: 'Int!' };
export const TOTAL_COUNT_IS_EXACT: Member = { name: 'totalCountIsExact', type: 'Boolean!' };

export const PAGE_INFO: Definition = {
  kind: 'type',
  name: 'PageInfo',
  description: 'The position of a page in its list.',
  members: [
    {
      name: 'hasNextPage',
      description: 'Whether another page follows; `after: endCursor` requests it.',
      type: 'Boolean!',
    },
    { name: 'hasPreviousPage', description: 'Whether the page was requested with a cursor.', type: 'Boolean!' },
    { name: 'startCursor', description: 'Cursor of the first entry; null when the page is empty.', type: 'String' },
    { name: 'endCursor', description: 'Cursor of the last entry; null when the page is empty.', type: 'String' },
  ],
};

/** The fields for parameters named for references, whose inputs have the same properties. */
function referenceMembers(side: ContractSide, types: TypeDeriver, resource: ResourceDescriptor): readonly Member[] {
  return (resource.list!.referenceFilters ?? []).map((parameter) => {
    const node = queryParameter(side, resource, parameter);
    const name = `${resource.name}${upperFirst(parameter)}Filter`;
    const { members } = referenceInput(side, resource, parameter, (site) =>
      types.typeOf(site.schemas, 'input', { owner: name, member: site.name }),
    );
    const bare = members.map((one) => ({ name: one.name, type: one.type }));
    types.add({ kind: 'input', name, description: `What the ${wordsOf(parameter)} has.`, members: bare });
    return { name: parameter, description: descriptionOf(node), type: name };
  });
}

/** What a parameter that is named for a reference takes of the resource referred to, and the schema that says it. */
export function referenceInput(
  contract: Contract,
  resource: ResourceDescriptor,
  parameter: string,
  typeOf: (site: FlatProperty) => string,
): { readonly members: readonly PropertyMember[]; readonly node: object } {
  const flat = parameterSchema(contract.document, queryParameter(contract, resource, parameter)!);
  const target = resource.relations?.[parameter]?.resource ?? parameter;
  // As in a patch, nothing is required.
  const object = { ...unnamedObject(flat, 'input', target), isPatch: true, isCompared: true };
  return { members: membersOf(contract, object, typeOf), node: flat.nodes.at(-1)! };
}

const queryParameter = (contract: Contract, resource: ResourceDescriptor, name: string): Parameter | undefined =>
  pagingParameter(draftOf(contract, resource).operations.list!, name);

function filterMember(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
  filter: FilterDescriptor,
): Member {
  const { parameter, property } = filter;
  const name = resource.name + upperFirst(property);
  const operands = filterOperands(side, resource, filter, (schemas) =>
    types.typeOf(schemas, 'input', { owner: resource.name, member: property }),
  );
  const taken = typeof operands === 'string' ? [operands] : operands.map(([, type]) => type);
  if (taken.some((type) => nameIn(type) === 'SafeInt')) types.scalar('SafeInt');
  return {
    name: parameter,
    description: descriptionOf(queryParameter(side, resource, parameter)),
    type: typeof operands === 'string' ? operands : ranges.nameOf(operands, name),
  };
}

/** The type of what a filter compares with: one, or that of each operator. `typeOf`: of a property other than an id. */
export function filterOperands(
  contract: Contract,
  resource: ResourceDescriptor,
  { parameter, property, shape, operators }: FilterDescriptor,
  typeOf: (schemas: readonly Schema[]) => string,
): string | Operators {
  const site = draftOf(contract, resource).schema.flat.properties.get(property);
  const isId = resource.properties.some((one) => one.name === property && holdsId(one));
  const schemas = site?.schemas ?? [];
  const id = isId ? idText(flatSchema(contract.document, ...schemas)) : undefined;
  const text = id ?? (site ? typeOf(schemas) : 'String');
  const flat = flatSchema(contract.document, queryParameter(contract, resource, parameter)?.schema ?? true);
  const operand = (given: readonly Schema[]): string => widened(text, flatSchema(contract.document, ...given));
  if (shape === 'in') return `[${operand([itemsOf(flat) ?? true])}!]`;
  if (shape === 'eq') return widened(text, flat);
  return operators.map((operator) => [
    operator,
    operator === 'contains' ? 'String' : operand(flat.properties.get(operator)?.schemas ?? []),
  ]);
}

/** A filter may declare that it takes integers that its property never has, and that `Int` refuses. */
const widened = (text: string, operand: FlatSchema): string =>
  text === 'Int' && !isWithin(operand, INT32_BOUNDS) ? 'SafeInt' : text;
