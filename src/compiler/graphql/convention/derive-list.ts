import {
  type FilterDescriptor,
  type FilterOperator,
  holdsId,
  isFiltered,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { lowerFirst, upperFirst } from '../../model/naming.ts';
import { pagingParameter, parameterSchema } from '../../model/resources/list-parameters.ts';
import { type ContractSide, draftOf } from './contract-side.ts';
import type { Member } from './definition.ts';
import { sortName } from './names.ts';
import type { RangeTypes } from './range-types.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { descriptionOf, startWithArticle, wordsOf } from './words.ts';

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
  const words = wordsOf(lowerFirst(name));
  const isCounted = pagingParameter(draftOf(side, resource).operations.list!, 'count') !== undefined;
  types.add({
    kind: 'type',
    name: `${name}Connection`,
    description: `A page of ${plural}.`,
    members: [
      { name: 'edges', type: `[${name}Edge!]!` },
      { name: 'nodes', type: `[${name}!]!` },
      { name: 'pageInfo', type: 'PageInfo!' },
      ...(isCounted ? [{ name: 'totalCount', type: 'Int!' }] : []),
      ...(isCounted && list!.countBound !== undefined ? [{ name: 'totalCountIsExact', type: 'Boolean!' }] : []),
    ],
  });
  types.add({
    kind: 'type',
    name: `${name}Edge`,
    description: `${startWithArticle(words)} in a page.`,
    members: [
      { name: 'cursor', type: 'String!' },
      { name: 'node', type: `${name}!` },
    ],
  });
}

/** The fields for parameters named for references, whose inputs have the same properties. */
function referenceMembers(side: ContractSide, types: TypeDeriver, resource: ResourceDescriptor): readonly Member[] {
  return (resource.list!.referenceFilters ?? []).map((parameter) => {
    const node = draftOf(side, resource).operations.list!.parameters.find((one) => one.name === parameter)!;
    const target = side.resources.find(({ key }) => key === resource.relations?.[parameter]?.resource);
    const name = `${resource.name}${upperFirst(parameter)}Filter`;
    const members = [...parameterSchema(side.document, node).properties.values()].map((site) => {
      const isId = target?.properties.some((one) => one.name === site.name && holdsId(one));
      const type = isId ? 'ID' : types.typeOf(site.schemas, 'input', name + upperFirst(site.name));
      return { name: site.name, type };
    });
    types.add({ kind: 'input', name, description: `What the ${wordsOf(parameter)} has.`, members });
    return { name: parameter, description: descriptionOf(node), type: name };
  });
}

function filterMember(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
  { parameter, property, shape, operators }: FilterDescriptor,
): Member {
  const site = draftOf(side, resource).schema.flat.properties.get(property)!;
  const name = resource.name + upperFirst(property);
  const isId = resource.properties.some((one) => one.name === property && holdsId(one));
  const operand = isId ? 'ID' : types.typeOf(site.schemas, 'input', name);
  const node = draftOf(side, resource).operations.list!.parameters.find((one) => one.name === parameter);
  const described = { name: parameter, description: descriptionOf(node) };
  if (shape === 'eq') return { ...described, type: operand };
  if (shape === 'in') return { ...described, type: `[${operand}!]` };
  const typed = operators.map((operator): [FilterOperator, string] => [
    operator,
    operator === 'contains' ? 'String' : operand,
  ]);
  return { ...described, type: ranges.nameOf(typed, operand, name) };
}
