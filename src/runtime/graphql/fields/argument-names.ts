import type { FieldDescriptor, GraphqlDescriptor, ParamArguments } from '../../../descriptor/graphql.ts';
import { type Action, namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { pathParameters } from '../../../descriptor/sent-path.ts';

/**
 * The path parameters of an action by the arguments that give them, as the field of the action has them; a resolver that is
 * bound to another field gets arguments by the names of the ids of the ancestors. `by`: the properties that one may be read by.
 */
export function pathArguments(
  fields: ResourceFields,
  resource: ResourceDescriptor,
  action: Action,
  by: readonly string[] = [],
): ParamArguments {
  const field = fieldOf(fields, resource.key, action);
  const params = field && 'params' in field ? field.params : namedParams(resource, action);
  const parameters = [...Object.values(params), namingProperty(resource)];
  const others = by.filter((property) => !parameters.includes(property));
  return { ...params, ...Object.fromEntries(others.map((property) => [property, property])) };
}

function namedParams(resource: ResourceDescriptor, action: Action): ParamArguments {
  const ancestors = Object.fromEntries(pathParameters(resource.path).map((name) => [name, name]));
  if (action === 'list' || action === 'create') return ancestors;
  return { ...ancestors, [namingProperty(resource)]: resource.idParameter };
}

/** The arguments that give these properties, by which one may be read. */
export function keyArguments(
  params: ParamArguments,
  resource: ResourceDescriptor,
  by: readonly string[],
): readonly string[] {
  return by.map((property) => {
    const parameter = property === namingProperty(resource) ? resource.idParameter : property;
    return Object.keys(params).find((argument) => params[argument] === parameter) ?? property;
  });
}

/** The input type of an action: that of its field, or else the schema's name. */
export function inputTypeOf(
  fields: ResourceFields,
  resource: ResourceDescriptor,
  action: 'create' | 'replace' | 'update',
): string {
  const field = fieldOf(fields, resource.key, action);
  const { input = '', patch = '' } = resource.schemas;
  return field && 'input' in field ? field.input : action === 'update' ? patch : input;
}

/** The name of a resource's type. */
export const typeOf = ({ types }: GraphqlDescriptor, { key, name }: ResourceDescriptor): string =>
  Object.keys(types).find((type) => types[type] === key) ?? name;

/** The fields that stand for a resource, by its key. */
export type ResourceFields = ReadonlyMap<string, readonly FieldDescriptor[]>;

export function resourceFields({ fields }: GraphqlDescriptor): ResourceFields {
  const standing = Object.values(fields).filter((field) => 'resource' in field);
  return Map.groupBy(standing, ({ resource }) => resource);
}

/** The first field of a kind. */
export const fieldOf = (
  fields: ResourceFields,
  resource: string,
  kind: FieldDescriptor['kind'],
): FieldDescriptor | undefined => fields.get(resource)?.find((field) => field.kind === kind);
