import { resolveReference } from '../../json-schema/references.ts';
import { isNode, type Node } from '../../read/grammar.ts';
import type { ClientOperation } from './client-operation.ts';

/**
 * Makes `price`, an object with `style: deepObject`, into the parameters `price[gt]`, `price[lte]`, …: the same query, which
 * every generator can write.
 */
export function flattenFilters(document: Node, operations: readonly ClientOperation[]): void {
  for (const holder of new Set(operations.flatMap(({ node, item }) => [node, item]))) {
    const { parameters } = holder;
    if (Array.isArray(parameters)) holder['parameters'] = parameters.flatMap((declared) => flat(document, declared));
  }
}

function flat(document: Node, declared: Node): Node[] {
  const parameter = resolveReference<Node>(document, declared);
  if (parameter?.['in'] !== 'query' || parameter['style'] !== 'deepObject') return [declared];
  const schema = resolveReference<Node>(document, parameter['schema'] as Node | undefined);
  const properties = schema?.['properties'];
  if (!isNode(properties)) return [declared];
  const required = new Set(Array.isArray(schema?.['required']) ? schema['required'] : []);
  return Object.entries(properties).map(([key, member]) => ({
    name: `${parameter['name']}[${key}]`,
    in: 'query',
    ...descriptionOf(parameter, key),
    ...(parameter['required'] === true && required.has(key) && { required: true }),
    schema: member,
  }));
}

const descriptionOf = ({ description }: Node, key: string): Node =>
  typeof description === 'string' ? { description: `${description.replace(/[.\s]+$/, '')} (${key}).` } : {};
