import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { InputDescriptor, InputFieldDescriptor } from '../../../descriptor/graphql.ts';
import { type FlatSchema, isSchemaObject } from '../../json-schema/flat-schema.ts';
import { propertyType } from '../../json-schema/property-type.ts';
import { flatSchema, namedSchemas } from '../../model/schemas.ts';
import { discriminated } from '../convention/discriminated.ts';
import { variantName } from '../convention/names.ts';
import type { OriginalNames } from './original-names.ts';

/** An input type, and the schemas of the values that it stands for. */
export interface InputUse {
  readonly type: GraphQLInputObjectType;
  readonly schemas: readonly Schema[];
}

/**
 * How values of the input types are translated to JSON: of those that have a schema of their own, and of those for schemas
 * without a name, inside these and in the arguments of custom fields (`used`).
 */
export function describeInputs(
  schema: GraphQLSchema,
  names: OriginalNames,
  used: readonly InputUse[],
): Record<string, InputDescriptor> {
  const { spelled: document } = names;
  const inputs: Record<string, InputDescriptor> = {};
  const add = ({ type, schemas }: InputUse): void => {
    if (inputs[type.name]) return;
    const { descriptor, inside } = describe(type, schemas, names);
    inputs[type.name] = descriptor;
    for (const one of inside) if (schemaOfInput(one.type.name, document) === undefined) add(one);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    const name = isInputObjectType(type) ? schemaOfInput(type.name, document) : undefined;
    if (name !== undefined) add({ type: type as GraphQLInputObjectType, schemas: [namedSchemas(document)[name]!] });
  }
  for (const one of used) add(one);
  return inputs;
}

/** The schema of an input type: the one of the same name, or `Address` for `AddressInput`. */
export function schemaOfInput(type: string, document: OpenApiDocument): string | undefined {
  return [type, type.replace(/Input$/, '')].find((name) => namedSchemas(document)[name] !== undefined);
}

/** An input type, and the input types of its fields. */
function describe(
  type: GraphQLInputObjectType,
  schemas: readonly Schema[],
  names: OriginalNames,
): { readonly descriptor: InputDescriptor; readonly inside: readonly InputUse[] } {
  const { spelled: document } = names;
  const flat = behindLists(document, schemas);
  const inside: InputUse[] = [];
  const fields: Record<string, InputFieldDescriptor> = {};
  for (const field of Object.values(type.getFields())) {
    const named = getNamedType(field.type);
    const own = flat.properties.get(field.name)?.schemas ?? [];
    const value = flatSchema(document, ...own);
    if (isInputObjectType(named)) inside.push({ type: named, schemas: own });
    const property = names.property(flat, field.name);
    fields[field.name] = {
      nullable: value.nullable,
      ...(property !== field.name && { property }),
      ...(isInputObjectType(named) && { input: named.name }),
      ...(named.name === 'ID' && isInteger(document, value) && { isIntegerId: true as const }),
    };
  }
  const name = schemaOfInput(type.name, document);
  const variants = type.isOneOf && name !== undefined ? discriminated(names.document, names.schema(name)) : undefined;
  if (!variants) return { descriptor: { fields }, inside };
  const values = Object.fromEntries(Object.keys(variants.schemas).map((value) => [variantName(value), value]));
  return { descriptor: { fields, oneOf: { property: variants.property, values } }, inside };
}

/** What the schemas say of a value, or of the entries of a list. */
function behindLists(document: OpenApiDocument, schemas: readonly Schema[]): FlatSchema {
  const flat = flatSchema(document, ...schemas);
  const items = flat.keywords.get('items')?.value;
  return isSchemaObject(items) ? behindLists(document, [items]) : flat;
}

/** Whether a value, or each entry of a list, is an integer. */
function isInteger(document: OpenApiDocument, value: FlatSchema): boolean {
  const items = value.keywords.get('items')?.value;
  const one = isSchemaObject(items) ? flatSchema(document, items) : value;
  return propertyType(one) === 'integer';
}
