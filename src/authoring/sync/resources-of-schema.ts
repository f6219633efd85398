import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import {
  type ContractSide,
  directiveOf,
  isDeliberate,
  securityOf,
  sortName,
} from '../../compiler/graphql/convention/index.ts';
import { kebabCase, lowerFirst, type ResourceDraft, upperFirst } from '../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { MANAGED } from '../../descriptor/managed-properties.ts';
import { ACTIONS, type Action } from '../../descriptor/resource.ts';
import { conditionInputs } from './condition-inputs.ts';
import { type KeyArguments, keyArgumentsOf, keySchema } from './key-arguments.ts';
import {
  COUNT_PARAMETER,
  CURSOR_PARAMETER,
  type Json,
  type ListSketch,
  limitParameter,
  type OperationSketch,
  type ResourceSketch,
} from './openapi-resource.ts';
import { type FilterShape, filterParameter } from './parameter-objects.ts';
import type { SchemaDeriver } from './schemas-of-types.ts';

type Field = GraphQLField<unknown, unknown>;

/** What a path is made of: that of the parent, and its parameter. */
export type Above = Pick<ResourceSketch, 'path' | 'idParameter' | 'key' | 'type' | 'singular' | 'parameters'>;

/** What the paths below a resource of the document begin with. */
export const aboveOf = ({ path, idParameter, keyProperty, name, operations }: ResourceDraft): Above => ({
  path,
  idParameter,
  ...(keyProperty !== undefined && { key: keyProperty }),
  type: name,
  singular: keyProperty === undefined ? idParameter.replace(/Id$/, '') : lowerFirst(name),
  parameters: Object.fromEntries(
    operations.get.parameters.flatMap((one) =>
      one.in === 'path' && one.schema ? [[one.name, one.schema as Json]] : [],
    ),
  ),
});

/**
 * Whether a type is that of a resource: it has the managed properties, and a field that gets one by id. `mapped`: names of resources with
 * tables of others, which may lack times.
 */
export function isResourceType(
  schema: GraphQLSchema,
  type: unknown,
  mapped: readonly string[] = [],
): type is GraphQLObjectType {
  if (!isObjectType(type)) return false;
  const fields = type.getFields();
  const isManaged = mapped.includes(type.name) || MANAGED.every((name) => fields[name]);
  return isManaged && getField(schema, type) !== undefined;
}

/** The names of resources with tables of others. */
export const mappedNames = ({ resources }: Pick<ContractSide, 'resources'>): readonly string[] =>
  resources.flatMap(({ name, mapped }) => (mapped ? [name] : []));

export const resourceTypes = (schema: GraphQLSchema): readonly GraphQLObjectType[] =>
  Object.values(schema.getTypeMap()).filter((type) => isResourceType(schema, type));

/** `Query.book(id: ID!): Book`, or `Query.product(sku: String!): Product` */
function getField(schema: GraphQLSchema, type: GraphQLObjectType): Field | undefined {
  const field = schema.getQueryType()?.getFields()[lowerFirst(type.name)];
  return field && getNamedType(field.type) === type && keyArgumentsOf(schema, type, field) ? field : undefined;
}

/** What names one of a resource's type, and its ancestors. */
const keysOf = (schema: GraphQLSchema, type: GraphQLObjectType): KeyArguments =>
  keyArgumentsOf(schema, type, getField(schema, type)!)!;

/** The names of the arguments that come before the id: the path parameters of the ancestors. */
export const ancestorsOf = (schema: GraphQLSchema, type: GraphQLObjectType): readonly string[] =>
  keysOf(schema, type).ancestors;

/** A resource as REST would serve it, or undefined when the SDL does not say where: no list of it has a name. */
export function sketchOf(
  schema: GraphQLSchema,
  document: OpenApiDocument,
  type: GraphQLObjectType,
  parent: Above | undefined,
  schemas: SchemaDeriver,
): ResourceSketch | undefined {
  const list = listField(schema, type, parent);
  const plural = list && pluralOf(list, parent);
  if (list === undefined || plural === undefined) return undefined;
  const singular = lowerFirst(type.name);
  const { own, others } = keysOf(schema, type);
  const idParameter = own === 'id' ? idParameterOf(schema, type) : own;
  const schemaOf = (name: string): Json => keySchema(schemas.valueSchema(type.getFields()[name]!.type, false));
  const actions = ACTIONS.flatMap((action): [Action, OperationSketch][] => {
    const field = action === 'list' ? list.field : fieldOf(schema, type, action);
    return field && !isDeliberate(schema, field) ? [[action, actionOf(document, field)]] : [];
  });
  return {
    type: type.name,
    singular,
    plural,
    path: `${parent ? `${parent.path}/{${parent.idParameter}}` : ''}/${kebabCase(plural)}`,
    idParameter,
    ...(own !== 'id' && { key: own }),
    otherKeys: others,
    parameters: {
      ...parent?.parameters,
      ...(own !== 'id' && { [own]: schemaOf(own) }),
      ...Object.fromEntries(others.map((name) => [name, schemaOf(name)])),
    },
    actions: Object.fromEntries(actions),
    list: listSketch(schema, type, list.field, schemas),
  };
}

/** `hallId` for a `VenueHall` where the fields of what is below it say so, else `venueHallId`. */
function idParameterOf(schema: GraphQLSchema, type: GraphQLObjectType): string {
  const types = resourceTypes(schema);
  const ofTypes = types.map(({ name }) => `${lowerFirst(name)}Id`);
  const above = ancestorsOf(schema, type).join();
  const said = types.flatMap((one) => {
    const names = ancestorsOf(schema, one);
    const last = names.at(-1);
    const isBelow = last !== undefined && names.slice(0, -1).join() === above && !ofTypes.includes(last);
    return isBelow && `${type.name}Id`.endsWith(upperFirst(last)) ? [last] : [];
  });
  return said[0] ?? `${lowerFirst(type.name)}Id`;
}

