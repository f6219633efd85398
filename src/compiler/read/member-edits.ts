import {
  isCollection,
  isMap,
  isNode,
  isPair,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { Fix } from '../findings/fix.ts';
import { flowText } from '../model/document-edits.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Edit extends Range {
  readonly text: string;
}

/** What becomes of members of a file, by their pointers: a new value, further members in their place, or nothing. */
export interface MemberChanges {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly members?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly removed?: readonly string[];
}

/** Edits of the members of a file of YAML or JSON, in the style in which it is written. */
export class MemberEdits {
  readonly #file: string;
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #root: unknown;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#root = parseDocument(text, { lineCounter: this.#lines, version: '1.2', uniqueKeys: false }).contents;
  }

  /** One edit that makes all changes; undefined if a member is not written at its place, as behind an alias. */
  fix({ values = {}, members = {}, removed = [] }: MemberChanges): Fix | undefined {
    const edits = [
      ...Object.entries(values).map(([pointer, value]) => this.#value(pointer, value)),
      ...Object.entries(members).map(([pointer, added]) => this.#members(pointer, added)),
      ...removed.map((pointer) => this.#removal(pointer)),
    ].sort((a, b) => Number(a?.start) - Number(b?.start));
    const [first] = edits;
    if (!first || !edits.every((edit) => edit !== undefined)) return undefined;
    let text = '';
    let done = first.start;
    for (const edit of edits) {
      if (edit.start < done) return undefined;
      text += this.#text.slice(done, edit.start) + edit.text;
      done = edit.end;
    }
    return { file: this.#file, ...this.#position(first.start), end: this.#position(done), text };
  }

  #value(pointer: string, value: unknown): Edit | undefined {
    const found = this.#find(pointer);
    const range = found && rangeOf(found.holder.items[found.index], 'value');
    return range && { ...range, text: this.#write(value) };
  }

  #members(pointer: string, added: Readonly<Record<string, unknown>>): Edit | undefined {
    const found = this.#find(pointer);
    const range = found && rangeOf(found.holder.items[found.index]);
    if (!range) return undefined;
    const lines = Object.entries(added).map(([key, value]) => `${this.#write(key)}: ${this.#write(value)}`);
    const indent = `\n${' '.repeat(this.#position(range.start).column - 1)}`;
    return { ...range, text: lines.join(found?.holder.flow ? ', ' : indent) };
  }

  #removal(pointer: string): Edit | undefined {
    const found = this.#find(pointer);
    if (!found) return undefined;
    const { holder, index } = found;
    const [before, own, after] = [index - 1, index, index + 1].map((at) => rangeOf(holder.items[at]));
    if (!own) return undefined;
    if (holder.flow) {
      if (after) return { start: own.start, end: after.start, text: '' };
      return { start: before?.end ?? own.start, end: own.end, text: '' };
    }
    const lineStart = this.#text.lastIndexOf('\n', own.start - 1) + 1;
    const isFirst = !/^\s*(?:- +)?$/.test(this.#text.slice(lineStart, own.start)) || index === 0;
    if (isFirst) return after && { start: own.start, end: after.start, text: '' };
    const lineEnd = this.#text.indexOf('\n', own.end);
    return { start: lineStart - 1, end: lineEnd === -1 ? this.#text.length : lineEnd, text: '' };
  }

  #find(pointer: string): { readonly holder: YAMLMap | YAMLSeq; readonly index: number } | undefined {
    let found: { holder: YAMLMap | YAMLSeq; index: number } | undefined;
    let node = this.#root;
    for (const token of pointerTokens(pointer)) {
      if (!isCollection(node)) return undefined;
      const holder = node as YAMLMap | YAMLSeq;
      const index = isMap(holder) ? holder.items.findIndex(({ key }) => String(key) === token) : Number(token);
      const item: unknown = holder.items[index];
      if (item === undefined) return undefined;
      found = { holder, index };
      node = isPair(item) ? item.value : item;
    }
    return found;
  }

  readonly #write = (value: unknown): string =>
    this.#file.endsWith('.json') ? JSON.stringify(value) : flowText(value);

  #position(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

/** Of a member whole, or of its value. */
function rangeOf(item: unknown, part: 'whole' | 'value' = 'whole'): Range | undefined {
  const { key, value } = isPair(item) ? (item as Pair) : { key: item, value: item };
  const [from, to] = [part === 'value' ? value : key, value ?? key];
  if (!isNode(from) || !isNode(to) || !from.range || !to.range) return undefined;
  return { start: from.range[0], end: to.range[1] };
}
