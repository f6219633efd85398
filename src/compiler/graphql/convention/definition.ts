import type { Schema } from '../../../descriptor/document.ts';
import type { Origin } from './operation-inputs.ts';

/** A definition that a schema should have, as data; what a contract has of it already stays as it is written there. */
export interface Definition {
  readonly kind: 'schema' | 'scalar' | 'type' | 'input' | 'enum' | 'union';
  /** The empty string for the schema definition, which has no name. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly directives?: readonly string[];
  readonly members: readonly Member[];
  /** Last segment of the path of the resource that it belongs to; undefined for what several resources share. */
  readonly home?: string | undefined;
}

/** A field, an argument, an enum value, a type of a union, or an operation of the schema definition. */
export interface Member {
  readonly name: string;
  readonly description?: string | undefined;
  readonly args?: readonly Member[];
  /** Absent on enum values and types of unions. */
  readonly type?: string;
  /** The default value in SDL. */
  readonly value?: string | undefined;
  /** `@auth(scopes: ["books:write"])` */
  readonly directives?: readonly string[];
  /** The node of the document that it follows from, or the key of one; left out where that is an operation as a whole. */
  readonly origin?: Origin;
  /** The schemas of its values. */
  readonly schemas?: readonly Schema[];
  /** The default value of these, as JSON. */
  readonly given?: unknown;
}

const MAX_WIDTH = 120;

/** The text of a definition, or of an extension of it; without a line break at its end. */
export function printDefinition(definition: Definition, isExtension = false): string {
  const { kind, name, description, directives = [], members } = definition;
  const lead = isExtension ? 'extend ' : printDescription(description, '');
  const head = [`${lead}${kind}`, name, ...directives].filter((part) => part !== '').join(' ');
  if (kind === 'union') return `${head} = ${members.map((member) => member.name).join(' | ')}`;
  if (members.length === 0) return head;
  return `${head} {\n${members.map((member) => `${printMember(member, '  ')}\n`).join('')}}`;
}

/** The text of a member on lines of its own. */
export function printMember(member: Member, indent: string): string {
  const { name, description, args = [], directives = [] } = member;
  const start = `${printDescription(description, indent)}${indent}${name}${printArguments(args, indent)}`;
  const typed = `${start}${typeOf(member)}`;
  const line = [typed, ...directives].join(' ');
  const isWide = line.slice(line.lastIndexOf('\n') + 1).length > MAX_WIDTH && directives.length > 0;
  return isWide ? [typed, ...directives].join(`\n${indent}  `) : line;
}

/** The text of a member on one line, without what describes it. */
export function printOnOneLine({ name, args = [], type, value, directives = [] }: Member): string {
  const list = args.length === 0 ? '' : `(${args.map(printArgument).join(', ')})`;
  return [`${name}${list}${typeOf({ name, ...(type !== undefined && { type }), value })}`, ...directives].join(' ');
}

/** An argument between others on one line: `first: Int = 20`. */
export const printArgument = (argument: Member): string => `${argument.name}${typeOf(argument)}`;

const typeOf = ({ type, value }: Member): string =>
  `${type === undefined ? '' : `: ${type}`}${value === undefined ? '' : ` = ${value}`}`;

function printArguments(args: readonly Member[], indent: string): string {
  if (args.length === 0) return '';
  if (args.every(({ description }) => description === undefined)) return `(${args.map(printArgument).join(', ')})`;
  return `(\n${args.map((arg) => `${printMember(arg, `${indent}  `)}\n`).join('')}${indent})`;
}

/** A description on lines of its own, as a block string where it has several lines. */
function printDescription(description: string | undefined, indent: string): string {
  const text = description?.trim() ?? '';
  if (text === '') return '';
  if (!text.includes('\n')) return `${indent}${JSON.stringify(text)}\n`;
  const lines = text.replaceAll('"""', '\\"""').split('\n');
  return [`"""`, ...lines, `"""`].map((line) => `${line === '' ? '' : indent + line}\n`).join('');
}

/** A JSON value in SDL. `isEnum`: its strings are names of enum values. */
export function printValue(value: unknown, isEnum: boolean): string {
  if (typeof value === 'string') return isEnum ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => printValue(item, isEnum)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${printValue(inner, isEnum)}`)
    .join(', ')} }`;
}

/** The name in the text of a type: `Book` of `[Book!]!`. */
export const nameIn = (type: string): string => type.replace(/[[\]!]/g, '');
