import { isUtf8 } from 'node:buffer';
import { childPointer } from '../../descriptor/json-pointer.ts';
import { ApiError } from '../errors/api-error.ts';
import { shortened } from '../errors/bounded.ts';
import { findJsonFault } from './json-fault.ts';
import { checkValues } from './json-values.ts';

/** Deepest nesting of arrays and objects that a body may have. */
export const MAX_JSON_DEPTH = 64;

/** A shorter text cannot nest deeper than `MAX_JSON_DEPTH`. */
const MIN_DEEP_LENGTH = 2 * (MAX_JSON_DEPTH + 1);

const LINE_FEED = 0x0a;

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
  const fault = text.length >= MIN_DEEP_LENGTH || SUSPICIOUS.test(text) ? faultWithin(value, 1) : undefined;
  if (fault) throw malformed(`${subject} ${fault.reason} at ${shortened(fault.pointer)}.`);
  return value;
}

function parse(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { position, expected } = findJsonFault(text);
    throw malformed(`${subject} is not valid JSON: ${expected} expected at ${placeOf(text, position)}.`);
  }
}

function placeOf(text: string, position: number): string {
  let line = 1;
  let start = 0;
  for (let i = 0; i < position; i++) {
    if (text.charCodeAt(i) !== LINE_FEED) continue;
    line += 1;
    start = i + 1;
  }
  return `line ${line}, column ${position - start + 1} (position ${position})`;
}

interface Fault {
  readonly reason: string;
  readonly pointer: string;
}

/** The first fault within a parsed value. Its pointer is built once it is found: most values have none. */
function faultWithin(value: unknown, depth: number): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_JSON_DEPTH) return { reason: `nests more than ${MAX_JSON_DEPTH} levels deep`, pointer: '' };
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const children = (names ? value : value) as Readonly<Record<string, unknown>>;
  const count = names ? names.length : (value as readonly unknown[]).length;
  for (let i = 0; i < count; i++) {
    const name = names ? names[i]! : i;
    const child = children[name];
    const fault = names && isPoison(names[i]!, child) ? POISON : faultWithin(child, depth + 1);
    if (fault) return { ...fault, pointer: childPointer('', name) + fault.pointer };
  }
  return undefined;
}

const POISON: Fault = { reason: 'has a forbidden property name', pointer: '' };

const isPoison = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));

const malformed = (detail: string): ApiError => new ApiError('MALFORMED_REQUEST', { detail });
