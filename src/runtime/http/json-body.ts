import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { findWithin } from '../../descriptor/json-pointer.ts';
import { sentNumber } from '../../descriptor/written-number.ts';
import { ApiError } from '../errors/api-error.ts';
import { shortened } from '../errors/bounded.ts';
import { findJsonFault } from './json-fault.ts';
import { checkJsonType } from './json-type.ts';
import { checkValues, MIN_COUNTED_BYTES } from './json-values.ts';

/** Deepest nesting of arrays and objects that a body may have. */
const MAX_JSON_DEPTH = 64;

/** Parsing may have changed a number from here on: doubles do not hold each integer. */
const LARGE = 2 ** 53;

const LINE_FEED = 0x0a;

/** Text that may contain a property name that poisons prototypes, possibly escaped. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

const JSON_TYPE = 'application/json';

/** Throws `UNSUPPORTED_MEDIA_TYPE` unless a body is JSON. */
export function checkJson({ headers }: FastifyRequest): void {
  if (headers['content-type'] !== JSON_TYPE || headers['content-encoding'] !== undefined) checkJsonType(headers);
}

/**
 * Parses JSON (RFC 8259). Throws `MALFORMED_REQUEST` with the position of the fault when the bytes are not UTF-8 or not
 * valid JSON, nest too deeply, or contain property names that poison prototypes, and `CONTENT_TOO_LARGE`.
 */
export function parseJson(bytes: Buffer, maxValues?: number): unknown {
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  if (bytes.length >= MIN_COUNTED_BYTES) checkValues(bytes, 'The body', maxValues);
  return parseJsonText(bytes.toString('utf8'), 'The body');
}

/** The same for text; `subject` names it in errors. Numbers that doubles change are `WrittenNumber`, for validators to refuse. */
export function parseJsonText(text: string, subject: string): unknown {
  const value = parse(text, subject);
  const isSuspect = isDeepOrLarge(value, MAX_JSON_DEPTH);
  const fault = isSuspect || SUSPICIOUS.test(text) ? findWithin(value, faultOf) : undefined;
  if (fault) throw malformed(`${subject} ${fault.said} at ${shortened(fault.pointer)}.`);
  return isSuspect ? JSON.parse(text, sentNumber) : value;
}

function parse(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { position, expected } = findJsonFault(text);
    let line = 1;
    for (let i = 0; i < position; i++) if (text.charCodeAt(i) === LINE_FEED) line += 1;
    const column = position - text.lastIndexOf('\n', position - 1);
    const place = `line ${line}, column ${column} (position ${position})`;
    throw malformed(`${subject} is not valid JSON: ${expected} expected at ${place}.`);
  }
}

/** Whether a value nests more levels deep, or has a number that parsing may have changed. */
function isDeepOrLarge(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Math.abs(value) >= LARGE;
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeepOrLarge(item, levels - 1));
  for (const name of Object.keys(value))
    if (isDeepOrLarge((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return true;
  return false;
}

function faultOf(value: unknown, name: string | number, depth: number): string | undefined {
  const isObject = typeof value === 'object' && value !== null;
  if (name === '__proto__' || (name === 'constructor' && isObject && Object.hasOwn(value, 'prototype')))
    return 'has a forbidden property name';
  return isObject && depth > MAX_JSON_DEPTH ? `nests more than ${MAX_JSON_DEPTH} levels deep` : undefined;
}

const malformed = (detail: string): ApiError => new ApiError('MALFORMED_REQUEST', { detail });
