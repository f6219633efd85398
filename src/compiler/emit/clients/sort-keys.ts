import { isDeepStrictEqual } from 'node:util';
import { resolveReference, schemaNameOf, schemaReference } from '../../json-schema/references.ts';
import { snakeCase, upperFirst } from '../../model/naming.ts';
import { isNode, type Node } from '../../read/grammar.ts';
import type { ClientOperation } from './client-operation.ts';

/**
 * Gives the values of a list parameter that is an enum in place, as the keys of `sort`, a name in `components`, and each
 * value a name that can be read: `-createdAt` is `CREATED_AT_DESC`.
 */
export function nameSortKeys(document: Node, operations: readonly ClientOperation[]): void {
  for (const { node } of operations)
    for (const declared of (node['parameters'] as Node[] | undefined) ?? []) {
      const parameter = resolveReference<Node>(document, declared);
      const schema = parameter?.['schema'];
      const items = isNode(schema) ? schema['items'] : undefined;
      if (parameter?.['in'] !== 'query' || !isNode(schema) || !isNode(items) || !isTextEnum(items['enum'])) continue;
      const named = { ...items, 'x-enum-varnames': items['enum'].map(nameOfKey) };
      const base = `${subjectOf(document, node)}${upperFirst(String(parameter['name']))}`;
      schema['items'] = schemaReference(addSchema(document, base, named));
    }
}

const isTextEnum = (values: unknown): values is string[] =>
  Array.isArray(values) && values.every((value) => typeof value === 'string');

/** What a list lists, `Product`; the operation's name where the page does not say. */
function subjectOf(document: Node, { operationId, responses }: Node): string {
  const response = (responses as Record<string, Node>)['200'];
  const media = Object.values((response?.['content'] ?? {}) as Record<string, Node>)[0];
  const page = resolveReference<Node>(document, media?.['schema'] as Node | undefined);
  const lists = Object.values((page?.['properties'] ?? {}) as Record<string, Node>);
  const listed = lists.map((member) => schemaNameOf(resolveReference<Node>(document, member)?.['items'])).find(Boolean);
  return listed ?? upperFirst(String(operationId));
}

/** `-createdAt` → `CREATED_AT_DESC`, `2fa` → `BY_2FA`: no language has names that start with a digit. */
function nameOfKey(value: string): string {
  const words = snakeCase(value.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')).toUpperCase();
  const name = /^[A-Z]/.test(words) ? words : `BY_${words}`;
  return value.startsWith('-') ? `${name}_DESC` : name;
}

/** Adds a schema under its name, or the next free one; the name. */
function addSchema(document: Node, base: string, schema: Node): string {
  const schemas = (document['components'] as Node)['schemas'] as Record<string, Node>;
  let name = base;
  for (let n = 2; Object.hasOwn(schemas, name) && !isDeepStrictEqual(schemas[name], schema); n += 1) name = base + n;
  schemas[name] = schema;
  return name;
}
