import { isUtf8 } from 'node:buffer';
import { childPointer } from '../../descriptor/json-pointer.ts';
import { ApiError } from '../errors/api-error.ts';
import { findJsonFault } from './json-fault.ts';
import { checkValues } from './json-values.ts';

/** Deepest nesting of arrays and objects that a body may have. */
export const MAX_JSON_DEPTH = 64;

/** A shorter text cannot nest deeper than `MAX_JSON_DEPTH`. */
const MIN_DEEP_LENGTH = 2 * (MAX_JSON_DEPTH + 1);

/** Text that may contain a property name that poisons prototypes, possibly escaped. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

/**
 * Parses JSON (RFC 8259). Throws `MALFORMED_REQUEST` with the position of the fault when the bytes are not UTF-8 or not
 * valid JSON, nest too deeply, or contain property names that poison prototypes, and `CONTENT_TOO_LARGE`.
 */
export function parseJson(bytes: Buffer, maxValues?: number): unknown {
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  checkValues(bytes, 'The body', maxValues);
  return parseJsonText(bytes.toString('utf8'), 'The body');
}

/** The same for text; `subject` names the text in errors. */
export function parseJsonText(text: string, subject: string): unknown {
  const value = parse(text, subject);
  if (text.length >= MIN_DEEP_LENGTH || SUSPICIOUS.test(text)) inspect(value, subject, '', 1);
  return value;
}

function parse(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { position, expected } = findJsonFault(text);
    const before = text.slice(0, position).split('\n');
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1} (position ${position})`;
    throw malformed(`${subject} is not valid JSON: ${expected} expected at ${place}.`);
  }
}

function inspect(value: unknown, subject: string, pointer: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_JSON_DEPTH)
    throw malformed(`${subject} nests more than ${MAX_JSON_DEPTH} levels deep at ${pointer}.`);
  for (const name of Object.keys(value)) {
    const child = (value as Readonly<Record<string, unknown>>)[name];
    if (isPoison(name, child))
      throw malformed(`${subject} has a forbidden property name at ${childPointer(pointer, name)}.`);
    if (typeof child === 'object') inspect(child, subject, childPointer(pointer, name), depth + 1);
  }
}

const isPoison = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));

const malformed = (detail: string): ApiError => new ApiError('MALFORMED_REQUEST', { detail });
