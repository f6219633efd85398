import type { InputTranslator } from '../../compiler/graphql/translate/input-translator.ts';
import { collectOperations } from '../../compiler/model/operations.ts';
import { basePathOf } from '../../descriptor/base-path.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import { idInRow } from './ids.ts';
import type { WireReply, WireRequest } from './request.ts';
import type { Outcome, ReportedError, Step } from './step.ts';

const METHODS = { list: 'GET', get: 'GET', create: 'POST', replace: 'PUT', update: 'PATCH', delete: 'DELETE' } as const;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  create: 'application/json',
  replace: 'application/json',
  update: 'application/merge-patch+json',
};

/** Builds REST requests for steps. */
export class RestRequests {
  readonly #base: string;
  /** By operationId. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #inputs: Pick<InputTranslator, 'rest'>;
  readonly #inputType: (step: Step) => string | undefined;

  /** `inputType` is the GraphQL input type of a step, whose meaning of null the body adopts. */
  constructor(
    document: OpenApiDocument,
    inputs: Pick<InputTranslator, 'rest'>,
    inputType: (step: Step) => string | undefined,
  ) {
    this.#base = basePathOf(document);
    this.#paths = new Map(collectOperations(document).map(({ operationId, path }) => [operationId, path]));
    this.#inputs = inputs;
    this.#inputType = inputType;
  }

  request(step: Step): WireRequest {
    const { resource, action, caller, params, query = {}, ifVersion, ifAbsent } = step;
    const body = this.#bodyOf(step);
    const search = Object.entries(query).flatMap(([name, value]) =>
      isConditions(resource, name) ? [`${name}=${encoded(JSON.stringify(value))}`] : fieldsOf(name, value),
    );
    return {
      method: METHODS[action],
      url: `${this.#base}${filled(this.#pathOf(step), params)}${search.length > 0 ? `?${search.join('&')}` : ''}`,
      headers: {
        ...(caller.authorization !== undefined && { authorization: caller.authorization }),
        ...(body !== undefined && { 'content-type': MEDIA_TYPES[action]! }),
        ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
        ...(ifAbsent && { 'if-none-match': '*' }),
      },
      body,
    };
  }

  /** The path of the collection, of one, or of the lookup whose key the parameters have. */
  #pathOf({ resource: { path, idParameter, lookups = [] }, action, params, through }: Step): string {
    if (through) return this.#paths.get(through.operationId)!;
    if (action === 'list' || action === 'create') return path;
    const lookup = lookups.find(({ property }) => params[property] !== undefined);
    const isLookup = action === 'get' && params[idParameter] === undefined && lookup !== undefined;
    return isLookup ? this.#paths.get(lookup.operationId)! : `${path}/{${idParameter}}`;
  }

  #bodyOf(step: Step): string | undefined {
    if (MEDIA_TYPES[step.action] === undefined) return undefined;
    return JSON.stringify(this.#inputs.rest(this.#inputType(step), step.input, step.action === 'update'));
  }
}

/**
 * The outcome of a REST request. Errors are located as REST does: `/price`, `price[gte]`, `If-Match`. `id` is that of the
 * row, where the path has another key.
 */
export function restOutcome({ action, params, resource }: Step, { status, text, json }: WireReply, id?: Id): Outcome {
  if (status >= 400) return problem(status, text, json);
  if (action === 'delete')
    return { kind: 'data', value: String(id ?? idInRow(resource, params[resource.idParameter]!)) };
  if (json === undefined) return { kind: 'malformed', text: `${status} ${text}` };
  return { kind: 'data', value: action === 'list' ? pageOf(resource, json) : json };
}

/** A page with the names of the conventions, whatever the case of the document. */
// biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
function pageOf({ nameCase }: ResourceDescriptor, json: any): unknown {
  const { nextCursor, previousCursor, totalCount, totalCountIsExact } = conventionNames(nameCase);
  const {
    [nextCursor]: next,
    [previousCursor]: previous,
    [totalCount]: total,
    [totalCountIsExact]: isExact,
    ...others
  } = json?.page ?? {};
  const page = {
    ...others,
    nextCursor: next,
    ...(previous !== undefined && { previousCursor: previous }),
    ...(total !== undefined && { totalCount: total }),
    ...(isExact !== undefined && { totalCountIsExact: isExact }),
  };
  return { ...json, page };
}

// biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
function problem(status: number, text: string, body: any): Outcome {
  if (body?.status !== status || typeof body.code !== 'string' || typeof body.requestId !== 'string')
    return { kind: 'malformed', text: `${status} ${text}` };
  return {
    kind: 'error',
    code: body.code,
    status,
    message: body.detail ?? body.title,
    errors: body.errors as readonly ReportedError[] | undefined,
    isEarly: false,
  };
}

const filled = (path: string, params: Step['params']): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));

/**
 * Serializes as the parameter's style says: deepObject for objects; arrays with commas, or two values by the repeated
 * name.
 */
function fieldsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length === 2) return value.map((one) => `${name}=${encoded(one)}`);
  if (Array.isArray(value)) return [`${name}=${value.map(encoded).join(',')}`];
  if (typeof value !== 'object' || value === null) return [`${name}=${encoded(value)}`];
  return Object.entries(value).map(([key, one]) => `${encodeURIComponent(`${name}[${key}]`)}=${encoded(one)}`);
}

/** Whether a parameter is JSON text. */
const isConditions = ({ list }: ResourceDescriptor, name: string): boolean =>
  list?.filter !== undefined && name === FILTER_PARAMETER;

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());
