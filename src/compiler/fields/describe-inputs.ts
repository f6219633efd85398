import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { InputDescriptor, InputFieldDescriptor } from '../../descriptor/graphql.ts';
import { type FlatSchema, flattenSchema, isSchemaObject } from '../json-schema/flat-schema.ts';
import { propertyType } from '../json-schema/property-type.ts';
import { discriminated } from './discriminated.ts';
import { variantName } from './names.ts';

/** How values of the input types that have a schema are translated to JSON. */
export function describeInputs(schema: GraphQLSchema, document: OpenApiDocument): Record<string, InputDescriptor> {
  const inputs: Record<string, InputDescriptor> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    const name = isInputObjectType(type) ? schemaOfInput(type.name, document) : undefined;
    if (name !== undefined) inputs[type.name] = describe(type as GraphQLInputObjectType, name, document);
  }
  return inputs;
}

/** The schema of an input type: the one of the same name, or `Address` for `AddressInput`. */
export function schemaOfInput(type: string, { components }: OpenApiDocument): string | undefined {
  return [type, type.replace(/Input$/, '')].find((name) => components?.schemas?.[name] !== undefined);
}

function describe(type: GraphQLInputObjectType, name: string, document: OpenApiDocument): InputDescriptor {
  const variants = type.isOneOf ? discriminated(document, name) : undefined;
  const flat = flattenSchema(document, document.components!.schemas![name]!);
  const fields = Object.fromEntries(
    Object.values(type.getFields()).map((field) => {
      const named = getNamedType(field.type);
      const input = isInputObjectType(named) ? named.name : undefined;
      const value = flattenSchema(document, ...(flat.properties.get(field.name)?.schemas ?? []));
      return [
        field.name,
        {
          nullable: value.nullable,
          ...(input !== undefined && { input }),
          ...(named.name === 'ID' && isInteger(document, value) && { isIntegerId: true as const }),
        },
      ];
    }),
  ) satisfies Record<string, InputFieldDescriptor>;
  if (!variants) return { fields };
  const values = Object.fromEntries(Object.keys(variants.schemas).map((value) => [variantName(value), value]));
  return { fields, oneOf: { property: variants.property, values } };
}

/** Whether a value, or each entry of a list, is an integer. */
function isInteger(document: OpenApiDocument, value: FlatSchema): boolean {
  const items = value.keywords.get('items')?.value;
  const one = isSchemaObject(items) ? flattenSchema(document, items) : value;
  return propertyType(one) === 'integer';
}
