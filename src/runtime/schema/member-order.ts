import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { dereference } from '../../descriptor/references.ts';
import { parseStored } from '../../descriptor/written-number.ts';

/**
 * Puts the members of objects in a JSON text into the order of their schema; members that it does not name follow as they
 * are.
 */
export type OrderMembers = (json: string) => string;

/** The members of objects, in order, and what the elements of arrays are. */
interface Order {
  readonly members: Map<string, Order>;
  items: Order | undefined;
}

/**
 * Compiles the orders of the properties of an object schema, by name, from all that the schemas are composed of: what
 * several branches name stands where the first names it. Undefined for free-form values and for those without objects.
 */
export function memberOrders(
  document: OpenApiDocument,
  schema: Schema,
): (property: string) => OrderMembers | undefined {
  const known = new Map<Schema, Order>();
  const orderOf = (part: Schema): Order => {
    const compiled = known.get(part);
    if (compiled) return compiled;
    const order: Order = { members: new Map(), items: undefined };
    known.set(part, order);
    collect(part, order, new Set());
    return order;
  };
  const collect = (part: Schema, order: Order, seen: Set<Schema>): void => {
    const found = dereference(document, part);
    if (typeof found === 'boolean' || seen.has(found)) return;
    seen.add(found);
    const { properties = {}, items, allOf, anyOf, oneOf, then, else: otherwise } = found as Record<string, never>;
    for (const [name, property] of Object.entries<Schema>(properties))
      if (!order.members.has(name)) order.members.set(name, orderOf(property));
    if (items !== undefined) order.items ??= orderOf(items);
    for (const branch of [allOf, anyOf, oneOf, then, otherwise].flat() as (Schema | undefined)[])
      if (branch !== undefined) collect(branch, order, seen);
  };
  const { members } = orderOf(schema);
  return (property) => {
    const order = members.get(property);
    return order && hasMembers(order, new Set()) ? orderMembers(order) : undefined;
  };
}

/** What is in order already, as what Lockstep has written to SQLite, is recognised without being parsed. */
function orderMembers(order: Order): OrderMembers {
  const inOrder = new RegExp(`^${patternOf(order, MAX_DEPTH, new Map())}$`);
  return (json) => (inOrder.test(json) ? json : JSON.stringify(ordered(parseStored(json), order)));
}

/** Levels of objects and arrays, and characters, of a regular expression that is worth its memory. */
const MAX_DEPTH = 6;
const MAX_PATTERN = 10_000;
const SCALAR = String.raw`(?:"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+)`;

/** A regular expression that matches, of all valid JSON texts, none but such as are in order. */
function patternOf(order: Order, depth: number, known: Map<Order, string>): string {
  if (depth === 0) return SCALAR;
  const pattern = known.get(order) ?? compiledPattern(order, depth, known);
  known.set(order, pattern);
  return pattern;
}

function compiledPattern({ members, items }: Order, depth: number, known: Map<Order, string>): string {
  const item = items ? patternOf(items, depth - 1, known) : SCALAR;
  const optional = [...members].map(
    ([name, member]) => `(?:${escaped(JSON.stringify(name))}:${patternOf(member, depth - 1, known)},?)?`,
  );
  const object = members.size > 0 ? String.raw`|\{${optional.join('')}\}` : '';
  const pattern = String.raw`(?:${SCALAR}|\[(?:${item}(?:,${item})*)?\]${object})`;
  return pattern.length < MAX_PATTERN ? pattern : SCALAR;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function hasMembers(order: Order, seen: Set<Order>): boolean {
  if (seen.has(order)) return false;
  seen.add(order);
  return order.members.size > 0 || (order.items !== undefined && hasMembers(order.items, seen));
}

function ordered(value: unknown, { members, items }: Order): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return items ? value.map((item) => ordered(item, items)) : value;
  if (members.size === 0) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const [name, order] of members) if (Object.hasOwn(given, name)) result[name] = ordered(given[name], order);
  for (const name of Object.keys(given)) if (!members.has(name)) result[name] = given[name];
  return result;
}
