import { enumValues } from '../../compiler/json-schema/property-type.ts';
import type { OperationDraft, PropertyDraft } from '../../compiler/model/draft.ts';
import { FILTER_OPERATORS, pagingParameter } from '../../compiler/resources/list-parameters.ts';
import { suggestion } from '../../compiler/rules/wording.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { Schema } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { draftOf } from '../derive/contract-side.ts';
import { comparedFilter, equalFilter, oneOfFilter } from '../derive/filter-parameters.ts';
import { type Json, sortParameter } from '../derive/openapi-resource.ts';
import { type Addition, type OpenContract, propertyNamed, resourceNamed } from './addition.ts';

const KEPT = ['type', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'enum', '$ref'];
const MAX_VALUES = 20;

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
  if (words.includes('in') && words.length > 1) throw new ConfigError([`${text}: \`in\` stands alone.`]);
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
      await addParameter(contract, list, filterParameter(draft, operators));
    }
  };

/** The addition of properties that a list can be sorted by, in both directions. */
export const sortAddition =
  (collection: string, properties: readonly string[]): Addition =>
  async (contract) => {
    const { source, writer } = contract;
    const { resource, list } = listNamed(contract, collection);
    const names = properties.map((name) => propertyNamed(resource, name).name);
    const known = resource.list?.sorts.map(({ property }) => property) ?? [];
    const taken = names.find((name) => known.includes(name));
    if (taken !== undefined) throw new ConfigError([`The list of ${collection} can be sorted by ${taken} already.`]);
    const sort = pagingParameter(list, 'sort');
    const values = names.flatMap((name) => [name, `-${name}`]);
    if (!sort) {
      await addParameter(contract, list, sortParameter(values));
      return;
    }
    const items = (Object(sort.schema) as { readonly items?: { readonly enum?: readonly string[] } }).items;
    if (!items?.enum)
      throw new ConfigError([`The values of \`sort\` stand in a schema of their own; add ${values.join(', ')} there.`]);
    for (const value of values) await writer.addItem(source.locate(items.enum), value);
  };

function listNamed(
  { side }: OpenContract,
  collection: string,
): { readonly resource: ResourceDescriptor; readonly list: OperationDraft } {
  const resource = resourceNamed(side, collection);
  const { list } = draftOf(side, resource).operations;
  if (!list) throw new ConfigError([`${collection} has no list.`]);
  return { resource, list };
}

const addParameter = ({ source, writer }: OpenContract, { node }: OperationDraft, parameter: Json): Promise<void> =>
  node.parameters
    ? writer.addItem(source.locate(node.parameters), parameter)
    : writer.addItem(source.locate(node), parameter, ['parameters']);

function filterParameter(property: PropertyDraft, operators: readonly string[]): Json {
  const { name } = property;
  const schema = filterSchema(property);
  const values = enumValues(property.flat);
  if (operators[0] === 'in' || (operators.length === 0 && values))
    return oneOfFilter(name, schema, values?.length ?? MAX_VALUES);
  if (operators.length === 0) return equalFilter(name, 'Only entries with this value.', schema);
  const text = { type: 'string', minLength: 1, maxLength: 200 };
  return comparedFilter(name, Object.fromEntries(operators.map((one) => [one, one === 'contains' ? text : schema])));
}

/** The schema of the property's values, without null and without what concerns the property alone. */
function filterSchema({ name, holder, flat }: PropertyDraft): Json {
  const own = (holder as Readonly<Record<string, Schema>>)[name] as Json;
  const branches = (own['oneOf'] ?? []) as readonly Json[];
  const reference = [own, ...branches].find((schema) => typeof schema['$ref'] === 'string');
  if (reference) return { $ref: reference['$ref'] };
  const kept = KEPT.flatMap((keyword) =>
    flat.keywords.has(keyword) ? [[keyword, flat.keywords.get(keyword)!.value]] : [],
  );
  const schema = Object.fromEntries(kept) as Json;
  const type = [schema['type']].flat().filter((one) => one !== 'null');
  return { ...schema, type: type.length === 1 ? type[0] : type };
}
