import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type ContractSide, isRestAbsent, securityOf, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { describeGraphql } from '../../compiler/graphql/fields/index.ts';
import { unchangedView } from '../../compiler/graphql/names/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { kebabCase, lowerFirst, upperFirst } from '../../compiler/model/index.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OpenPair } from './open-contract.ts';
import { DONE, type Json, pathNames, pathParameter, resultOf } from './openapi-resource.ts';
import { type OperationParts, operationObject } from './operation-object.ts';
import type { SchemaDeriver } from './schemas-of-types.ts';
import { throughSites } from './sync-joins.ts';

/** A custom field for which the document has no operation. */
interface OperationSite {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly method: 'get' | 'post';
  readonly operationId: string;
  /** Whether the field names the operation (`@operation`). */
  readonly isNamed: boolean;
}

/** Where an operation is served. */
interface OperationRoute {
  readonly path: string;
  /** Path parameters by the arguments that give them. */
  readonly taken: ReadonlyMap<string, string>;
  /** All path parameters. */
  readonly given: readonly string[];
}

/**
 * Adds to a document the operations that fields of its SDL name with `@operation` and it lacks. Resolves with sentences: on the
 * paths that were chosen, on operations whose path does not follow, and on custom fields that name no operation.
 */
export async function syncOperations(contract: OpenPair, deriver: SchemaDeriver): Promise<readonly string[]> {
  const { side, writer } = contract;
  const gaps: string[] = [];
  for (const site of customSites(contract)) {
    const coordinate = `${site.type.name}.${site.field.name}`;
    const route = routeOf(contract, site);
    if (!site.isNamed) {
      gaps.push(
        `whether REST has \`${coordinate}\`: write \`@operation(id: "${site.operationId}")\` on it, or \`@parity(rest: ABSENT, because: "…")\`.`,
      );
    } else if (!route || side.draft.paths.some(({ path }) => path === route.path)) {
      gaps.push(
        `where \`${site.operationId}\` is served: \`${coordinate}\` does not name it; add its path to the document.`,
      );
    } else {
      const item = customPathItem(side, site, route, deriver);
      await writer.addPath(route.path, kebabCase(site.operationId), item);
      gaps.push(`whether \`${site.method.toUpperCase()} ${route.path}\` is the place for \`${site.operationId}\`.`);
    }
  }
  return gaps;
}

/** The custom fields that have no operation, unless they are said to have none. */
function customSites(contract: OpenPair): readonly OperationSite[] {
  const { schema, side } = contract;
  const { resources, document, operations, draft } = side;
  const known = new Set(operations.map(({ operationId }) => operationId));
  const joined = new Set(throughSites(contract).map(({ field }) => field));
  const { fields } = describeGraphql(schema, unchangedView(draft, resources), document, resources);
  return Object.entries(fields).flatMap(([coordinate, descriptor]): OperationSite[] => {
    if (descriptor.kind !== 'custom' || known.has(descriptor.operationId ?? '')) return [];
    const [typeName, fieldName] = coordinate.split('.') as [string, string];
    const type = schema.getType(typeName) as GraphQLObjectType;
    const field = type.getFields()[fieldName]!;
    if (isRestAbsent(schema, field) || joined.has(field) || type === schema.getSubscriptionType()) return [];
    const { operationId = defaultId(schema.getQueryType() === type, isRoot(schema, type), typeName, fieldName) } =
      descriptor;
    const method = type === schema.getMutationType() ? 'post' : 'get';
    return [{ type, field, method, operationId, isNamed: descriptor.operationId !== undefined }];
  });
}

const isRoot = (schema: GraphQLSchema, type: GraphQLObjectType): boolean =>
  [schema.getQueryType(), schema.getMutationType()].includes(type);

/** `getBookAvailability`, `lendBook` */
const defaultId = (isQuery: boolean, isAtRoot: boolean, type: string, field: string): string =>
  isAtRoot && !isQuery ? field : `get${isAtRoot ? '' : type}${upperFirst(field)}`;

