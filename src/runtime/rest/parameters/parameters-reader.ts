import type { FastifyRequest } from 'fastify';
import type { OpenApiDocument, Parameter } from '../../../descriptor/document.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
import { parseCookies } from './cookies.ts';
import { createQueryReader, type Values } from './query-reader.ts';
import { routeParameterOf } from './route-path.ts';
import { ABSENT, createValueReader, type ValueReader } from './value-reader.ts';

/** All parameters of a request, decoded and checked. */
interface Parameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Values;
  /** The query's values as JSON, if queries are cached. */
  readonly queryText: string | undefined;
  /** By lower-case name. */
  readonly header: Values;
  readonly cookie: Values;
}

/** Reads an operation's parameters. Adds all faults to `faults`, and omits the parameters that have one. */
export type ReadParameters = (request: FastifyRequest, faults: FieldError[]) => Parameters;

const NONE: Values = Object.freeze(Object.create(null));
const NO_QUERY = { values: NONE, text: '{}' };

/** Header parameters that OpenAPI 3.1, 4.8.12.1, says to ignore: other parts of the contract define them. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

export function createParametersReader(
  document: OpenApiDocument,
  parameters: readonly Parameter[],
  schemas: SchemaRegistry,
  isQueryCached = false,
): ReadParameters {
  const readersIn = (place: Parameter['in']): readonly ValueReader[] =>
    parameters.filter((parameter) => parameter.in === place).map((p) => createValueReader(document, p, schemas));
  const inPath = readersIn('path').map((reader) => ({ name: routeParameterOf(reader.name), reader }));
  const inHeader = readersIn('header')
    .map((reader) => ({ name: reader.name.toLowerCase(), reader }))
    .filter(({ name }) => !IGNORED_HEADERS.has(name));
  const inCookie = readersIn('cookie');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const readQuery = createQueryReader(document, inQuery, schemas, isQueryCached);
  return (request, faults) => {
    const path = readPath(inPath, request.params as Readonly<Record<string, string>>, faults);
    const { url } = request.raw;
    const query = inQuery.length === 0 && !url!.includes('?') ? NO_QUERY : readQuery(url!, faults);
    return {
      path,
      query: query.values,
      queryText: query.text,
      header: inHeader.length === 0 ? NONE : readHeaders(inHeader, request, faults),
      cookie: inCookie.length === 0 ? NONE : readEach(inCookie, parseCookies(request.headers.cookie), faults),
    };
  };
}

function readPath(
  readers: readonly NamedReader[],
  params: Readonly<Record<string, string>>,
  faults: FieldError[],
): Parameters['path'] {
  const values: Record<string, string> = {};
  for (const { name, reader } of readers) {
    const value = reader.read([params[name]!], asIs, faults);
    if (value !== ABSENT) values[reader.name] = value as string;
  }
  return values;
}

const asIs = (text: string): string => text;
const trimmed = (text: string): string => text.trim();

function readEach(
  readers: readonly ValueReader[],
  texts: Readonly<Record<string, string | undefined>>,
  faults: FieldError[],
): Values {
  if (readers.length === 0) return NONE;
  const values: Record<string, unknown> = {};
  for (const reader of readers) {
    const text = texts[reader.name];
    const value = reader.read(text === undefined ? undefined : [text], asIs, faults);
    if (value !== ABSENT) values[reader.name] = value;
  }
  return values;
}

interface NamedReader {
  /** What the router calls it; of a header field, in lower case. */
  readonly name: string;
  readonly reader: ValueReader;
}

function readHeaders(readers: readonly NamedReader[], request: FastifyRequest, faults: FieldError[]): Values {
  let values: Record<string, unknown> | undefined;
  for (const { name, reader } of readers) {
    const field = request.headers[name];
    const raws = field === undefined ? undefined : [Array.isArray(field) ? field.join(', ') : field];
    const value = reader.read(raws, trimmed, faults);
    if (value === ABSENT) continue;
    values ??= {};
    values[name] = value;
  }
  return values ?? NONE;
}
