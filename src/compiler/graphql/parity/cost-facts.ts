import { type GraphQLNamedType, getNamedType, isObjectType, isUnionType } from 'graphql';
import { MAX_FILTER_COMPARISONS } from '../../../descriptor/filters.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import { lengthOf, weightOf } from '../convention/directives.ts';
import type { Field, Parity } from './parity.ts';
import { addAfter, addBeforeMembers, addSchema, replaceNode } from './sdl-edits.ts';

/**
 * A page of the greatest size, with all that its entries are: scalars, objects and single references, found by the longest
 * filter that the list takes. REST answers it, so the cost limit must allow it. Connections inside the entries are
 * lists of their own and do not count.
 */
export function costFact(parity: Parity, { key, list }: ResourceDescriptor, coordinate: string, field: Field): void {
  const { limits } = parity.descriptor;
  const page = `a page of ${list!.maximumLimit}`;
  const isCombined = list!.filter !== undefined || list!.referenceFilters !== undefined;
  const costOf = (length: number): number =>
    pageCost(parity, field, length) + (isCombined ? MAX_FILTER_COMPARISONS : 0);
  const cost = costOf(list!.maximumLimit);
  const isWithin = cost <= limits.cost;
  const graphql = isWithin ? page : `${page} costs ${cost}, the limit is ${limits.cost}`;
  const operation = parity.draftOf(key).operations.list!;
  const limit = operation.parameters.find((one) => one.in === 'query' && one.name === 'limit');
  const rest = limit ? parity.rest(page, limit) : parity.rest(page, operation.item, operation.method);
  const hint = isWithin ? undefined : hintOf(limits.cost, costOf);
  parity.add(
    key,
    'cost',
    coordinate,
    rest,
    parity.graphql(graphql, field, coordinate),
    () => limitFix(parity, cost),
    hint,
  );
}

/** Offers the greatest page that the limit allows. */
function hintOf(limit: number, costOf: (length: number) => number): string {
  const fitting = Math.floor((limit - costOf(0)) / (costOf(1) - costOf(0)));
  const raise = 'raise `cost` of `@limits`.';
  if (fitting < 1) return `Not even a page of 1 fits: ${raise}`;
  return `Lower the \`maximum\` of \`limit\` to ${fitting}, which fits (and \`assumedSize\` with it), or ${raise}`;
}

/** Raises the limit of the whole schema to a cost. */
function limitFix({ schema }: Parity, cost: number): Fix | undefined {
  if (!schema.astNode) return addSchema(schema, `@limits(cost: ${cost})`);
  const limits = schema.astNode?.directives?.find(({ name }) => name.value === 'limits');
  const written = limits?.arguments?.find(({ name }) => name.value === 'cost');
  if (written) return replaceNode(written.value, String(cost));
  const last = limits?.arguments?.at(-1);
  if (last) return addAfter(last, `, cost: ${cost}`);
  return limits
    ? replaceNode(limits, `@limits(cost: ${cost})`)
    : addBeforeMembers(schema.astNode, `@limits(cost: ${cost})`);
}

/** The connection and its nodes. */
function pageCost(parity: Parity, field: Field, length: number): number {
  const { schema } = parity;
  const connection = getNamedType(field.type);
  const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
  const node = nodes && getNamedType(nodes.type);
  if (!nodes || !isObjectType(node)) return 0;
  return weightOf(schema, field) + length * (weightOf(schema, nodes) + costOfParts(parity, node, [node.name]));
}

/** All fields of an object but its connections; `path` has the types around, which are not entered again. */
function costOfParts(parity: Parity, type: GraphQLNamedType, path: readonly string[]): number {
  const { schema, descriptor } = parity;
  if (isUnionType(type)) return type.getTypes().reduce((sum, one) => sum + costOfParts(parity, one, path), 0);
  if (!isObjectType(type)) return 0;
  return Object.values(type.getFields()).reduce((sum, field) => {
    const kind = descriptor.fields[`${type.name}.${field.name}`]?.kind;
    const named = getNamedType(field.type);
    if (kind === 'connection' || path.includes(named.name)) return sum;
    const inner = kind === 'reference' ? 0 : costOfParts(parity, named, [...path, named.name]);
    return sum + lengthOf(schema, field) * (weightOf(schema, field) + inner);
  }, 0);
}
