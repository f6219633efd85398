import { type DocumentNode, Kind, type ObjectTypeDefinitionNode } from 'graphql';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { accessSentences } from '../../descriptor/row-access-words.ts';

/** The SDL with what the rules of row access say, in words, in the descriptions of the types of resources. */
export function withAccessDescriptions(sdl: DocumentNode, resources: readonly ResourceDescriptor[]): DocumentNode {
  const sentences = new Map(
    resources.flatMap(({ name, rowAccess }) =>
      rowAccess ? [[name, accessSentences(rowAccess, resources)] as const] : [],
    ),
  );
  if (sentences.size === 0) return sdl;
  const definitions = sdl.definitions.map((node) => {
    const words = node.kind === Kind.OBJECT_TYPE_DEFINITION ? sentences.get(node.name.value) : undefined;
    return words ? described(node as ObjectTypeDefinitionNode, words) : node;
  });
  return { ...sdl, definitions };
}

function described(node: ObjectTypeDefinitionNode, sentences: readonly string[]): ObjectTypeDefinitionNode {
  const value = [...(node.description ? [node.description.value] : []), ...sentences].join('\n\n');
  return { ...node, description: { kind: Kind.STRING, value, block: true } };
}
