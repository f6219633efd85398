import {
  type ASTNode,
  type DefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A part of the schema that a document relies on, as changes name it: `Query.orders`, `Query.orders.first`, `Order`, `OrderSort.ID_ASC`. */
export interface Use {
  readonly coordinate: string;
  readonly node: ASTNode;
}

/** All uses in the documents of one consumer. */
export function usesIn(schema: GraphQLSchema, definitions: readonly DefinitionNode[]): readonly Use[] {
  const uses: Use[] = [];
  const info = new TypeInfo(schema);
  const use = (node: ASTNode, ...coordinates: readonly string[]): void => {
    for (const coordinate of coordinates) uses.push({ coordinate, node });
  };
  const visitor = visitWithTypeInfo(info, {
    Field(node) {
      const field = info.getFieldDef();
      if (field) use(node, `${info.getParentType()?.name}.${field.name}`, getNamedType(field.type).name);
    },
    Argument: (node) => use(node, `${info.getParentType()?.name}.${info.getFieldDef()?.name}.${node.name.value}`),
    ObjectField(node) {
      const input = getNamedType(info.getParentInputType())?.name;
      if (input !== undefined) use(node, input, `${input}.${node.name.value}`);
    },
    EnumValue: (node) => use(node, `${getNamedType(info.getInputType())?.name}.${node.value}`),
    VariableDefinition(node) {
      const type = typeFromAST(schema, node.type);
      if (type && isInputType(type)) use(node, ...partsOf(type));
    },
    NamedType: (node) => use(node, node.name.value),
    Directive: (node) => use(node, `@${node.name.value}`),
  });
  visit({ kind: Kind.DOCUMENT, definitions }, visitor);
  return uses;
}

/** A variable may hold any part of its type. */
function partsOf(given: GraphQLInputType, names = new Set<string>()): ReadonlySet<string> {
  const type = getNamedType(given);
  if (names.has(type.name)) return names;
  names.add(type.name);
  if (isEnumType(type)) for (const { name } of type.getValues()) names.add(`${type.name}.${name}`);
  for (const field of isInputObjectType(type) ? Object.values(type.getFields()) : [])
    partsOf(field.type, names.add(`${type.name}.${field.name}`));
  return names;
}
