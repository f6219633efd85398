import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { conventionNames } from '../../descriptor/convention-names.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import type { Caller } from './callers.ts';
import { idInRow } from './ids.ts';
import type { WireReply, WireRequest } from './request.ts';
import { isConditions, type Outcome, operationOf, type ReportedError, type Step } from './step.ts';

const JSON_TYPE = 'application/json';
/** Of the actions that take a body. */
const BODY_TYPES: Readonly<Record<string, string>> = {
  create: JSON_TYPE,
  replace: JSON_TYPE,
  update: 'application/merge-patch+json',
};

/** What an operation is asked with. */
export interface Sent {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Fields of the query, encoded. */
  readonly query?: readonly string[];
  readonly body?: unknown;
  readonly type?: string | undefined;
  readonly headers?: WireRequest['headers'];
}

/** Builds REST requests. */
export class RestRequests {
  readonly operations: readonly OperationDescriptor[];
  readonly #base: string;
  readonly #byId: ReadonlyMap<string, OperationDescriptor>;

  constructor({ document, rest }: Pick<CompiledContract, 'document' | 'rest'>) {
    this.operations = rest.operations;
    this.#base = basePathOf(document);
    this.#byId = new Map(this.operations.map((operation) => [operation.operationId, operation]));
  }

  operation(operationId: string): OperationDescriptor {
    return lookUp(this.#byId, operationId);
  }

  /** The request of a step, whose input is the body. */
  request(step: Step): WireRequest {
    const { resource, action, caller, params, query = {}, ifVersion, ifAbsent } = step;
    const type = BODY_TYPES[action];
    const fields = Object.entries(query).flatMap(([name, value]) =>
      fieldsOf(name, isConditions(resource, name) ? JSON.stringify(value) : value),
    );
    const headers = {
      ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
      ...(ifAbsent && { 'if-none-match': '*' }),
    };
    const body = type === undefined ? undefined : step.input;
    return this.to(this.operation(operationOf(step)), { params, query: fields, body, type, headers }, caller);
  }

  /** The request of any operation. */
  to({ method, path }: OperationDescriptor, sent: Sent, { authorization }: Pick<Caller, 'authorization'>): WireRequest {
    const { params = {}, query = [], body, type = JSON_TYPE, headers } = sent;
    const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name) => encoded(params[name] ?? ''));
    return {
      method: method.toUpperCase() as WireRequest['method'],
      url: `${this.#base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
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

/** The outcome of a problem. */
// biome-ignore lint/suspicious/noExplicitAny: a server may answer anything
export function problem(status: number, text: string, body: any): Outcome {
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

/**
 * Serializes a query parameter as its style says: deepObject for objects; arrays with commas, or exploded by the repeated name,
 * as those of two values are unless it is said.
 */
export function fieldsOf(
  name: string,
  value: unknown,
  explode = Array.isArray(value) && value.length === 2,
): readonly string[] {
  const key = encodeURIComponent(name);
  if (value === undefined) return [];
  if (Array.isArray(value) && explode) return value.map((one) => `${key}=${encoded(one)}`);
  if (Array.isArray(value)) return [`${key}=${value.map(encoded).join(',')}`];
  if (typeof value !== 'object' || value === null) return [`${key}=${encoded(value)}`];
  return Object.entries(value).map(([member, one]) => `${encodeURIComponent(`${name}[${member}]`)}=${encoded(one)}`);
}

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());
