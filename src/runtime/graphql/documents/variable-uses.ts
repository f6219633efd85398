import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  Kind,
  type ListValueNode,
  type ObjectValueNode,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Whether the input type of a variable, or one inside it, contains itself. */
export function containsItself(schema: GraphQLSchema, written: TypeNode): boolean {
  const open = new Set<GraphQLNamedType>();
  const closed = new Set<GraphQLNamedType>();
  const visit = (type: GraphQLNamedType | undefined): boolean => {
    if (!isInputObjectType(type) || closed.has(type)) return false;
    if (open.has(type)) return true;
    open.add(type);
    const found = Object.values(type.getFields()).some((field) => visit(getNamedType(field.type)));
    open.delete(type);
    closed.add(type);
    return found;
  };
  return visit(schema.getType(nameIn(written)));
}

/** Whether a variable stands inside a list or an object that is the value of a scalar. */
export function variesInScalar(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let varies = false;
  const enter = (node: ObjectValueNode | ListValueNode, type: unknown): void => {
    if (!isLeafType(isNonNullType(type) ? type.ofType : type)) return;
    const found = (): void => {
      varies = true;
    };
    visit(node, { Variable: found });
  };
  const visitor = {
    ObjectValue: (node: ObjectValueNode) => enter(node, types.getInputType()),
    ListValue: (node: ListValueNode) => enter(node, types.getParentInputType()),
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return varies;
}

const nameIn = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameIn(type.type));

/** The variables in lists and objects, and those in directives. */
export function uses(document: DocumentNode): { readonly nested: Set<string>; readonly conditional: Set<string> } {
  const nested = new Set<string>();
  const conditional = new Set<string>();
  const within = (into: Set<string>) => ({
    Variable: ({ name }: { readonly name: { readonly value: string } }) => {
      into.add(name.value);
    },
  });
  visit(document, {
    VariableDefinition: () => false,
    ObjectValue: (node) => {
      visit(node, within(nested));
    },
    ListValue: (node) => {
      visit(node, within(nested));
    },
    Directive: (node) => {
      visit(node, within(conditional));
    },
  });
  return { nested, conditional };
}
