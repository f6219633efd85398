import { type GraphQLObjectType, type GraphQLSchema, getDirectiveValues, isObjectType } from 'graphql';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { FieldDescriptor, GraphqlDescriptor, GraphqlLimits } from '../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { describeInputs } from './describe-inputs.ts';
import { describeSorts } from './describe-sorts.ts';
import { describeUnions } from './describe-unions.ts';
import { FieldRecogniser } from './recognise-field.ts';

/** What the fields, inputs, unions and sort enums of a schema mean by the conventions. */
export function describeGraphql(
  schema: GraphQLSchema,
  resources: readonly ResourceDescriptor[],
  document: OpenApiDocument,
): GraphqlDescriptor {
  const recogniser = new FieldRecogniser(schema, resources, document);
  const fields: Record<string, FieldDescriptor> = {};
  for (const type of objectTypes(schema)) {
    for (const field of Object.values(type.getFields())) {
      const descriptor = recogniser.recognise(type, field);
      if (descriptor) fields[`${type.name}.${field.name}`] = descriptor;
    }
  }
  return {
    limits: limitsOf(schema),
    types: Object.fromEntries(resources.filter(({ name }) => schema.getType(name)).map(({ name, key }) => [name, key])),
    fields,
    inputs: describeInputs(schema, document, recogniser.inputUses),
    unions: describeUnions(schema, document),
    sorts: describeSorts(schema, resources, fields),
  };
}

function objectTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__'),
  ) as GraphQLObjectType[];
}

/** The limits of `@limits`, or its defaults. */
function limitsOf(schema: GraphQLSchema): GraphqlLimits {
  const definition = schema.getDirective('limits')!;
  const written = schema.astNode && getDirectiveValues(definition, schema.astNode);
  const defaults = Object.fromEntries(definition.args.map(({ name, defaultValue }) => [name, defaultValue]));
  return { ...defaults, ...written } as unknown as GraphqlLimits;
}
