import {
  type DefinitionNode,
  type DocumentNode,
  isTypeExtensionNode,
  type SchemaExtensionNode,
  type TypeExtensionNode,
} from 'graphql';

type Extension = TypeExtensionNode | SchemaExtensionNode;

/** The parts of a definition that extensions add to. */
const PARTS = ['directives', 'interfaces', 'fields', 'values', 'types', 'operationTypes'];

/** The document with every extension merged into its definition; definitions keep their locations. */
export function mergeExtensions(document: DocumentNode): DocumentNode {
  const extensions = Map.groupBy(document.definitions.filter(isExtension), keyOf);
  const definitions = document.definitions
    .filter((definition) => !isExtension(definition))
    .map((definition) => (extensions.get(keyOf(definition)) ?? []).reduce(extended, definition));
  return { ...document, definitions };
}

const isExtension = (definition: DefinitionNode): definition is Extension =>
  isTypeExtensionNode(definition) || definition.kind === 'SchemaExtension';

const keyOf = (definition: DefinitionNode): string =>
  `${definition.kind.replace('Extension', 'Definition')} ${'name' in definition ? definition.name?.value : ''}`;

function extended(definition: DefinitionNode, extension: Extension): DefinitionNode {
  const own = new Map<string, unknown>(Object.entries(definition));
  const merged = Object.entries(extension)
    .filter(([part]) => PARTS.includes(part))
    .map(([part, added]) => [part, [own.get(part) ?? [], added].flat()]);
  return { ...definition, ...Object.fromEntries(merged) };
}
