import type { Location } from '../findings/finding.ts';

type Key = string | number;

/** The places in a file, which are found when one of them is asked for. */
export interface LaterPlaces {
  readonly file: string;
  /** Sets them all. */
  readonly find: () => void;
}

/** The locations of nodes and their keys in the parsed files. */
export class SourceMap {
  readonly #nodes = new WeakMap<object, Location>();
  readonly #keys = new WeakMap<object, Map<string, Location>>();
  readonly #later = new WeakMap<object, LaterPlaces>();
  readonly #found = new Set<LaterPlaces>();
  readonly #fallback: Location;

  /** `fallback` is the location of synthetic nodes. */
  constructor(fallback: Location) {
    this.#fallback = fallback;
  }

  setNode(node: object, location: Location): void {
    this.#nodes.set(node, location);
  }

  setKey(node: object, key: Key, location: Location): void {
    this.#keysOf(node).set(String(key), location);
  }

  /** The location of a node and its keys is among these. */
  setLater(node: object, places: LaterPlaces): void {
    this.#later.set(node, places);
  }

  /** What was found later, unless something else was set meanwhile. */
  setFound(node: object, location: Location): void {
    if (!this.#nodes.has(node)) this.#nodes.set(node, location);
  }

  setFoundKey(node: object, key: string, location: Location): void {
    const keys = this.#keysOf(node);
    if (!keys.has(key)) keys.set(key, location);
  }

  #keysOf(node: object): Map<string, Location> {
    const known = this.#keys.get(node);
    if (known) return known;
    const keys = new Map<string, Location>();
    this.#keys.set(node, keys);
    return keys;
  }

  /** The location of a key if it is known, or else of its node. */
  locate(node: object, key?: Key): Location {
    const later = this.#later.get(node);
    if (later && !this.#found.has(later)) {
      this.#found.add(later);
      later.find();
    }
    const own = this.#nodes.get(node) ?? this.#fallback;
    return key === undefined ? own : (this.#keys.get(node)?.get(String(key)) ?? own);
  }

  /** The file of a location. */
  fileOf(node: object, key: Key): string {
    return this.#keys.get(node)?.get(String(key))?.file ?? this.#later.get(node)?.file ?? this.locate(node, key).file;
  }

  /** Gives synthetic nodes the location of the node that contains them. */
  inherit(node: object): void {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null || this.#nodes.has(value) || this.#later.has(value)) continue;
      this.setNode(value, this.locate(node, key));
      this.inherit(value);
    }
  }
}
