import type { OpenApiDocument } from '../../descriptor/document.ts';
import { childPointer } from '../../descriptor/json-pointer.ts';
import { isNode, type Node, nodesBelow } from '../read/grammar.ts';
import { nameSchemas } from './name-schemas.ts';

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
  for (const { node, kind } of nodesBelow(copy, 'document')) {
    structure.add(node);
    if (kind === 'example') delete node['externalValue'];
    if (kind === 'operation' && !served.has(node)) delete node['operationId'];
    if (kind === 'discriminator') referToSchemas(node, copy.components?.schemas ?? {});
  }
  removeReferences(copy, structure);
  nameSchemas(copy);
  return copy;
}

/**
 * A mapping may give names of schemas (OpenAPI 3.1, 4.8.25.3), of which some would be taken for files: they become
 * references, and a name of no schema goes.
 */
function referToSchemas({ mapping }: Node, schemas: object): void {
  if (!isNode(mapping)) return;
  for (const [value, name] of Object.entries(mapping)) {
    if (typeof name !== 'string' || name.startsWith('#')) continue;
    if (Object.hasOwn(schemas, name)) mapping[value] = `#${childPointer('/components/schemas', name)}`;
    else delete mapping[value];
  }
}

/** From data; those of the structure are local. */
function removeReferences(value: unknown, structure: ReadonlySet<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  if (!structure.has(value) && '$ref' in value && typeof value.$ref === 'string') delete value.$ref;
  for (const member of Object.values(value)) removeReferences(member, structure);
}