/** The connection that lists a resource. */
export interface FoundList {
  readonly field: Field;
  readonly isAtRoot: boolean;
}

/** The connection of a resource: at the root, or else of its parent. */
export function listField(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  parent: Above | undefined,
): FoundList | undefined {
  const among = (owner: unknown): Field | undefined =>
    isObjectType(owner)
      ? Object.values(owner.getFields()).find((field) => getNamedType(field.type).name === `${type.name}Connection`)
      : undefined;
  const atRoot = among(schema.getQueryType());
  if (atRoot) return { field: atRoot, isAtRoot: true };
  const nested = parent && among(schema.getType(parent.type));
  return nested && { field: nested, isAtRoot: false };
}

/** `copies`, for `Book.copies` as well as `Query.bookCopies`. */
function pluralOf({ field: { name }, isAtRoot }: FoundList, parent: Above | undefined): string | undefined {
  if (!isAtRoot || !parent) return name;
  return name.startsWith(parent.singular) ? lowerFirst(name.slice(parent.singular.length)) : name;
}

/** The field of an action of a resource, other than its list. */
export function fieldOf(schema: GraphQLSchema, type: GraphQLObjectType, action: Action): Field | undefined {
  if (action === 'get') return getField(schema, type);
  return schema.getMutationType()?.getFields()[`${action}${type.name}`];
}

/** What an operation has of its field. */
export const actionOf = (document: OpenApiDocument, field: Field): OperationSketch => ({
  security: securityOf(field, document),
  description: field.description ?? undefined,
  deprecated: field.deprecationReason != null,
});

function listSketch(schema: GraphQLSchema, type: GraphQLObjectType, field: Field, schemas: SchemaDeriver): ListSketch {
  const argument = (name: string) => field.args.find((one) => one.name === name);
  const size = directiveOf(schema, field, 'listSize');
  const first = argument('first')?.defaultValue;
  const maximum = Number(size?.['assumedSize'] ?? 100);
  const counted = schema.getType(`${type.name}Connection`);
  const hasCount = (name: string): boolean => isObjectType(counted) && counted.getFields()[name] !== undefined;
  const isCounted = hasCount('totalCount');
  const sortType = argument('sort') && getNamedType(argument('sort')!.type);
  const toRest = new Map(
    Object.keys(type.getFields()).flatMap((name) =>
      [name, `-${name}`].map((value) => [sortName(value), value] as const),
    ),
  );
  const restValues = (names: readonly string[]): readonly string[] => names.flatMap((name) => toRest.get(name) ?? []);
  const written = argument('sort')?.astNode?.defaultValue;
  const filter = argument('filter') && getNamedType(argument('filter')!.type);
  // The parameter `filter` is added when there is the resource to read them by.
  const conditions: ReadonlySet<unknown> = conditionInputs(schema);
  return {
    filters: conditions.has(filter) ? [] : filters(filter, schemas),
    sorts: isEnumType(sortType) ? restValues(sortType.getValues().map(({ name }) => name)) : [],
    defaultSort: written ? restValues([valueFromASTUntyped(written)].flat() as string[]) : [],
    paging: [
      ...(isCounted ? [COUNT_PARAMETER] : []),
      limitParameter(typeof first === 'number' ? first : Math.min(20, maximum), maximum),
      CURSOR_PARAMETER,
    ],
    pagesBack: argument('last') !== undefined,
    countsAll: isCounted && !hasCount('totalCountIsExact'),
  };
}

const filters = (type: unknown, schemas: SchemaDeriver): readonly Json[] =>
  (isInputObjectType(type) ? Object.values(type.getFields()) : []).map((field) => {
    const inner = getNullableType(field.type);
    const named = getNamedType(inner);
    const values = isListType(inner) ? inner.ofType : inner;
    const operators = isInputObjectType(inner) ? inner.getFields() : {};
    const operand = (operator = ''): Json => schemas.valueSchema(operators[operator]?.type ?? values, false);
    return filterParameter(field.name, shapeOf(field), operand, {
      most: isEnumType(named) ? named.getValues().length : undefined,
      description: field.description ?? undefined,
    });
  });

/** What a filter of an SDL takes. */
export function shapeOf({ type }: GraphQLInputField): FilterShape {
  const inner = getNullableType(type);
  if (isListType(inner)) return 'in';
  return isInputObjectType(inner) ? Object.keys(inner.getFields()) : 'equal';
}

/** Whether a field is a property of the resource, and not something that follows from properties. */
export function isProperty(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
  mapped: readonly string[] = [],
): boolean {
  const field = type.getFields()[name]!;
  const named = getNamedType(field.type);
  if (field.args.length > 0 || isDeliberate(schema, field) || named.name.endsWith('Connection')) return false;
  return !(isResourceType(schema, named, mapped) && type.getFields()[`${name}Id`] !== undefined);
}

/** The type that a property refers to: `Author`, for `authorId` beside `author: Author`. */
export function referredBy(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
  mapped: readonly string[] = [],
): string | undefined {
  const field = type.getFields()[name.replace(/Id$/, '')];
  const named = field && getNamedType(field.type);
  return /.Id$/.test(name) && isResourceType(schema, named, mapped) ? named.name : undefined;
}
