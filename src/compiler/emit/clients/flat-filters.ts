import type { OpenApiDocument, Parameter } from '../../../descriptor/document.ts';
import { resolveReference } from '../../json-schema/references.ts';
import { flat, type ValueSchema } from '../../json-schema/value-schema.ts';
import { isNode, type Node } from '../../read/grammar.ts';
import { memberNames } from '../sample-values.ts';
import type { ClientOperation } from './client-operation.ts';

/**
 * Makes `price`, an object with `style: deepObject`, into the parameters `price[gt]`, `price[lte]`, …, and an exploded object of style `form`
 * into its properties: the same query, which every generator can write.
 */
export function flattenFilters(document: OpenApiDocument, operations: readonly ClientOperation[]): void {
  for (const holder of new Set(operations.flatMap(({ node, item }) => [node, item]))) {
    const { parameters } = holder;
    if (!Array.isArray(parameters)) continue;
    const members = parameters.map((declared) => membersOf(document, declared));
    const names = parameters.flatMap((declared, i) =>
      (members[i] ?? [resolveReference<Node>(document, declared)]).map((one) => String(one?.['name'])),
    );
    const isFree = (own: readonly Node[]) =>
      own.every(({ name }) => names.indexOf(name as string) === names.lastIndexOf(name as string));
    holder['parameters'] = parameters.flatMap((declared, i) => {
      const own = members[i];
      return own && isFree(own) ? own : [declared];
    });
  }
}

/** The parameters that stand for the properties of one; undefined if it is written by its own name. */
function membersOf(document: OpenApiDocument, declared: Node): Node[] | undefined {
  const parameter = resolveReference(document, declared as Node & Parameter);
  if (parameter?.['in'] !== 'query' || !isNode(parameter['schema'])) return undefined;
  const nameOf = memberNames(parameter);
  const { properties, required = [], additionalProperties } = flat(document, parameter['schema'] as ValueSchema);
  if (!nameOf || !properties || (additionalProperties && parameter['style'] !== 'deepObject')) return undefined;
  return Object.entries(properties).map(([key, member]) => ({
    name: nameOf(key),
    in: 'query',
    ...descriptionOf(parameter, key),
    ...(parameter['required'] === true && required.includes(key) && { required: true }),
    schema: member,
  }));
}

const descriptionOf = ({ description }: Node, key: string): Node =>
  typeof description === 'string' ? { description: `${description.replace(/[.\s]+$/, '')} (${key}).` } : {};