/**
 * The path that a field's name and arguments say: below a resource for a field of its type, and for one that takes its id and has
 * its name (`lendBook(id:)` is `/books/{bookId}/lend`), else one at the top. Undefined where the ids of ancestors are missing.
 */
function routeOf(
  { schema, side: { resources } }: OpenPair,
  { type, field, method }: OperationSite,
): OperationRoute | undefined {
  const own =
    isObjectType(type) && !isRoot(schema, type) ? resources.find(({ name }) => name === type.name) : undefined;
  if (own)
    return {
      path: `${own.path}/{${own.idParameter}}/${kebabCase(field.name)}`,
      taken: new Map(),
      given: pathNames(own),
    };
  if (!isRoot(schema, type)) return undefined;
  const has = (name: string): boolean => field.args.some((one) => one.name === name);
  const found = named(resources, field.name).find(({ idParameter }) => has('id') || has(idParameter));
  if (!found) return has('id') ? undefined : { path: `/${kebabCase(field.name)}`, taken: new Map(), given: [] };
  const id = has(found.idParameter) ? found.idParameter : 'id';
  const ancestors = pathNames(found).slice(0, -1);
  if (!ancestors.every(has)) return undefined;
  const rest = lowerFirst(field.name.replace(new RegExp(`^get|${found.name}|^${lowerFirst(found.name)}`, 'g'), ''));
  const segment = rest === '' ? method : kebabCase(rest);
  const taken = new Map([...ancestors.map((name) => [name, name] as const), [id, found.idParameter]]);
  return { path: `${found.path}/{${found.idParameter}}/${segment}`, taken, given: pathNames(found) };
}

/** The resources whose name a field's name contains; the longest name first. */
const named = (resources: readonly ResourceDescriptor[], field: string): readonly ResourceDescriptor[] =>
  resources.filter(({ name }) => upperFirst(field).includes(name)).toSorted((a, b) => b.name.length - a.name.length);

/** The Path Item Object with the operation that a custom field stands for. */
function customPathItem(side: ContractSide, site: OperationSite, route: OperationRoute, schemas: SchemaDeriver): Json {
  const { field, method, operationId } = site;
  const { description } = field;
  const summary = upperFirst(wordsOf(operationId));
  const args = field.args.filter(({ name }) => !route.taken.has(name) && name !== 'ifVersion');
  const isInBody = ({ name, type }: GraphQLArgument): boolean =>
    method === 'post' &&
    (isInputObjectType(getNamedType(type)) || !args.some((one) => one.name === 'input') || name === 'input');
  const query = args.filter((one) => !isInBody(one)).map((one) => queryParameter(one, schemas));
  return {
    ...(route.given.length > 0 && { parameters: route.given.map((name) => pathParameter(side, name)) }),
    [method]: operationObject({
      operationId,
      summary,
      description: description ?? `${summary}.`,
      security: securityOf(field, side.document),
      deprecated: field.deprecationReason != null,
      parameters: query,
      body: bodyOf(args.filter(isInBody), operationId, schemas),
      answer: answerOf(site, route, schemas),
    }),
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
function bodyOf(args: readonly GraphQLArgument[], operationId: string, schemas: SchemaDeriver): OperationParts['body'] {
  if (args.length === 0) return undefined;
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
  const schema = input ? schemas.valueSchema(input.type, false) : schemaReference(name);
  return { schema, isRequired: required.length > 0 };
}

/** `Boolean!` of a change stands for an answer without content; null at the root, beside an id, for one that is not there. */
function answerOf(
  { field, method }: OperationSite,
  { taken }: OperationRoute,
  schemas: SchemaDeriver,
): OperationParts['answer'] {
  if (method === 'post' && String(field.type) === 'Boolean!') return DONE;
  const mayBeMissing = method === 'get' && taken.size > 0;
  const schema = schemas.valueSchema(field.type, !isNonNullType(field.type) && !mayBeMissing);
  return resultOf(schema);
}
