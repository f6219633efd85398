import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import type { ContractSide } from '../../compiler/graphql/convention/contract-side.ts';
import { wordsOf } from '../../compiler/graphql/convention/words.ts';
import { upperFirst } from '../../compiler/model/naming.ts';
import { type Json, pathParameter, schemaRef } from './openapi-resource.ts';
import { operationOf } from './resources-of-schema.ts';
import type { SchemaDeriver } from './schemas-of-types.ts';

/** A custom field for which the document has no operation. */
export interface OperationSite {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly method: 'get' | 'post';
  readonly operationId: string;
  /** Whether the field names the operation (`@operation`). */
  readonly isNamed: boolean;
}

/** Where an operation is served. */
export interface OperationRoute {
  readonly path: string;
  /** Path parameters by the arguments that give them. */
  readonly taken: ReadonlyMap<string, string>;
  /** All path parameters. */
  readonly given: readonly string[];
}

/** The Path Item Object with the operation that a custom field stands for. */
export function customPathItem(
  side: ContractSide,
  site: OperationSite,
  route: OperationRoute,
  schemas: SchemaDeriver,
): Json {
  const { field, method, operationId } = site;
  const { security, description, deprecated } = operationOf(side.document, field);
  const summary = upperFirst(wordsOf(operationId));
  const args = field.args.filter(({ name }) => !route.taken.has(name) && name !== 'ifVersion');
  const isInBody = ({ name, type }: GraphQLArgument): boolean =>
    method === 'post' &&
    (isInputObjectType(getNamedType(type)) || !args.some((one) => one.name === 'input') || name === 'input');
  const query = args.filter((one) => !isInBody(one)).map((one) => queryParameter(one, schemas));
  return {
    ...(route.given.length > 0 && { parameters: route.given.map((name) => pathParameter(side, name)) }),
    [method]: {
      operationId,
      summary,
      description: description ?? `${summary}.`,
      ...(security && { security }),
      ...(deprecated && { deprecated }),
      ...(query.length > 0 && { parameters: query }),
      ...bodyOf(args.filter(isInBody), operationId, schemas),
      responses: responsesOf(site, route, schemas),
    },
  };
}

/** An object goes into the query member by member. */
function queryParameter(argument: GraphQLArgument, schemas: SchemaDeriver): Json {
  const { name, type, description } = argument;
  const isObject = isInputObjectType(getNamedType(type));
  const { description: _, ...schema } = schemas.propertySchema(argument, false);
  return {
    name,
    in: 'query',
    ...(isNonNullType(type) && { required: true }),
    description: description ?? `${upperFirst(wordsOf(name))}.`,
    ...(isObject && { style: 'deepObject', explode: true }),
    schema,
  };
}

/** The argument `input` is the body; others are its properties. */
function bodyOf(args: readonly GraphQLArgument[], operationId: string, schemas: SchemaDeriver): Json {
  if (args.length === 0) return {};
  const input = args.find(({ name }) => name === 'input');
  const required = args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  const name = `${upperFirst(operationId)}Input`;
  if (!input)
    schemas.schemas.set(name, {
      description: `Input for \`${operationId}\`.`,
      type: 'object',
      properties: Object.fromEntries(args.map((one) => [one.name, schemas.propertySchema(one, true)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    });
  const schema = input ? schemas.valueSchema(input.type, false) : schemaRef(name);
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } };
}

/** `Boolean!` of a change stands for an answer without content; null at the root, beside an id, for one that is not there. */
function responsesOf({ field, method }: OperationSite, { taken }: OperationRoute, schemas: SchemaDeriver): Json {
  if (method === 'post' && String(field.type) === 'Boolean!') return { 204: { description: 'Done.' } };
  const mayBeMissing = method === 'get' && taken.size > 0;
  const schema = schemas.valueSchema(field.type, !isNonNullType(field.type) && !mayBeMissing);
  return { 200: { description: 'The result.', content: { 'application/json': { schema } } } };
}
