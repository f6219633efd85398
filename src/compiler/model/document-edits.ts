import type { Fix } from '../findings/fix.ts';
import type { ContractDraft } from './draft.ts';

/** Adds a key with a word as the first of an object of the OpenAPI document, in the style in which the object is written. */
export function addKey(
  { source, spelling }: ContractDraft,
  node: object,
  name: string,
  added: string,
): Fix | undefined {
  const key = spelling?.field(name) ?? name;
  const [first] = Object.keys(node);
  if (first === undefined) return undefined;
  const { file, line, column } = source.locate(node, first);
  if (file.endsWith('.json')) return { file, line, column, text: `${JSON.stringify(key)}: ${JSON.stringify(added)}, ` };
  const isBlock = line > source.locate(node).line;
  return { file, line, column, text: `${key}: ${flowText(added)}${isBlock ? indented(column) : ', '}` };
}

/** Adds an entry before the last of an array: the first may have a meaning of its own, such as the initial state. */
export function addEntry({ source }: ContractDraft, node: readonly unknown[], added: unknown): Fix | undefined {
  if (node.length === 0) return undefined;
  const { file, line, column } = source.locate(node, node.length - 1);
  const isBlock = node.length > 1 && line > source.locate(node, node.length - 2).line;
  if (file.endsWith('.json')) return { file, line, column, text: `${JSON.stringify(added)}, ` };
  return { file, line, column, text: `${flowText(added)}${isBlock ? `${indented(column - 2)}- ` : ', '}` };
}

const indented = (column: number): string => `\n${' '.repeat(column - 1)}`;

const PLAIN = /^[A-Za-z_$][\w$/.-]*$/;
const AMBIGUOUS = /^(?:true|false|null|yes|no|on|off)$/i;

/** A value in YAML's flow style: `{ type: string, format: date }`. */
export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => `${key}: ${flowText(one)}`);
    return `{ ${members.join(', ')} }`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return PLAIN.test(value) && !AMBIGUOUS.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
}
