import type { OpenApiDocument } from '../../descriptor/document.ts';
import { childrenOf, type Kind, type Node } from '../read/grammar.ts';

/**
 * A copy of a bundled document in which nothing leads out of it, and only the operations of `paths` have names.
 * openapi-typescript would read files and hosts where an example or an extension happens to look like a reference,
 * and fail where a callback, a webhook or a path item in `components` shares its operationId with an operation.
 */
export function sealedDocument(document: OpenApiDocument): OpenApiDocument {
  // Through JSON: what two places share must be two objects now.
  const copy: OpenApiDocument = JSON.parse(JSON.stringify(document));
  const served = new Set<unknown>(Object.values(copy.paths ?? {}).flatMap((item) => Object.values(item)));
  const structure = new Set<unknown>();
  for (const { node, kind } of nodesBelow(copy as unknown as Node, 'document')) {
    structure.add(node);
    if (kind === 'example') delete node['externalValue'];
    if (kind === 'operation' && !served.has(node)) delete node['operationId'];
  }
  removeReferences(copy, structure);
  return copy;
}

function* nodesBelow(node: Node, kind: Kind): Generator<{ readonly node: Node; readonly kind: Kind }> {
  yield { node, kind };
  for (const child of childrenOf(node, kind)) yield* nodesBelow(child.child, child.kind);
}

/** From data; those of the structure are local. */
function removeReferences(value: unknown, structure: ReadonlySet<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  if (!structure.has(value) && '$ref' in value && typeof value.$ref === 'string') delete value.$ref;
  for (const member of Object.values(value)) removeReferences(member, structure);
}
