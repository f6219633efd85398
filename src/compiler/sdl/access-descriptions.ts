import {
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type StringValueNode,
} from 'graphql';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { accessSentences, fieldSentences } from '../../descriptor/row-access-words.ts';
import { withSentences } from '../../descriptor/with-sentences.ts';

/**
 * The SDL with what the rules of access say, in words, in the descriptions of the types of resources and of their
 * fields.
 */
export function withAccessDescriptions(sdl: DocumentNode, resources: readonly ResourceDescriptor[]): DocumentNode {
  const ruled = new Map(
    resources
      .filter(({ rowAccess, properties }) => rowAccess || properties.some(({ access }) => access))
      .map((resource) => [resource.name, resource]),
  );
  if (ruled.size === 0) return sdl;
  const definitions = sdl.definitions.map((node) => {
    const resource = node.kind === Kind.OBJECT_TYPE_DEFINITION ? ruled.get(node.name.value) : undefined;
    return resource ? withWords(node as ObjectTypeDefinitionNode, resource, resources) : node;
  });
  return { ...sdl, definitions };
}

function withWords(
  type: ObjectTypeDefinitionNode,
  { rowAccess = {}, properties }: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): ObjectTypeDefinitionNode {
  const rules = new Map(properties.map(({ name, access = {} }) => [name, fieldSentences(access, resources)]));
  const fields = type.fields?.map((field): FieldDefinitionNode => described(field, rules.get(field.name.value) ?? []));
  return { ...described(type, accessSentences(rowAccess, resources)), ...(fields && { fields }) };
}

/** A node with sentences after its own description. */
export function described<Node extends { readonly description?: StringValueNode | undefined }>(
  node: Node,
  sentences: readonly string[],
): Node {
  const own = node.description?.value;
  const value = withSentences(own, sentences);
  if (value === undefined || value === own) return node;
  return { ...node, description: { kind: Kind.STRING, value, block: true } };
}
