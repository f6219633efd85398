import { suggestion } from '../../compiler/findings/index.ts';
import { draftOf, filteredOf } from '../../compiler/graphql/convention/index.ts';
import { enumValues } from '../../compiler/json-schema/index.ts';
import type { OperationDraft, PropertyDraft } from '../../compiler/model/index.ts';
import { FILTER_OPERATORS } from '../../compiler/model/resources/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import { addListParameter, addSortValues, type FilterShape, propertyFilter } from '../sync/parameter-objects.ts';
import { type Addition, propertyNamed, resourceNamed } from './addition.ts';

/** `pages:gte,lte`: a filter of a list as given on the command line; without operators, it takes the value itself. */
export interface Filter {
  readonly property: string;
  readonly operators: readonly string[];
}

/** Parses an argument. Throws `ConfigError`. */
export function readFilter(text: string): Filter {
  const [, property, operators] = /^([A-Za-z]\w*)(?::([a-z,]+))?$/.exec(text) ?? [];
  if (property === undefined)
    throw new ConfigError([`${text} is not a filter; write property, property:in or property:gte,lte.`]);
  const words = operators?.split(',') ?? [];
  const known = [...FILTER_OPERATORS, 'in'];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new ConfigError([`${text}: ${unknown} is not an operator. ${suggestion(unknown, known)}`]);
  if (words.includes('in') && words.length > 1)
    throw new ConfigError([`${text}: \`in\` cannot be combined with other operators.`]);
  return { property, operators: words };
}

/** The addition of filters to the list of a resource. Those of an enum take some of its values. */
export const filterAddition =
  (collection: string, filters: readonly Filter[]): Addition =>
  async (contract) => {
    const { resource, list } = listNamed(contract, collection);
    for (const { property, operators } of filters) {
      const { name } = propertyNamed(resource, property);
      if (list.parameters.some((one) => one.in === 'query' && one.name === name))
        throw new ConfigError([`The list of ${collection} has a parameter ${name} already.`]);
      const draft = draftOf(contract.side, resource).schema.properties.get(name)!;
      for (const operation of filteredOf(draftOf(contract.side, resource)))
        await addListParameter(contract, operation, propertyFilter(draft, shapeOf(draft, operators)));
    }
  };

/** The addition of properties that a list can be sorted by, in both directions. */
export const sortAddition =
  (collection: string, properties: readonly string[]): Addition =>
  async (contract) => {
    const { resource, list } = listNamed(contract, collection);
    const names = properties.map((name) => propertyNamed(resource, name).name);
    const known = resource.list?.sorts.map(({ property }) => property) ?? [];
    const taken = names.find((name) => known.includes(name));
    if (taken !== undefined) throw new ConfigError([`The list of ${collection} can be sorted by ${taken} already.`]);
    const values = names.flatMap((name) => [name, `-${name}`]);
    await addSortValues(contract, list, values);
  };

/** The list of a collection. Throws `ConfigError`. */
export function listNamed(
  { side }: OpenContract,
  collection: string,
): { readonly resource: ResourceDescriptor; readonly list: OperationDraft } {
  const resource = resourceNamed(side, collection);
  const { list } = draftOf(side, resource).operations;
  if (!list) throw new ConfigError([`${collection} has no list.`]);
  return { resource, list };
}

/** Filters of an enum take some of its values, unless they are said to take operators. */
function shapeOf(draft: PropertyDraft, operators: readonly string[]): FilterShape {
  if (operators[0] === 'in' || (operators.length === 0 && enumValues(draft.flat))) return 'in';
  return operators.length === 0 ? 'equal' : operators;
}
