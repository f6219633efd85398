import type { OpenApiDocument } from '../../descriptor/document.ts';
import { pointerOfFragment, pointerTokens, valueAt } from '../../descriptor/json-pointer.ts';
import { asNode, isNode, type Node, nodesBelow } from '../read/grammar.ts';

const NAMED = /^#(?:$|\/components\/[^/]+\/[^/]+$)/;

/**
 * Gives every schema that is referred to a name in `components`: openapi-typescript takes a pointer through paths or into
 * another schema for the path of a type, which it is not always.
 */
export function nameSchemas(copy: OpenApiDocument): void {
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
    node['$ref'] = `#/components/schemas/${name}`;
  }
  // The innermost first, while the pointers to them still hold.
  for (const [pointer, name] of [...names].sort(([a], [b]) => b.length - a.length)) {
    const tokens = pointerTokens(pointer);
    const holder = valueAt(copy, tokens.slice(0, -1)) as Node | undefined;
    if (holder === undefined) continue;
    schemas[name] = holder[tokens.at(-1)!];
    holder[tokens.at(-1)!] = { $ref: `#/components/schemas/${name}` };
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
