import type { ScalarTypes } from '../../../descriptor/rest.ts';

/** A decoded value, or what is wrong with it, and with which property or item. */
export type Decoded = { readonly value: unknown } | { readonly detail: string; readonly at?: string };

/** Decodes one text. */
export type DecodeText = (text: string) => Decoded;

/** Decodes a text strictly: nothing is trimmed or guessed, and what is rounded is for the schema to refuse. Undefined if the text is not a value of the type. */
type DecodeScalar = (text: string) => string | number | boolean | null | undefined;

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What JSON rounds is an integer, too, as in a body: the schema refuses it by its bounds. */
const anyInteger = (text: string): number | undefined => {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};

const decoders: Readonly<Record<ScalarTypes[number], DecodeScalar>> = {
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

const ARTICLES: Readonly<Record<ScalarTypes[number], string>> = {
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  null: 'null',
  string: 'a string',
};

/** Decodes scalars of some types: as an integer, `5` is valid and `05` is not. */
export function scalarDecoder(types: ScalarTypes): DecodeText {
  const candidates = [...types.map((type) => decoders[type]), ...(types.includes('integer') ? [anyInteger] : [])];
  const expected = types.map((type) => ARTICLES[type]).join(' or ');
  return (text) => {
    for (const candidate of candidates) {
      const value = candidate(text);
      if (value !== undefined) return { value };
    }
    return { detail: `must be ${expected}` };
  };
}
