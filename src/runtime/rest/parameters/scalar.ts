import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { isReference, resolveReference } from '../../schema/reference.ts';

/** Decodes a text strictly: nothing is trimmed or guessed, and what is rounded is for the schema to refuse. Undefined if the text is not a value of the type. */
export type DecodeScalar = (text: string) => string | number | boolean | null | undefined;

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What JSON rounds is an integer, too, as in a body: the schema refuses it by its bounds. */
const anyInteger = (text: string): number | undefined => {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};

const decoders: Readonly<Record<string, DecodeScalar>> = {
  integer: (text) => {
    const value = anyInteger(text);
    return Number.isSafeInteger(value) ? value : undefined;
  },
  number: (text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(value) ? value : undefined;
  },
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  null: (text) => (text === 'null' ? null : undefined),
  string: (text) => text,
};

/** Narrow types come first: a text is a string only if the schema allows no other type for it. */
const PRECEDENCE = ['boolean', 'integer', 'number', 'null', 'string'];

const ARTICLES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  null: 'null',
};

/** The decoder for scalars of a schema, and a description of what it accepts. */
export function scalarDecoder(document: OpenApiDocument, schema: Schema): { decode: DecodeScalar; expected: string } {
  const types = typesOf(document, schema);
  const known = PRECEDENCE.filter((type) => types.has(type));
  if (known.length === 0 || (known.length === 1 && known[0] === 'string'))
    return { decode: decoders.string!, expected: 'a string' };
  const candidates = [...known.map((type) => decoders[type]!), ...(types.has('integer') ? [anyInteger] : [])];
  const decode: DecodeScalar = (text) => {
    for (const candidate of candidates) {
      const value = candidate(text);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return { decode, expected: known.map((type) => ARTICLES[type]).join(' or ') };
}

/** All JSON types that a schema names, directly or through references and compositions; an empty set means any type. */
export function typesOf(document: OpenApiDocument, schema: Schema, seen = new Set<Schema>()): ReadonlySet<string> {
  const types = new Set<string>();
  if (typeof schema === 'boolean' || seen.has(schema)) return types;
  seen.add(schema);
  for (const type of [schema.type ?? []].flat() as string[]) types.add(type);
  if (types.size === 0) for (const value of literalsOf(schema)) types.add(typeOf(value));
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flat() as (Schema | undefined)[];
  if (isReference(schema)) parts.push(resolveReference(document, schema.$ref) as Schema);
  for (const part of parts) if (part !== undefined) for (const type of typesOf(document, part, seen)) types.add(type);
  return types;
}

const literalsOf = (schema: Readonly<Record<string, unknown>>): readonly unknown[] =>
  'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
