import {
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/**
 * Coordinates of a released schema that may go with a new API version: they are `@deprecated`, or reached through deprecated
 * fields alone. GraphQL has no versions side by side.
 */
export function retiredCoordinates(schema: GraphQLSchema): (coordinate: string) => boolean {
  const live = liveCoordinates(schema);
  return (coordinate) => {
    const known = nearest(schema, coordinate);
    return known !== undefined && !live.has(known);
  };
}

interface Member {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

const isKept = ({ deprecationReason }: Member): boolean =>
  deprecationReason === undefined || deprecationReason === null;

function liveCoordinates(schema: GraphQLSchema): ReadonlySet<string> {
  const live = new Set<string>();
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const left: GraphQLNamedType[] = roots.filter((type) => type !== undefined && type !== null);
  for (let type = left.pop(); type !== undefined; type = left.pop()) {
    if (live.has(type.name)) continue;
    live.add(type.name);
    if (isAbstractType(type)) left.push(...schema.getPossibleTypes(type));
    if (isEnumType(type)) for (const value of type.getValues().filter(isKept)) live.add(`${type.name}.${value.name}`);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields()).filter(isKept)) {
      live.add(`${type.name}.${field.name}`);
      left.push(namedTypeOf(field.type));
      for (const argument of 'args' in field ? field.args.filter(isKept) : []) {
        live.add(`${type.name}.${field.name}.${argument.name}`);
        left.push(namedTypeOf(argument.type));
      }
    }
  }
  return live;
}

const namedTypeOf = (type: GraphQLType): GraphQLNamedType => getNamedType(type);

/** The coordinate, or that of what it stands in, as far as the schema has it. */
function nearest(schema: GraphQLSchema, coordinate: string): string | undefined {
  const [typeName = '', name, argument] = coordinate.split('.');
  const type = schema.getType(typeName);
  if (!type || name === undefined) return type && typeName;
  const isEnumValue = isEnumType(type) && type.getValue(name) !== undefined && type.getValue(name) !== null;
  const field = 'getFields' in type ? type.getFields()[name] : undefined;
  if (!isEnumValue && !field) return typeName;
  const hasArgument = field && 'args' in field && field.args.some((one) => one.name === argument);
  return hasArgument ? coordinate : `${typeName}.${name}`;
}
