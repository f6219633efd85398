import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml';
import { childPointer } from '../../descriptor/json-pointer.ts';
import { isSendable } from '../../descriptor/written-number.ts';
import type { Finding, Location } from '../findings/finding.ts';
import type { SourceMap } from './source-map.ts';

/** Limits aliases, which can expand a small file into a huge value. */
const MAX_ALIASES = 1000;

const DEFAULT = /\/default(?:\/|$)/;

/** The location of an offset in the file. */
type Place = (offset: number, pointer: string) => Location;

/** Converts a syntax tree to plain values and records the location of each. */
export class PlainValues {
  readonly #document: Document;
  readonly #map: SourceMap;
  readonly #place: Place;
  #aliases = 0;
  /** The anchored nodes that contain the node being converted. */
  readonly #enclosing = new Set<unknown>();
  readonly findings: Finding[] = [];

  constructor(document: Document, map: SourceMap, place: Place) {
    this.#document = document;
    this.#map = map;
    this.#place = place;
  }

  of(root: unknown): unknown {
    return this.#value(root, this.#place(0, ''));
  }

  /** `location` is that of the node's key in its parent. */
  #value(node: unknown, location: Location): unknown {
    if (isMap(node)) return this.#object(node.items, location);
    if (isSeq(node)) return this.#array(node.items, location);
    if (isAlias(node)) return this.#repeated(node, location);
    return isScalar(node) ? this.#scalar(node, location) : null;
  }

  /** JSON, which documents are published in, has no infinite numbers; a default stands for what a caller would send. */
  #scalar({ value, source }: Scalar, location: Location): unknown {
    if (typeof value === 'number' && !Number.isFinite(value))
      this.findings.push({
        rule: 'syntax',
        severity: 'error',
        message: `This number is ${Number.isNaN(value) ? 'not a number' : 'greater than any that JSON can hold'}.`,
        hint: 'Write a finite number, or leave the keyword out.',
        location,
      });
    else if (typeof value === 'number' && DEFAULT.test(location.pointer) && !isSendable(source ?? ''))
      this.findings.push({
        rule: 'syntax',
        severity: 'error',
        message: `This default would be rounded to ${value}.`,
        hint: 'Write it as a string, or let the server set it.',
        location,
      });
    return value;
  }

  #repeated(alias: Alias, location: Location): unknown {
    const target = this.#target(alias, location.pointer);
    if (target === undefined || this.#enclosing.has(target)) return null;
    this.#enclosing.add(target);
    const value = this.#value(target, location);
    this.#enclosing.delete(target);
    return value;
  }

  #target(alias: Alias, pointer: string): unknown {
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES + 1) return undefined;
    const isExcess = this.#aliases > MAX_ALIASES;
    const target = isExcess ? undefined : alias.resolve(this.#document);
    if (isExcess)
      this.#refuse(`This file has more than ${MAX_ALIASES} aliases.`, 'Write some of the values out.', alias, pointer);
    else if (this.#enclosing.has(target))
      this.#refuse(
        'This alias refers to a node that contains it.',
        'Write the value out, or use `$ref`.',
        alias,
        pointer,
      );
    else if (!target)
      this.#refuse(
        `The anchor \`&${alias.source}\` does not exist before this alias.`,
        `Declare \`&${alias.source}\` above, or write the value out.`,
        alias,
        pointer,
      );
    return target;
  }

  #object(items: readonly Pair[], location: Location): object {
    const object: Record<string, unknown> = {};
    this.#map.setNode(object, location);
    for (const { key, value } of items) {
      if (isMergeKey(key)) continue;
      const name = String(isScalar(key) ? key.value : key);
      const at = this.#place(offsetOf(key), childPointer(location.pointer, name));
      if (Object.hasOwn(object, name)) this.#duplicate(name, at, this.#map.locate(object, name));
      this.#define(object, name, this.#value(value, at), at);
    }
    for (const { key, value } of items) if (isMergeKey(key)) this.#merge(object, value, location);
    return object;
  }

  /**
   * `<<` adds the members that the object lacks (https://yaml.org/type/merge.html); authors use it in YAML 1.2, too.
   */
  #merge(object: object, value: unknown, location: Location): void {
    for (const source of isSeq(value) ? value.items : [value]) {
      const merged = this.#value(source, location);
      if (typeof merged !== 'object' || merged === null) continue;
      for (const [name, member] of Object.entries(merged))
        if (!Object.hasOwn(object, name)) this.#define(object, name, member, this.#map.locate(merged, name));
    }
  }

  /** Defines the property, because assigning to `__proto__` would set the prototype. */
  #define(object: object, name: string, value: unknown, at: Location): void {
    this.#map.setKey(object, name, at);
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }

  #array(items: readonly unknown[], location: Location): unknown[] {
    const array: unknown[] = [];
    this.#map.setNode(array, location);
    for (const [index, item] of items.entries()) {
      const at = this.#place(offsetOf(item), childPointer(location.pointer, index));
      this.#map.setKey(array, index, at);
      array.push(this.#value(item, at));
    }
    return array;
  }

  #duplicate(name: string, location: Location, first: Location): void {
    const message = `This object has the key \`${name}\` twice, first in line ${first.line}.`;
    this.findings.push({ rule: 'duplicate-key', severity: 'error', message, hint: 'Keep one of the two.', location });
  }

  #refuse(message: string, hint: string, node: Node, pointer: string): void {
    const location = this.#place(offsetOf(node), pointer);
    this.findings.push({ rule: 'syntax', severity: 'error', message, hint, location });
  }
}

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
