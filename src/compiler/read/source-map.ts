import type { Location } from '../findings/finding.ts';

type Key = string | number;

/** The locations of nodes and their keys in the parsed files. */
export class SourceMap {
  readonly #nodes = new WeakMap<object, Location>();
  readonly #keys = new WeakMap<object, Map<string, Location>>();
  readonly #fallback: Location;

  /** `fallback` is the location of synthetic nodes. */
  constructor(fallback: Location) {
    this.#fallback = fallback;
  }

  setNode(node: object, location: Location): void {
    this.#nodes.set(node, location);
  }

  setKey(node: object, key: Key, location: Location): void {
    const keys = this.#keys.get(node) ?? new Map<string, Location>();
    keys.set(String(key), location);
    this.#keys.set(node, keys);
  }

  /** The location of a key if it is known, or else of its node. */
  locate(node: object, key?: Key): Location {
    const own = this.#nodes.get(node) ?? this.#fallback;
    return key === undefined ? own : (this.#keys.get(node)?.get(String(key)) ?? own);
  }

  /** Gives synthetic nodes the location of the node that contains them. */
  inherit(node: object): void {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null || this.#nodes.has(value)) continue;
      this.setNode(value, this.locate(node, key));
      this.inherit(value);
    }
  }
}
