import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import { basePathOf } from '../../../descriptor/base-path.ts';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { isJson, parseContentType } from '../../http/media-type.ts';
import type { Answer } from '../answer.ts';
import type { CustomRequest } from '../custom-handler.ts';
import { declaredFor, type RestOperation, readOperations } from '../operation.ts';
import type { RouteContext } from '../routes.ts';
import { Reshape } from './reshape.ts';
import type { QueryText, VersionStep } from './version.ts';

/** Header fields of an answer that are the connection's, or that are made anew. */
const OWN_FIELDS = new Set([
  'connection',
  'content-length',
  'date',
  'deprecation',
  'keep-alive',
  'link',
  'sunset',
  'transfer-encoding',
]);
/** Header fields of a request that describe its old body, or its connection. */
const OWN_REQUEST_FIELDS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Answers an operation of an old version: the request has been read, the answer is sent as it stands. */
type Forward = (operation: RestOperation, asked: CustomRequest, context: RouteContext) => Promise<Answer>;

/**
 * Asks the present version for whatever an old one is asked for: the request goes up, the answer comes down. Authentication,
 * limits and rules are the present version's own.
 */
export function createForward(
  app: FastifyInstance,
  present: OpenApiDocument,
  { document }: OldVersion,
  step: VersionStep,
): Forward {
  const reshape = new Reshape(document, step);
  const targets = new Map(readOperations(present).map((operation) => [operation.operationId, operation]));
  const [base, oldBase] = [basePathOf(present), basePathOf(document)];
  const answers = new AnswerDown(reshape, step, base, oldBase);
  return async (operation, { params, body, contentType }, { request }) => {
    const target = targets.get(step.operations?.[operation.operationId] ?? operation.operationId)!;
    const search = queryOf(request, step.queries?.[operation.operationId]);
    const options: InjectOptions = {
      method: target.method.toUpperCase() as 'GET',
      url: base + pathOf(target.path, params) + search,
      headers: { ...headersOf(request), host: request.host, 'x-request-id': request.id },
      ...(request.socket.remoteAddress !== undefined && { remoteAddress: request.socket.remoteAddress }),
      ...(contentType !== undefined && { payload: bodyUp(reshape, operation, contentType, body) }),
    };
    return answers.answer(operation, await app.inject(options));
  };
}

function pathOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The query as it came, unless it is said in other words now. */
function queryOf({ url }: FastifyRequest, up: ((old: QueryText) => QueryText) | undefined): string {
  const start = url.indexOf('?');
  if (start === -1 || !up) return start === -1 ? '' : url.slice(start);
  const old = Object.fromEntries(new URLSearchParams(url.slice(start + 1)));
  const present = new URLSearchParams(up(old)).toString();
  return present === '' ? '' : `?${present}`;
}

function headersOf({ headers }: FastifyRequest): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OWN_REQUEST_FIELDS.has(name) ? [] : [[name, value]],
    ),
  );
}

function bodyUp(reshape: Reshape, { requestBody }: RestOperation, mediaType: string, value: unknown): string | Buffer {
  if (!isJson(mediaType)) return value as string | Buffer;
  return JSON.stringify(reshape.up(requestBody?.content[mediaType]?.schema, value));
}

interface Injected {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly payload: string;
  readonly rawPayload: Buffer;
}

interface Problem {
  readonly code: string;
  readonly errors?: readonly Readonly<Record<string, string>>[];
  readonly instance?: string;
}

/** Answers of the present version in the words of the old one. */
class AnswerDown {
  readonly #reshape: Reshape;
  readonly #step: VersionStep;
  readonly #base: string;
  readonly #oldBase: string;

  constructor(reshape: Reshape, step: VersionStep, base: string, oldBase: string) {
    this.#reshape = reshape;
    this.#step = step;
    this.#base = base;
    this.#oldBase = oldBase;
  }

  answer(operation: RestOperation, { statusCode: status, headers, payload, rawPayload }: Injected): Answer {
    const kept = this.#headers(headers);
    if (rawPayload.length === 0) return { status, headers: kept };
    const essence = parseContentType(String(headers['content-type'] ?? ''))?.essence ?? '';
    if (!isJson(essence)) return { status, headers: kept, payload: rawPayload };
    const value: unknown = JSON.parse(payload);
    const down =
      status >= 400 ? this.#problem(value as Problem) : this.#reshape.down(schemaOf(operation, status, essence), value);
    return { status, headers: kept, payload: JSON.stringify(down) };
  }

  #headers(headers: Injected['headers']): Record<string, string | readonly string[]> {
    const kept = Object.entries(headers).filter(([name]) => !OWN_FIELDS.has(name)) as [string, string | string[]][];
    return Object.fromEntries(
      kept.map(([name, value]) => [name, name === 'location' ? this.#place(String(value)) : value]),
    );
  }

  #problem(problem: Problem): object {
    const { errors: codes = {}, places = {} } = this.#step;
    const named = (place: string): string => {
      const known = Object.keys(places).find((one) => place === one || place.startsWith(`${one}/`));
      return known === undefined ? place : places[known]! + place.slice(known.length);
    };
    const code = codes[problem.code] ?? problem.code;
    return {
      ...problem,
      ...(code !== problem.code && { code, type: `/errors/${code}` }),
      ...(problem.instance !== undefined && { instance: this.#place(problem.instance) }),
      ...(problem.errors && {
        errors: problem.errors.map((error) => ({
          ...error,
          ...(error['pointer'] !== undefined && { pointer: named(error['pointer']) }),
          ...(error['parameter'] !== undefined && { parameter: named(error['parameter']) }),
        })),
      }),
    };
  }

  #place(path: string): string {
    return path.startsWith(`${this.#base}/`) ? this.#oldBase + path.slice(this.#base.length) : path;
  }
}

function schemaOf({ responses }: RestOperation, status: number, essence: string): Schema | undefined {
  return declaredFor(responses, status)?.content?.[essence]?.schema;
}
