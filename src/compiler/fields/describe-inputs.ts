import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { InputDescriptor, InputFieldDescriptor } from '../../descriptor/graphql.ts';
import { type FlatSchema, flattenSchema } from '../json-schema/flat-schema.ts';
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
      return [field.name, { nullable: isNullable(flat, field.name, document), ...(input !== undefined && { input }) }];
    }),
  ) satisfies Record<string, InputFieldDescriptor>;
  if (!variants) return { fields };
  const values = Object.fromEntries(Object.keys(variants.schemas).map((value) => [variantName(value), value]));
  return { fields, oneOf: { property: variants.property, values } };
}

function isNullable(flat: FlatSchema, property: string, document: OpenApiDocument): boolean {
  return flattenSchema(document, ...(flat.properties.get(property)?.schemas ?? [])).nullable;
}
