import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { ConfigError } from '../../descriptor/config-error.ts';

/** A way into a YAML document, from its root. */
export type YamlPath = readonly (string | number)[];

/** What is added: entries of a mapping, or items of a sequence. */
type Addition = { readonly entries: Entries } | { readonly items: readonly unknown[] };

type Entries = Readonly<Record<string, unknown>>;

/**
 * The text with entries at the end of the mapping at `path`, which is added if it is missing, but for keys that the mapping has.
 * Everything else, with its comments and its style, stays as it is. Throws `ConfigError` when the text is not YAML, or something else stands at `path`.
 */
export const addEntries = (text: string, path: YamlPath, entries: Entries): string => add(text, path, { entries });

/** The text with another scalar at `path`, which has one. */
export function replaceScalar(text: string, path: YamlPath, value: number): string {
  const node = parseDocument(text, { uniqueKeys: false }).getIn(path, true);
  if (!isScalar(node)) throw new ConfigError([`\`${path.join('.')}\` is not a scalar.`]);
  const [start, end] = node.range!;
  return `${text.slice(0, start)}${value}${text.slice(end)}`;
}

/**
 * The text without the entry or the item at `path`, and without the lines of its own; unchanged where nothing is there. The last of a
 * mapping leaves `{}`, that of a sequence `[]`.
 */
export const removeEntry = (text: string, path: YamlPath): string =>
  withoutEntry(text, parseDocument(text, { uniqueKeys: false }), path);

function withoutEntry(text: string, document: Document, path: YamlPath): string {
  const holder = holderOf(document, path);
  if (!isMap(holder) && !isSeq(holder)) return text;
  const last = String(path.at(-1));
  const at = isMap(holder)
    ? holder.items.findIndex(({ key }) => String((key as Scalar).value) === last)
    : holder.items.findIndex((_, index) => String(index) === last);
  const inFlow = holder.flow === true;
  const [previous, own, next] = [at - 1, at, at + 1].map((one) => extentOf(text, holder.items[one] as Item, inFlow));
  if (!own) return text;
  const [start, end] = own;
  if (!next && !previous) {
    const [from, to] = inFlow ? (holder.range ?? own) : own;
    const rest = text.slice(from + text.slice(from, to).trimEnd().length);
    return `${text.slice(0, from).replace(/:[ \t]*\n\s*$/, ': ')}${isMap(holder) ? '{}' : '[]'}${rest}`;
  }
  const lineStart = start - columnOf(text, start);
  // The first entry of an item stands behind its dash.
  const isOnOwnLine = !inFlow && text.slice(lineStart, start).trim() === '';
  if (isOnOwnLine) return text.slice(0, lineStart) + text.slice(lineAfter(text, end));
  return next ? text.slice(0, start) + text.slice(next[0]) : text.slice(0, previous?.[1]) + text.slice(end);
}

/** The text without the entry or item at `path`, and without what is around it, below `top` levels, that would be empty then. */
export function removeBranch(text: string, path: YamlPath, top: number): string {
  const document = parseDocument(text, { uniqueKeys: false });
  let branch = path;
  while (branch.length > top + 1 && isOnly(holderOf(document, branch), branch.at(-1))) branch = branch.slice(0, -1);
  return withoutEntry(text, document, branch);
}

const isOnly = (holder: unknown, key: string | number | undefined): boolean =>
  (isMap(holder) || isSeq(holder)) && holder.items.length === 1 && holder.has(key);

const holderOf = (document: Document, path: YamlPath): unknown =>
  path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);

type Item = Pair<Scalar, Node | null> | Node | undefined;

/** Where an entry or an item begins, with its dash, and ends. */
function extentOf(text: string, item: Item, inFlow: boolean): readonly [number, number] | undefined {
  if (!item) return undefined;
  const [key, value] = 'key' in item ? [item.key, item.value ?? item.key] : [item, item];
  if (!key.range || !value.range) return undefined;
  const isItem = !('key' in item) && !inFlow;
  return [isItem ? text.lastIndexOf('-', key.range[0] - 1) : key.range[0], value.range[1]];
}

/** The text with items at the end of the sequence at `path`, as `addEntries` adds entries, but for scalars that it has. */
export const addItems = (text: string, path: YamlPath, items: readonly unknown[]): string => add(text, path, { items });

