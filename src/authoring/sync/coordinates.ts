import {
  buildASTSchema,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  visit,
} from 'graphql';

type MemberNode = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode;

/** What an SDL has: `Book`, `Book.title`, `Query.books(sort:)`, `Media.Book` of a union. `isCounted`: which members and arguments count. */
export function coordinatesOf(
  document: DocumentNode,
  isCounted: (node: MemberNode) => boolean = () => true,
): ReadonlySet<string> {
  const types = document.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value);
  const found = new Set(types);
  for (const node of document.definitions)
    if (node.kind === Kind.UNION_TYPE_DEFINITION)
      for (const { name } of node.types ?? []) found.add(`${node.name.value}.${name.value}`);
  membersWhere(document, (coordinate, node) => {
    if (isCounted(node)) found.add(coordinate);
    return true;
  });
  return found;
}

export const argumentOf = (type: string, field: string, name: string): string => `${type}.${field}(${name}:)`;

/** The schema of an SDL without some of its members and arguments. */
export const schemaWithout = (document: DocumentNode, removed: ReadonlySet<string>): GraphQLSchema =>
  buildASTSchema(
    membersWhere(document, (coordinate) => !removed.has(coordinate)),
    { assumeValid: true, assumeValidSDL: true },
  );

function membersWhere(document: DocumentNode, isKept: (coordinate: string, node: MemberNode) => boolean): DocumentNode {
  let type = '';
  let field: string | undefined;
  return visit(document, {
    enter: (node) => {
      if (isTypeDefinitionNode(node)) [type, field] = [node.name.value, undefined];
      if (node.kind === Kind.FIELD_DEFINITION) field = node.name.value;
      else if (node.kind !== Kind.ENUM_VALUE_DEFINITION && node.kind !== Kind.INPUT_VALUE_DEFINITION)
        return node.kind === Kind.DIRECTIVE_DEFINITION ? false : undefined;
      const { value } = node.name;
      const isArgument = node.kind === Kind.INPUT_VALUE_DEFINITION && field !== undefined;
      const coordinate = isArgument ? argumentOf(type, field ?? '', value) : `${type}.${value}`;
      return isKept(coordinate, node) ? undefined : null;
    },
  });
}
