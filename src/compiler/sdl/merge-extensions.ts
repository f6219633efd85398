import {
  type DefinitionNode,
  type DocumentNode,
  isTypeExtensionNode,
  type SchemaExtensionNode,
  type TypeExtensionNode,
} from 'graphql';

type Extension = TypeExtensionNode | SchemaExtensionNode;

/** The parts of a definition that extensions add to. */
const PARTS = ['directives', 'interfaces', 'fields', 'values', 'types', 'operationTypes'] as const;

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
  const merged: Record<string, unknown> = { ...definition };
  for (const part of PARTS) {
    const added = (extension as unknown as Record<string, readonly unknown[] | undefined>)[part];
    if (added) merged[part] = [...((merged[part] as readonly unknown[] | undefined) ?? []), ...added];
  }
  return merged as unknown as DefinitionNode;
}
