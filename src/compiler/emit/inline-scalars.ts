import type { OpenApiDocument } from '../../descriptor/document.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import { asNode, isNode, type Node, nodesBelow } from '../read/grammar.ts';

const SCALARS = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null']);
const COMPOSING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * Writes schemas of scalars where properties refer to them, so that editors show a property as `sku: string` with what the
 * contract says of it, and not by the name of its schema.
 */
export function inlineScalars(copy: OpenApiDocument): void {
  const schemas = asNode(copy.components?.schemas ?? {});
  for (const { node, kind } of [...nodesBelow(copy, 'document')]) {
    const { properties } = node;
    if (kind !== 'schema' || !isNode(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      const referred = schemas[schemaNameOf(property) ?? ''];
      if (!isScalar(referred)) continue;
      const { $ref: _, ...beside } = property as Node;
      properties[name] = { ...structuredClone(referred), ...beside };
    }
  }
}

function isScalar(schema: unknown): schema is Node {
  if (!isNode(schema) || COMPOSING.some((keyword) => keyword in schema)) return false;
  const types = [schema['type']].flat();
  return types.length > 0 && types.every((type) => SCALARS.has(type));
}
