import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Document as YamlDocument,
} from 'yaml';
import type { Finding, Location } from '../finding.ts';
import { childPointer } from './pointer.ts';
import type { SourceMap } from './source-map.ts';

/** Aliases may multiply a small file into a huge value. */
const MAX_ALIASES = 1000;

export interface ParsedFile {
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

/** Parses YAML 1.2 or JSON into plain values, and notes the place of each. `file` is the name that findings give. */
export function parseFile(text: string, file: string, map: SourceMap): ParsedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: true });
  const place = (offset: number, pointer: string): Location => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), pointer };
  };
  if (document.errors.length > 0) {
    const findings = document.errors.map((error) => syntaxFinding(error.message, place(error.pos[0], '')));
    return { value: undefined, findings };
  }
  const value = new Converter(document, map, place).convert(document.contents, place(0, ''));
  return { value, findings: [] };
}

function syntaxFinding(message: string, location: Location): Finding {
  const [first] = message.split(/ at line \d+|\n/);
  const isDuplicate = message.startsWith('Map keys must be unique');
  return {
    rule: isDuplicate ? 'duplicate-key' : 'syntax',
    severity: 'error',
    message: isDuplicate ? 'This key stands twice in one object.' : `${first}.`,
    ...(isDuplicate && { hint: 'Keep one of the two.' }),
    location,
  };
}

/** Turns the syntax tree into plain values. */
class Converter {
  readonly #document: YamlDocument;
  readonly #map: SourceMap;
  readonly #place: (offset: number, pointer: string) => Location;
  #aliases = 0;

  constructor(document: YamlDocument, map: SourceMap, place: (offset: number, pointer: string) => Location) {
    this.#document = document;
    this.#map = map;
    this.#place = place;
  }

  /** `location` is that of the node's key in its parent. */
  convert(node: unknown, location: Location): unknown {
    if (isMap(node)) return this.#object(node.items, location);
    if (isSeq(node)) return this.#array(node.items, location);
    if (isAlias(node)) return this.convert(this.#target(node), location);
    return isScalar(node) ? node.value : null;
  }

  #target(alias: Node): unknown {
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES) throw new RangeError(`more than ${MAX_ALIASES} aliases`);
    return isAlias(alias) ? alias.resolve(this.#document) : undefined;
  }

  #object(items: readonly { key: unknown; value: unknown }[], location: Location): object {
    const object: Record<string, unknown> = {};
    this.#map.setNode(object, location);
    for (const { key, value } of items) {
      const name = String(isScalar(key) ? key.value : key);
      const at = this.#place((key as Node).range?.[0] ?? 0, childPointer(location.pointer, name));
      this.#map.setKey(object, name, at);
      // A key `__proto__` is a name like any other here.
      Object.defineProperty(object, name, {
        value: this.convert(value, at),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return object;
  }

  #array(items: readonly unknown[], location: Location): unknown[] {
    const array: unknown[] = [];
    this.#map.setNode(array, location);
    for (const [index, item] of items.entries()) {
      const at = this.#place((item as Node).range?.[0] ?? 0, childPointer(location.pointer, index));
      this.#map.setKey(array, index, at);
      array.push(this.convert(item, at));
    }
    return array;
  }
}
