import type { OpenApiDocument } from '../../descriptor/document.ts';
import { pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';
import { schemaUri } from '../../descriptor/references.ts';
import { asNode, isNode, type Node, nodesBelow } from '../read/grammar.ts';

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
    if (Object.hasOwn(schemas, name)) mapping[value] = schemaUri(name);
    else delete mapping[value];
  }
}

/** From data; those of the structure are local. */
function removeReferences(value: unknown, structure: ReadonlySet<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  if (!structure.has(value) && '$ref' in value && typeof value.$ref === 'string') delete value.$ref;
  for (const member of Object.values(value)) removeReferences(member, structure);
}

const NAMED = /^#(?:$|\/components\/[^/]+\/[^/]+$)/;

/**
 * Gives every schema that is referred to a name in `components`: openapi-typescript takes a pointer through paths or into
 * another schema for the path of a type, which it is not always.
 */
function nameSchemas(copy: OpenApiDocument): void {
  const names = new Map<string, string>();
  const references = [...nodesBelow(copy, 'document')].filter(
    ({ node, kind }) => kind === 'schema' && typeof node['$ref'] === 'string' && !NAMED.test(node['$ref']),
  );
  if (references.length === 0) return;
  const components = memberOf(asNode(copy), 'components');
  const schemas = memberOf(components, 'schemas');
  for (const { node } of references) {
    const pointer = pointerOfFragment((node['$ref'] as string).slice(1))!;
    const name = names.get(pointer) ?? freeName(schemas, pointer);
    names.set(pointer, name);
    schemas[name] ??= {};
    node['$ref'] = schemaUri(name);
  }
  // The innermost first, while the pointers to them still hold.
  for (const [pointer, name] of [...names].sort(([a], [b]) => b.length - a.length)) {
    const tokens = pointerTokens(pointer);
    const holder = valueAt(copy, tokens.slice(0, -1)) as Node | undefined;
    if (holder === undefined) continue;
    schemas[name] = holder[tokens.at(-1)!];
    holder[tokens.at(-1)!] = { $ref: schemaUri(name) };
  }
}

/** `/paths/~1pets/get/…/schema` → `paths_pets_get_…_schema`. */
function freeName(schemas: Node, pointer: string): string {
  const words = pointerTokens(pointer).flatMap((token) => token.match(/[A-Za-z0-9]+/g) ?? []);
  const base = words.join('_');
  let name = base;
  for (let n = 2; Object.hasOwn(schemas, name); n += 1) name = `${base}${n}`;
  return name;
}

function memberOf(node: Node, name: string): Node {
  if (!isNode(node[name])) node[name] = {};
  return node[name] as Node;
}
