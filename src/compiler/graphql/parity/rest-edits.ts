import { type GraphQLType, getNullableType, isListType, isNonNullType } from 'graphql';
import type { Fix } from '../../findings/fix.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { namedSchemas } from '../../model/schemas.ts';
import { referenceTo, withReferences } from '../../read/reference-text.ts';
import { SCALAR_SCHEMAS } from '../../sdl/scalar-schemas.ts';
import type { Parity } from './parity.ts';

/** The document that is edited. */
type Edited = Pick<Parity, 'draft' | 'document'>;

/** Adds a key as the first of an object of the OpenAPI document, in the style in which the object is written. */
export function addKey(parity: Edited, node: object, name: string, added: unknown): Fix | undefined {
  const { source, spelling } = parity.draft;
  const key = spelling?.field(name) ?? name;
  const [first] = Object.keys(node);
  if (first === undefined) return undefined;
  const here = source.locate(node, first);
  const { file, line, column } = here;
  const value = relocated(parity, added, file);
  if (file.endsWith('.json')) return { file, line, column, text: `${JSON.stringify(key)}: ${JSON.stringify(value)}, ` };
  const isBlock = line > source.locate(node).line;
  if (!isBlock) return { file, line, column, text: `${keyText(key)}: ${flowText(value)}, ` };
  return { file, line, column, text: `${keyText(key)}:${valueText(value, column)}${indented(column)}` };
}

/** Adds an entry before the last of an array: the first may have a meaning of its own, such as the initial state. */
export function addEntry(parity: Edited, node: readonly unknown[], added: unknown): Fix | undefined {
  if (node.length === 0) return undefined;
  const { source } = parity.draft;
  const { file, line, column } = source.locate(node, node.length - 1);
  const value = relocated(parity, added, file);
  const isBlock = node.length > 1 && line > source.locate(node, node.length - 2).line;
  if (file.endsWith('.json')) return { file, line, column, text: `${JSON.stringify(value)}, ` };
  return { file, line, column, text: `${flowText(value)}${isBlock ? `${indented(column - 2)}- ` : ', '}` };
}

const SCHEMA = /^#\/components\/schemas\/([^/]+)$/;

/** A value with its references to schemas as they are written in a file. */
function relocated({ document, draft: { source } }: Edited, value: unknown, from: string): unknown {
  return withReferences(value, (ref) => {
    const node = namedSchemas(document)[SCHEMA.exec(ref)?.[1] ?? ''];
    return typeof node === 'object' ? referenceTo(source.locate(node), from) : ref;
  });
}

const indented = (column: number): string => `\n${' '.repeat(column - 1)}`;

/** The longest value that is written on one line. */
const MAX_INLINE = 80;

/** A value below a key in the given column: short ones in flow style on its line, others as a block. */
function valueText(value: unknown, column: number): string {
  const inline = flowText(value);
  if (inline.length <= MAX_INLINE || typeof value !== 'object' || value === null || Array.isArray(value))
    return ` ${inline}`;
  const members = Object.entries(value).map(([key, one]) => `${keyText(key)}:${valueText(one, column + 2)}`);
  return members.map((member) => `${indented(column + 2)}${member}`).join('');
}

const PLAIN = /^[A-Za-z_$][\w$/.-]*$/;
const AMBIGUOUS = /^(?:true|false|null|yes|no|on|off)$/i;

const keyText = (key: string): string => (PLAIN.test(key) ? key : `'${key}'`);

/** A value in YAML's flow style: `{ type: string, format: date }`. */
function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => `${keyText(key)}: ${flowText(one)}`);
    return `{ ${members.join(', ')} }`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return PLAIN.test(value) && !AMBIGUOUS.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

/**
 * Gives a schema the property that GraphQL has alone. Undefined when its type has no schema, and when it is required:
 * that takes a second edit.
 */
export function propertyFix(parity: Parity, { nodes }: FlatSchema, name: string, type: GraphQLType): Fix | undefined {
  const holder = (nodes.at(-1) as { readonly properties?: object } | undefined)?.properties;
  const schema = schemaOfType(parity, type);
  return holder && schema && !isNonNullType(type) ? addKey(parity, holder, name, schema) : undefined;
}

/** The schema of a GraphQL type by the conventions, or undefined. */
export function schemaOfType(parity: Parity, type: GraphQLType): object | undefined {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const items = schemaOfType(parity, nullable.ofType);
    return items && { type: 'array', items };
  }
  const { name } = nullable as { readonly name: string };
  const schemas = namedSchemas(parity.document);
  const named = [name, name.replace(/Input$/, '')].find((one) => schemas[one] !== undefined);
  return SCALAR_SCHEMAS[name] ?? (named === undefined ? undefined : { $ref: `#/components/schemas/${named}` });
}
