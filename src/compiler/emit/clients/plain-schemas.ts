import { schemaUri } from '../../../descriptor/references.ts';
import { resolveReference, schemaNameOf } from '../../json-schema/references.ts';
import { normal, valueName } from '../../model/alike-names.ts';
import { isNode, type Node, nodesBelow } from '../../read/grammar.ts';
import type { ClientOperation } from './client-operation.ts';

/** Rewrites what no generator reads: tuples, schemas that are booleans, properties that only one direction has. */
export function plainSchemas(document: Node, operations: readonly ClientOperation[]): void {
  const requested = new Set<Node>();
  for (const { node } of operations) collect(document, node['requestBody'], requested);
  for (const { node, kind } of [...nodesBelow(document, 'document')]) {
    if (kind !== 'schema') continue;
    if ('prefixItems' in node || typeof node['items'] === 'boolean') node['items'] = {};
    delete node['prefixItems'];
    const { properties, required } = node;
    if (isNode(properties)) {
      for (const [name, schema] of Object.entries(properties))
        if (schema === false) delete properties[name];
        else if (schema === true) properties[name] = {};
      if (Array.isArray(required)) {
        const isDirected = (name: string) => {
          const schema = properties[name] as Node | undefined;
          const own = { ...resolveReference<Node>(document, schema), ...schema };
          return own['writeOnly'] === true || (own['readOnly'] === true && requested.has(node));
        };
        node['required'] = required.filter((name) => !isDirected(String(name)));
      }
    }
    nameValues(node);
  }
}

/** Everything below, through references. */
function collect(document: Node, value: unknown, into: Set<Node>): void {
  if (typeof value !== 'object' || value === null || into.has(value as Node)) return;
  into.add(value as Node);
  const target = isNode(value) && '$ref' in value ? resolveReference<Node>(document, value) : undefined;
  for (const member of [...Object.values(value), target]) collect(document, member, into);
}

/** Names for the values of an enum that would be called alike, or nothing, without them. */
function nameValues(schema: Node): void {
  const { enum: values } = schema;
  if (!Array.isArray(values) || 'x-enum-varnames' in schema) return;
  const texts = values.filter((value) => typeof value === 'string');
  const alike = texts.map(normal);
  if (texts.length !== values.length || (new Set(alike).size === texts.length && !alike.includes(''))) return;
  schema['x-enum-varnames'] = texts.map((text) => valueName(text, texts));
}

/** Renames schemas; a new name that is taken is repeated. */
export function renameSchemas(document: Node, nameOf: (name: string, all: readonly string[]) => string): void {
  const schemas = ((document['components'] ?? {}) as { schemas?: Record<string, Node> }).schemas ?? {};
  const all = Object.keys(schemas);
  const renamed = new Map<string, string>();
  for (const name of all) {
    const wanted = nameOf(name, all);
    let own = wanted;
    while (own !== name && all.includes(own)) own += `_${wanted}`;
    if (own !== name) renamed.set(name, own);
  }
  if (renamed.size === 0) return;
  const moved = Object.entries(schemas).map(([name, schema]) => [renamed.get(name) ?? name, schema] as const);
  (document['components'] as Node)['schemas'] = Object.fromEntries(moved);
  redirect(document, renamed);
}

function redirect(value: unknown, renamed: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  for (const [key, member] of Object.entries(node)) {
    const name = typeof member === 'string' ? schemaNameOf({ $ref: member }) : undefined;
    const to = name === undefined ? undefined : renamed.get(name);
    if (to !== undefined) node[key] = schemaUri(to);
    else redirect(member, renamed);
  }
}
