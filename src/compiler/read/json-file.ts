import { childPointer } from '../../descriptor/json-pointer.ts';
import { MAY_CHANGE, sentNumber, withDoubles } from '../../descriptor/written-number.ts';
import type { Location } from '../findings/finding.ts';
import type { LaterPlaces, SourceMap } from './source-map.ts';

/** What is nested deeper is left to the parser of YAML, which says so. */
const MAX_DEPTH = 200;
// With no choice between characters, of which each would take space on the stack.
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s[\]{},:"]+/g;

/**
 * Parses JSON into plain values, and finds the location of each only when one is asked for. Undefined for everything else, and
 * for JSON that may have to be refused: with a key that an object has twice, or a number that no double holds.
 */
export function parseJson(text: string, file: string, map: SourceMap): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  let written: number | undefined;
  try {
    value = JSON.parse(text, MAY_CHANGE.test(text) ? sentNumber : undefined);
    if (MAY_CHANGE.test(text) && withDoubles(value) !== value) return undefined;
    written = text.match(STRING)?.filter((one) => one.endsWith(':')).length;
  } catch {
    return undefined;
  }
  const nodes: object[] = [];
  const keys = keysIn(value, nodes);
  if (keys === undefined || keys !== written) return undefined;
  const places: LaterPlaces = { file, find: () => findPlaces(text, file, nodes, map) };
  for (const node of nodes) map.setLater(node, places);
  return { value };
}

/** How many keys the objects in a value have, which are added to `nodes`; undefined for what is left to the parser of YAML. */
function keysIn(value: unknown, nodes: object[], depth = 0): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : undefined;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH) return undefined;
  nodes.push(value);
  const members = Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) {
    const below = keysIn(member, nodes, depth + 1);
    if (below === undefined) return undefined;
    keys += below;
  }
  return keys;
}

/** Sets the places of the nodes, which may have changed since they were parsed. */
function findPlaces(text: string, file: string, nodes: readonly object[], map: SourceMap): void {
  const unchanged: object[] = [];
  const root: unknown = JSON.parse(text);
  keysIn(root, unchanged);
  const nodeOf = new Map(unchanged.map((one, at) => [one, nodes[at]]));
  const tokens = text.matchAll(TOKEN);
  let line = 1;
  let lineStart = 0;
  const lineEndFrom = (start: number): number => {
    const end = text.indexOf('\n', start);
    return end === -1 ? text.length : end;
  };
  let lineEnd = lineEndFrom(0);
  /** Of the next token, to which the lines before it are counted. */
  const next = (): RegExpExecArray => {
    const { value: token } = tokens.next();
    if (!token) throw new Error(`${file} has ended before its values.`);
    for (; lineEnd < token.index; lineEnd = lineEndFrom(lineStart)) {
      line++;
      lineStart = lineEnd + 1;
    }
    return token;
  };
  const placeOf = ({ index }: RegExpExecArray, pointer: string): Location => ({
    file,
    line,
    column: index - lineStart + 1,
    pointer,
  });
  const visit = (value: unknown, location: Location): void => {
    const node = typeof value === 'object' && value !== null ? nodeOf.get(value) : undefined;
    if (!node) return;
    map.setFound(node, location);
    let index = 0;
    for (let token = next(); token[0] !== '}' && token[0] !== ']'; token = next()) {
      const key = Array.isArray(value) ? String(index++) : (JSON.parse(token[0]) as string);
      const at = placeOf(token, childPointer(location.pointer, key));
      map.setFoundKey(node, key, at);
      if (!Array.isArray(value)) next();
      visit((value as Readonly<Record<string, unknown>>)[key], at);
    }
  };
  next();
  visit(root, { file, line: 1, column: 1, pointer: '' });
}
