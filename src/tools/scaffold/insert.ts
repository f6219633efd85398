import { isMap, isSeq, type Node, type Pair, parseDocument, type Scalar } from 'yaml';
import { ConfigError } from '../../descriptor/config-error.ts';

/**
 * Adds lines to the end of a list or mapping at the top level of a YAML text; everything else, including comments,
 * stays as it is. `lines` are indented relative to the list or mapping. Throws `ConfigError` when the text is not a
 * mapping.
 */
export function insertInto(text: string, key: string, lines: readonly string[]): string {
  const { contents, errors } = parseDocument(text);
  if (errors.length > 0 || !isMap(contents))
    throw new ConfigError([`The contract cannot be read: ${errors[0]?.message ?? 'it is not a mapping'}`]);
  const pair = contents.items.find((item) => String((item.key as Scalar).value) === key) as
    | Pair<Scalar, Node | null>
    | undefined;
  const indented = (indent: number): string => lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('');
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  if (!pair) return `${ended}${key}:\n${indented(2)}`;
  const { value } = pair;
  if (!value || !(isMap(value) || isSeq(value)) || value.items.length === 0 || value.flow === true)
    return replaced(text, pair, key, indented(2));
  const end = lineAfter(text, value.range![1]);
  const before = text.slice(0, end);
  return `${before}${before.endsWith('\n') ? '' : '\n'}${indented(columnOf(text, value.range![0]))}${text.slice(end)}`;
}

/**
 * Replaces an empty value, in flow style or not, by one in block style. Throws `ConfigError` for entries in flow
 * style.
 */
function replaced(text: string, { key, value }: Pair<Scalar, Node | null>, name: string, lines: string): string {
  if ((isMap(value) || isSeq(value)) && value.items.length > 0)
    throw new ConfigError([`\`${name}\` is written in brackets; put its entries on separate lines first.`]);
  const start = key.range![0];
  const end = lineAfter(text, value?.range?.[1] ?? key.range![1]);
  return `${text.slice(0, start)}${name}:\n${lines}${text.slice(end)}`;
}

/** The end of the line that contains the last character before this offset. */
function lineAfter(text: string, offset: number): number {
  const last = text[offset - 1] === '\n' ? offset - 1 : offset;
  const end = text.indexOf('\n', last);
  return end === -1 ? text.length : end + 1;
}

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);
