import { LRUCache } from 'lru-cache';
import { lookUp } from '../../../descriptor/look-up.ts';
import type { ParameterDescriptor } from '../../../descriptor/rest.ts';
import type { FieldError } from '../../errors/api-error.ts';
import { isDeepObject, type ObjectParameter } from '../../schema/parameter-error.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
import { decodeQueryText, parseQueryString, type RawQuery } from './query-string.ts';
import type { Decoded } from './scalar.ts';
import { propertyDecoder } from './styles.ts';
import { ABSENT, type TextReader } from './text-reader.ts';
import { createValueReader } from './value-reader.ts';

/** Decoded values by parameter name. */
export type Values = Readonly<Record<string, unknown>>;

/** A decoded query. */
interface DecodedQuery {
  readonly values: Values;
  /** The values as JSON, made once for all requests with the same query; undefined if queries are not cached. */
  readonly text: string | undefined;
}

/** Reads the query of a request target. Adds all faults to `faults`, including unknown parameters. */
export type ReadQuery = (target: string, faults: FieldError[]) => DecodedQuery;

/** Queries whose values are cached. Cursors make most queries different from each other. */
const MAX_CACHED = 500;

/** A parameter of a query, or a field of a form. */
export interface QueryParameter {
  readonly reader: TextReader;
  /** Decodes the value, and removes its texts from the query: parameters that remain are unknown. */
  readonly take: (query: RawQuery, faults: FieldError[]) => unknown;
}

/** A parameter's key in brackets: `price[gte]`. */
export const BRACKETED = /^([^[\]]+)\[([^[\]]*)\]$/;

/** `isCached`: equal queries are decoded once, and their values are frozen. */
export function createQueryReader(
  parameters: readonly ParameterDescriptor[],
  schemas: SchemaRegistry,
  isCached: boolean,
): ReadQuery {
  const readers = parameters.map((parameter) => createQueryParameter(parameter, schemas));
  const isOpen = parameters.some((parameter) => isExplodedObject(parameter) && parameter.isOpen);
  const unchanged = withoutQuery(readers);
  // Made when it is needed: a cache has all its room from the start.
  let cache: LRUCache<string, DecodedQuery> | undefined;
  return (target, faults) => {
    const start = target.indexOf('?');
    if (unchanged && start === -1) return unchanged;
    const text = target.slice(start);
    const known = cache?.get(text);
    if (known) return known;
    const before = faults.length;
    const query = parseQueryString(target);
    const values: Record<string, unknown> = Object.create(null);
    for (const { reader, take } of readers) {
      const value = take(query, faults);
      if (value !== ABSENT) values[reader.name] = value;
    }
    if (!isOpen) for (const name of query.keys()) faults.push({ parameter: name, detail: 'is not a known parameter' });
    if (!isCached || faults.length > before) return { values, text: undefined };
    const decoded = shared(values);
    cache ??= new LRUCache({ max: MAX_CACHED });
    cache.set(text, decoded);
    return decoded;
  };
}

/** Freezes values, because many requests share them. */
function shared(values: Values): DecodedQuery {
  for (const value of Object.values(values)) Object.freeze(value);
  return { values: Object.freeze(values), text: JSON.stringify(values) };
}

/** The values of a request without a query; undefined if a parameter is required. */
function withoutQuery(readers: readonly QueryParameter[]): DecodedQuery | undefined {
  const faults: FieldError[] = [];
  const values: Record<string, unknown> = Object.create(null);
  for (const { reader } of readers) {
    const value = reader.absent(faults);
    if (value !== ABSENT) values[reader.name] = value;
  }
  return faults.length > 0 ? undefined : shared(values);
}

/** What takes one parameter, in any style, from a query. */
export function createQueryParameter(parameter: ParameterDescriptor, schemas: SchemaRegistry): QueryParameter {
  const reader = createValueReader(parameter, schemas);
  if (isDeepObject(parameter)) return { reader, take: deepObject(parameter, reader) };
  if (isExplodedObject(parameter)) return { reader, take: explodedObject(parameter, reader) };
  return {
    reader,
    take: (query, faults) => {
      const raws = query.get(parameter.name);
      query.delete(parameter.name);
      if (parameter.allowsEmpty && raws?.length === 1 && raws[0] === '') return '';
      return reader.read(raws, decodeQueryText, faults);
    },
  };
}

/** `price[gte]=5&price[lt]=9` (style deepObject). */
function deepObject(parameter: ObjectParameter, reader: TextReader): QueryParameter['take'] {
  const decode = propertyDecoder(parameter);
  return (query, faults) => {
    const entries: [string, string, readonly string[]][] = [];
    for (const [key, raws] of query) {
      const [, name, property] = BRACKETED.exec(key) ?? [];
      if (name === parameter.name) entries.push([key, property!, raws]);
    }
    if (entries.length === 0) return reader.absent(faults);
    for (const [key] of entries) query.delete(key);
    return assemble(entries, decode, reader, faults);
  };
}

/** Each property is a parameter of its own (style form, exploded). An empty object is written as nothing (RFC 6570, 3.2.8). */
function explodedObject(parameter: ObjectParameter, reader: TextReader): QueryParameter['take'] {
  const decode = propertyDecoder(parameter);
  const names = Object.keys(parameter.properties);
  return (query, faults) => {
    const present = names.filter((name) => query.has(name));
    if (present.length === 0) return parameter.required && reader.isValid({}) ? {} : reader.absent(faults);
    const entries = present.map((name): [string, string, readonly string[]] => [name, name, lookUp(query, name)]);
    for (const name of present) query.delete(name);
    return assemble(entries, decode, reader, faults);
  };
}

function assemble(
  entries: readonly [key: string, property: string, raws: readonly string[]][],
  decode: (name: string, texts: readonly string[]) => Decoded,
  reader: TextReader,
  faults: FieldError[],
): unknown {
  const value: Record<string, unknown> = Object.create(null);
  const before = faults.length;
  for (const [key, property, raws] of entries) {
    const decoded = decode(property, raws.map(decodeQueryText));
    if ('detail' in decoded) faults.push({ parameter: key, detail: decoded.detail });
    else value[property] = decoded.value;
  }
  const accepted = reader.accept(value, faults);
  return faults.length > before ? ABSENT : accepted;
}

const isExplodedObject = (parameter: ParameterDescriptor): parameter is ObjectParameter =>
  parameter.kind === 'object' && parameter.style === 'form' && parameter.explode;