function add(text: string, path: YamlPath, addition: Addition): string {
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.errors.length > 0)
    throw new ConfigError([`The contract cannot be read: ${document.errors[0]!.message}`]);
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isMap(node) || isSeq(node)) {
    if (isMap(node) !== 'entries' in addition) throw misplaced(path, addition);
    const own = missing(node, addition);
    if (!own) return text;
    if (node.items.length > 0) return node.flow === true ? inFlow(text, node, own) : inBlock(text, node, own);
  } else if (node !== undefined && node !== null && !(isScalar(node) && node.value === null)) {
    throw misplaced(path, addition);
  }
  const last = path.at(-1);
  if (last === undefined) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block(addition, 0)}`;
  const holder = holderOf(document, path);
  const pair = isMap(holder)
    ? holder.items.find(({ key }) => String((key as Scalar).value) === String(last))
    : undefined;
  if (!pair) return add(text, path.slice(0, -1), { entries: { [last]: whole(addition) } });
  return instead(text, holder as YAMLMap, pair as Pair<Scalar, Node | null>, addition);
}

/** What a collection lacks of an addition; undefined if it has everything. */
function missing(node: YAMLMap | YAMLSeq, addition: Addition): Addition | undefined {
  if ('items' in addition) {
    const known = node.items.flatMap((one) => (isScalar(one) ? [one.value] : []));
    const items = addition.items.filter((item) => !known.includes(item));
    return items.length === 0 ? undefined : { items };
  }
  const entries = Object.entries(addition.entries).filter(([key]) => !node.has(key));
  return entries.length === 0 ? undefined : { entries: Object.fromEntries(entries) };
}

const whole = (addition: Addition): unknown => ('entries' in addition ? addition.entries : addition.items);

const misplaced = (path: YamlPath, addition: Addition): ConfigError =>
  new ConfigError([`\`${path.join('.')}\` is not a ${'entries' in addition ? 'mapping' : 'sequence'}.`]);

function inBlock(text: string, node: YAMLMap | YAMLSeq, addition: Addition): string {
  const end = lineAfter(text, node.range![1]);
  const before = text.slice(0, end);
  const ended = before.endsWith('\n') ? before : `${before}\n`;
  return `${ended}${block(addition, columnOf(text, node.range![0]))}${text.slice(end)}`;
}

/** Between brackets: on a line of its own where the entry before it is. */
function inFlow(text: string, node: YAMLMap | YAMLSeq, addition: Addition): string {
  const last = node.items.at(-1) as Node | Pair<Scalar, Node | null>;
  const [start, end] =
    'key' in last ? [last.key.range![0], (last.value ?? last.key).range![1]] : [last.range![0], last.range![1]];
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lead = text.slice(lineStart, start);
  const isOnOwnLine = lead.trim() === '' && lineStart > node.range![0];
  const written = flow(addition, isJson(node));
  return `${text.slice(0, end)},${isOnOwnLine ? `\n${lead}` : ' '}${written}${text.slice(end)}`;
}

/** Instead of an empty value: in block style, but for a value between brackets. */
function instead(text: string, holder: YAMLMap, { key, value }: Pair<Scalar, Node | null>, addition: Addition): string {
  const keyEnd = key.range![1];
  if (holder.flow === true) {
    const written = flow(addition, isJson(holder));
    const inside = 'entries' in addition ? `{ ${written} }` : `[${written}]`;
    const end = value?.range?.[1] ?? keyEnd;
    const colon = text.slice(keyEnd, end).includes(':') || text[keyEnd] === ':' ? '' : ':';
    const start = value && value.range![1] > value.range![0] ? value.range![0] : end;
    return `${text.slice(0, start)}${colon}${start === end ? ' ' : ''}${inside}${text.slice(end)}`;
  }
  const colon = text.indexOf(':', keyEnd) + 1;
  const end = value && value.range![1] > colon ? value.range![1] : colon;
  const rest = text.slice(end, lineAfter(text, end));
  const comment = rest.trim() === '' ? '' : ` ${rest.trim()}`;
  const indent = columnOf(text, key.range![0]) + 2;
  return `${text.slice(0, colon)}${comment}\n${block(addition, indent)}${text.slice(lineAfter(text, end))}`;
}

const isJson = (node: YAMLMap | YAMLSeq): boolean => {
  const [first] = node.items as readonly (Pair<Scalar> | Scalar)[];
  return (first && 'key' in first ? first.key : first)?.type === 'QUOTE_DOUBLE';
};

function block(addition: Addition, indent: number): string {
  const text = stringify(whole(addition), { lineWidth: 0, aliasDuplicateObjects: false });
  return text.replace(/^(?=.)/gm, ' '.repeat(indent));
}

function flow(addition: Addition, asJson: boolean): string {
  const text = asJson
    ? JSON.stringify(whole(addition))
    : stringify(whole(addition), { collectionStyle: 'flow', lineWidth: 0, aliasDuplicateObjects: false });
  return text.trim().slice(1, -1).trim();
}

/** The end of the line that contains the last character before this offset. */
function lineAfter(text: string, offset: number): number {
  const last = text[offset - 1] === '\n' ? offset - 1 : offset;
  const end = text.indexOf('\n', last);
  return end === -1 ? text.length : end + 1;
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);
