import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import type { Location } from '../../src/contract/finding.ts';
import type { ContractSource } from '../../src/contract/model.ts';
import type { OpenApiDocument } from '../../src/descriptor/document.ts';

/** A contract of one file, `openapi.yaml` in a folder. */
export function readSingleFile(folder: string): ContractSource {
  return parseContract(readFileSync(join(folder, 'openapi.yaml'), 'utf8'));
}

/** A contract given as YAML text, without external references. */
export function parseContract(text: string): ContractSource {
  const lines = new LineCounter();
  const places = new Map<object, Location>();
  const keys = new Map<object, Map<string, Location>>();

  const locationOf = (node: Node | null, pointer: string): Location => {
    const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
    return { file: 'openapi.yaml', line, column: col, pointer };
  };
  const convert = (node: ParsedNode | null, place: Location): unknown => {
    if (isScalar(node)) return node.value;
    const value: Record<string, unknown> | unknown[] = isSeq(node) ? [] : {};
    const inner = new Map<string, Location>();
    const children: [string, Node | null, ParsedNode | null][] = isMap(node)
      ? node.items.map((pair) => [String((pair.key as { value?: unknown }).value), pair.key, pair.value])
      : isSeq(node)
        ? node.items.map((item, index) => [String(index), item as Node, item as ParsedNode])
        : [];
    for (const [key, at, child] of children) {
      const pointer = `${place.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const location = locationOf(at, pointer);
      inner.set(key, location);
      (value as Record<string, unknown>)[key] = convert(child, location);
    }
    places.set(value, place);
    keys.set(value, inner);
    return value;
  };

  const root = parseDocument(text, { lineCounter: lines }).contents;
  const start = { file: 'openapi.yaml', line: 1, column: 1, pointer: '' };
  const document = convert(root, start) as OpenApiDocument;
  const locate = (node: object, key?: string | number): Location =>
    keys.get(node)?.get(String(key)) ?? places.get(node) ?? start;
  return { document, findings: [], locate };
}
