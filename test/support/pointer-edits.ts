import { isDeepStrictEqual } from 'node:util';
import { pointerTokens } from '../../src/descriptor/json-pointer.ts';

/** Edits of a document by JSON pointer, made in this order. */
export interface PointerEdits {
  readonly replace?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  /** Into a list, at the index that the pointer ends with. */
  readonly add?: Readonly<Record<string, unknown>>;
  /** The new key of what the pointer names. */
  readonly rename?: Readonly<Record<string, string>>;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Edits a document in place. Throws when an edit has nothing to apply to, or changes nothing. */
export function editByPointers(document: object, { replace, remove, add, rename }: PointerEdits): void {
  for (const [pointer, value] of Object.entries(replace ?? {})) replaceAt(document, pointer, value);
  for (const pointer of remove ?? []) removeAt(document, pointer);
  for (const [pointer, value] of Object.entries(add ?? {})) addAt(document, pointer, value);
  for (const [pointer, key] of Object.entries(rename ?? {})) renameAt(document, pointer, key);
}

/** The line of what a pointer names in a document as `JSON.stringify` indents it. */
export function lineOf(document: object, pointer: string): number {
  let [node, line]: [unknown, number] = [document, 1];
  for (const token of pointerTokens(pointer)) {
    const entries = Object.entries(node as Node);
    const index = entries.findIndex(([key]) => key === token);
    if (index < 0) throw new Error(`There is no ${pointer}`);
    line += 1 + entries.slice(0, index).reduce((sum, [, value]) => sum + heightOf(value), 0);
    node = entries[index]![1];
  }
  return line;
}

function heightOf(value: unknown): number {
  if (!isNode(value)) return 1;
  const heights = Object.values(value).map(heightOf);
  return heights.length === 0 ? 1 : heights.reduce((sum, height) => sum + height, 2);
}

function replaceAt(document: object, pointer: string, value: unknown): void {
  const { node, key } = existing(document, pointer);
  if (isDeepStrictEqual(node[key], value)) throw new Error(`${pointer} is the same already`);
  node[key] = value;
}

function removeAt(document: object, pointer: string): void {
  const { node, key } = existing(document, pointer);
  if (Array.isArray(node)) node.splice(Number(key), 1);
  else delete node[key];
}

function addAt(document: object, pointer: string, value: unknown): void {
  const { node, key } = placeOf(document, pointer);
  if (Array.isArray(node) && Number(key) <= node.length) node.splice(Number(key), 0, value);
  else if (Array.isArray(node) || Object.hasOwn(node, key)) throw new Error(`${pointer} cannot be added`);
  else node[key] = value;
}

function renameAt(document: object, pointer: string, to: string): void {
  const { node, key } = existing(document, pointer);
  if (Object.hasOwn(node, to)) throw new Error(`${pointer} cannot be renamed to ${to}`);
  // What follows is moved behind it, so that the order stays.
  for (const [name, value] of Object.entries(node)) {
    delete node[name];
    node[name === key ? to : name] = value;
  }
}

function existing(document: object, pointer: string): { node: Node; key: string } {
  const place = placeOf(document, pointer);
  if (!Object.hasOwn(place.node, place.key)) throw new Error(`There is no ${pointer}`);
  return place;
}

function placeOf(document: object, pointer: string): { node: Node; key: string } {
  const tokens = pointerTokens(pointer);
  const key = tokens.pop()!;
  let node: unknown = document;
  for (const token of tokens) node = isNode(node) && Object.hasOwn(node, token) ? node[token] : undefined;
  if (!isNode(node)) throw new Error(`There is nothing to hold ${pointer}`);
  return { node, key };
}
