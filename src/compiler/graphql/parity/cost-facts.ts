import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { MAX_FILTER_COMPARISONS } from '../../../descriptor/filters.ts';
import { ASSUMED_LIST_LENGTH } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
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
  const costs = new PageCost(parity);
  const costOf = (length: number): number => costs.of(field, length) + (isCombined ? MAX_FILTER_COMPARISONS : 0);
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

/** The weights of IBM's GraphQL Cost Directives, as the server adds them up. */
class PageCost {
  readonly #parity: Parity;

  constructor(parity: Parity) {
    this.#parity = parity;
  }

  /** The connection and its nodes. */
  of(field: Field, length: number): number {
    const connection = getNamedType(field.type);
    const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
    const node = nodes && getNamedType(nodes.type);
    if (!nodes || !isObjectType(node)) return 0;
    return this.#weight(field) + length * (this.#weight(nodes) + this.#parts(node, [node.name]));
  }

  /** All fields of an object but its connections; `path` has the types around, which are not entered again. */
  #parts(type: GraphQLNamedType, path: readonly string[]): number {
    if (isUnionType(type)) return type.getTypes().reduce((sum, one) => sum + this.#parts(one, path), 0);
    if (!isObjectType(type)) return 0;
    return Object.values(type.getFields()).reduce((sum, field) => sum + this.#part(type, field, path), 0);
  }

  #part(type: GraphQLObjectType, field: Field, path: readonly string[]): number {
    const descriptor = this.#parity.descriptor.fields[`${type.name}.${field.name}`];
    const named = getNamedType(field.type);
    if (descriptor?.kind === 'connection' || path.includes(named.name)) return 0;
    const inner = descriptor?.kind === 'reference' ? 0 : this.#parts(named, [...path, named.name]);
    return lengthOf(this.#parity, field) * (this.#weight(field) + inner);
  }

  #weight(field: Field): number {
    const type = getNamedType(field.type);
    const written = this.#parity.directive(field, 'cost') ?? this.#parity.directive(type, 'cost');
    return written ? Number(written['weight']) : isCompositeType(type) ? 1 : 0;
  }
}

function lengthOf(parity: Parity, field: GraphQLField<unknown, unknown>): number {
  const size = parity.directive(field, 'listSize')?.['assumedSize'];
  if (typeof size === 'number') return size;
  return isList(field.type) ? ASSUMED_LIST_LENGTH : 1;
}

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));
