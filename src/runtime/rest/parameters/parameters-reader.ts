import type { FastifyRequest } from 'fastify';
import { inputName } from '../../../descriptor/operation-inputs.ts';
import type { ParameterDescriptor } from '../../../descriptor/rest.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
import { parseCookies } from './cookies.ts';
import { createQueryReader, type Values } from './query-reader.ts';
import { routeParameterOf } from './route-path.ts';
import { ABSENT, type Plain, type TextReader } from './text-reader.ts';
import { createValueReader } from './value-reader.ts';

/** All parameters of a request, decoded and checked. */
interface Parameters {
  readonly path: Values;
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

export function createParametersReader(
  parameters: readonly ParameterDescriptor[],
  schemas: SchemaRegistry,
  isQueryCached = false,
): ReadParameters {
  const readersIn = (place: ParameterDescriptor['in'], sourceOf = (name: string) => name): readonly NamedReader[] =>
    parameters
      .filter((parameter) => parameter.in === place && inputName(parameter) !== undefined)
      .map((parameter) => {
        const reader = createValueReader(parameter, schemas);
        return { source: sourceOf(reader.name), name: reader.name, reader };
      });
  const inPath = readersIn('path', routeParameterOf);
  const inHeader = readersIn('header', (name) => name.toLowerCase()).map((one) => ({ ...one, name: one.source }));
  const inCookie = readersIn('cookie');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const readQuery = createQueryReader(inQuery, schemas, isQueryCached);
  const needsQuery = inQuery.some((one) => one.required || one.default !== undefined);
  return (request, faults) => {
    const path = readEach(inPath, request.params as Texts, asIs, faults);
    const { url } = request.raw;
    const query = !needsQuery && !url!.includes('?') ? NO_QUERY : readQuery(url!, faults);
    return {
      path,
      query: query.values,
      queryText: query.text,
      header: readEach(inHeader, request.headers, trimmed, faults),
      cookie: inCookie.length === 0 ? NONE : readEach(inCookie, parseCookies(request.headers.cookie), asIs, faults),
    };
  };
}

const asIs: Plain = (text) => text;
const trimmed: Plain = (text) => text.trim();

interface NamedReader {
  /** What the text stands under: the parameter's name as the router spells it, or in lower case that of a header field. */
  readonly source: string;
  /** The name of its value: of a header field in lower case. */
  readonly name: string;
  readonly reader: TextReader;
}

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

function readEach(readers: readonly NamedReader[], texts: Texts, plain: Plain, faults: FieldError[]): Values {
  let values: Record<string, unknown> | undefined;
  for (const { source, name, reader } of readers) {
    const text = texts[source];
    const raws = text === undefined ? undefined : [typeof text === 'string' ? text : text.join(', ')];
    const value = reader.read(raws, plain, faults);
    if (value === ABSENT) continue;
    values ??= {};
    values[name] = value;
  }
  return values ?? NONE;
}
