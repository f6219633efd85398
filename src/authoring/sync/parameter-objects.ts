import { enumValues } from '../../compiler/json-schema/index.ts';
import type { ObjectDraft, OperationDraft, PropertyDraft } from '../../compiler/model/index.ts';
import { itemSchema, offeredValues, pagingParameter, parameterSchema } from '../../compiler/model/resources/index.ts';
import type { Schema } from '../../descriptor/document.ts';
import type { OpenContract } from './open-contract.ts';
import { type Json, sortedProperties, sortParameter } from './openapi-resource.ts';

const KEPT = ['type', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'enum', '$ref'];
/** The most values of a derived filter that are not those of an enum. */
export const MAX_VALUES = 20;

/** What a filter takes: the value, some values with commas between, or operators with values (`pages[gte]=100`). */
export type FilterShape = 'equal' | 'in' | readonly string[];

interface FilterWords {
  /** The most values that it takes. */
  readonly most?: number | undefined;
  readonly description?: string | undefined;
}

/** A filter of a list. `operand`: the schema of a value, or of what an operator takes. */
export function filterParameter(
  name: string,
  shape: FilterShape,
  operand: (operator?: string) => Json,
  { most = MAX_VALUES, description = 'Only entries with this value.' }: FilterWords = {},
): Json {
  const own = { name, in: 'query' };
  if (shape === 'equal') return { ...own, description, schema: operand() };
  if (shape === 'in')
    return {
      ...own,
      description: 'Only entries with one of these values.',
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, maxItems: most, items: operand() },
    };
  const properties = Object.fromEntries(shape.map((operator) => [operator, operand(operator)]));
  return {
    ...own,
    description: 'Only entries whose value is in this range.',
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', properties, additionalProperties: false },
  };
}

/** The filter of a list by a property, whose bounds it has. */
export const propertyFilter = (property: PropertyDraft, shape: FilterShape): Json =>
  filterParameter(property.name, shape, (operator) => operandSchema(property, operator), {
    most: enumValues(property.flat)?.length,
  });

/** What an operator of a filter by a property takes. */
export const operandSchema = (property: PropertyDraft, operator?: string): Json =>
  operator === 'contains' ? { type: 'string', minLength: 3, maxLength: 200 } : valueSchema(property);

/** The schema of the property's values, without null and without what concerns the property alone. */
export function valueSchema({ name, holder, flat }: PropertyDraft): Json {
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

/** Adds a parameter after the others of an operation. */
export function addListParameter(
  { source, writer }: OpenContract,
  { node }: OperationDraft,
  parameter: Json,
): Promise<void> {
  return node.parameters
    ? writer.addItem(source.locate(node.parameters), parameter)
    : writer.addItem(source.locate(node), parameter, ['parameters']);
}

/**
 * Adds keys of order to a list, wherever the values of its parameter `sort` stand. Where a list could be sorted by all
 * properties at once, it still can.
 */
export async function addSortValues(
  contract: OpenContract,
  list: OperationDraft,
  values: readonly string[],
): Promise<void> {
  const { source, writer } = contract;
  const sort = pagingParameter(list, 'sort');
  if (!sort) {
    await addListParameter(contract, list, sortParameter(values));
    return;
  }
  const schema = parameterSchema(source.document, sort);
  const known = itemSchema(source.document, schema).keywords.get('enum');
  if (!known) return;
  const before = offeredValues(source.document, sort);
  const most = schema.keywords.get('maxItems');
  const needed = sortedProperties([...before, ...values]);
  if (most && sortedProperties(before) <= Number(most.value) && Number(most.value) < needed)
    await writer.replaceNumber(source.locate(most.node), needed, ['maxItems']);
  for (const value of values) await writer.addName(source.locate(known.node), value, ['enum']);
}

/** Adds a property beside the last one of an object's schema, and its name to `required` if it is. */
export async function addProperty(
  { source, writer }: OpenContract,
  flat: ObjectDraft['flat'],
  name: string,
  value: object,
  isRequired: boolean,
): Promise<void> {
  const node = flat.nodes.at(-1)!;
  const holder = [...flat.properties.values()].at(-1)?.holder;
  if (holder) await writer.addProperty(source.locate(holder), name, value);
  else await writer.addProperty(source.locate(node), name, value, ['properties']);
  if (!isRequired || flat.required.has(name)) return;
  const required = [...flat.required.values()].at(-1);
  if (required) await writer.addName(source.locate(required), name);
  else await writer.addName(source.locate(node), name, ['required']);
}
