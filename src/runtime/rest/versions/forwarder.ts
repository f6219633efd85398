import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import { basePathOf } from '../../../descriptor/base-path.ts';
import { isJson } from '../../../descriptor/content.ts';
import type { Schema } from '../../../descriptor/document.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { declaredFor, type OperationDescriptor } from '../../../descriptor/rest.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { parseStored } from '../../../descriptor/written-number.ts';
import type { Engine } from '../../engine/interface/engine.ts';
import { parseContentType } from '../../http/media-type.ts';
import type { Answer } from '../answer.ts';
import type { CustomRequest } from '../custom-handler.ts';
import { ifModified, taggedByText, unconditional } from '../made-answer.ts';
import { decodeQueryText, parseQueryString } from '../parameters/query-string.ts';
import type { RouteParts } from '../route-compiler.ts';
import type { RouteContext } from '../routes.ts';
import { Transform, type WithContext } from './transform.ts';
import type { QueryText, VersionStep } from './version.ts';

/** Response header fields that belong to the connection, or that the old version sets itself. */
const OWN_RESPONSE_FIELDS = new Set([
  'connection',
  'content-length',
  'date',
  'deprecation',
  'keep-alive',
  'link',
  'sunset',
  'transfer-encoding',
]);
/** Request header fields that belong to the connection, or that describe the body before its transformation. */
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

/** An old version of the API, how it differs from the current one, and what its step reads by. */
export interface ForwardedVersion {
  readonly version: OldVersion;
  readonly step: VersionStep;
  readonly engine: Pick<Engine, 'perform'>;
}

/** Answers a request to an operation of an old version. The request has been decoded; the answer is sent as it is. */
type Forwarder = (operation: OperationDescriptor, request: CustomRequest, context: RouteContext) => Promise<Answer>;

/**
 * Forwards requests to an old version to the current one: the request is transformed up, the answer down. The current
 * version authenticates callers and applies limits and rules.
 */
export function createForwarder(
  app: FastifyInstance,
  current: Pick<RouteParts, 'document' | 'rest'>,
  { version: { document }, step, engine }: ForwardedVersion,
): Forwarder {
  const transform = new Transform(document, step);
  const targets = new Map(current.rest.operations.map((operation) => [operation.operationId, operation]));
  const [base, oldBase] = [basePathOf(current.document), basePathOf(document)];
  const answers = new AnswerDown(transform, step, base, oldBase);
  return async (operation, { params, body, contentType }, { request, isSafe, caller }) => {
    const target = lookUp(targets, step.operations?.[operation.operationId] ?? operation.operationId);
    const search = queryOf(request, step.queries?.[operation.operationId]);
    const options: InjectOptions = {
      method: target.method.toUpperCase() as 'GET',
      url: base + pathOf(target.path, params) + search,
      headers: {
        ...headersOf(isSafe ? unconditional(request.headers) : request.headers),
        host: request.host,
        'x-request-id': request.id,
      },
      ...(request.socket.remoteAddress !== undefined && { remoteAddress: request.socket.remoteAddress }),
      ...(contentType !== undefined && { payload: bodyUp(transform, operation, contentType, body) }),
    };
    const injected = await app.inject(options);
    // What a step reads has what the request has written.
    caller.consistency?.ask(injected.headers['consistency-token']);
    const answer = await answers.answer(operation, injected, (work) =>
      engine.perform({ caller, params: {}, reads: true }, work),
    );
    return isSafe ? ifModified(answer, request.headers) : answer;
  };
}

function pathOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/**
 * The query as it was sent, but for what the step transforms. The step gets the values of a repeated name with commas
 * between them; values that it leaves as they are, or gives another name, keep their percent-encoding.
 */
function queryOf({ url }: FastifyRequest, up: ((old: QueryText) => QueryText) | undefined): string {
  const start = url.indexOf('?');
  if (start === -1 || !up) return start === -1 ? '' : url.slice(start);
  const sent = parseQueryString(url);
  const old = Object.fromEntries([...sent].map(([name, raws]) => [name, raws.map(decodeQueryText).join(',')]));
  const rawsOf = (name: string, value: string): readonly string[] => {
    const kept = old[name] === value ? name : Object.keys(old).find((one) => old[one] === value);
    return (kept !== undefined && sent.get(kept)) || [encodeURIComponent(value)];
  };
  const pairs = Object.entries(up(old)).flatMap(([name, value]) => {
    return rawsOf(name, value).map((raw) => `${encodeURIComponent(name)}=${raw}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OWN_REQUEST_FIELDS.has(name) ? [] : [[name, value]],
    ),
  );
}

function bodyUp(
  transform: Transform,
  { requestBody }: OperationDescriptor,
  mediaType: string,
  value: unknown,
): Readable | string | Buffer {
  if (value instanceof Readable || !isJson(mediaType)) return value as Readable | string | Buffer;
  return JSON.stringify(transform.up(requestBody?.content[mediaType]?.schema, value));
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

/** Transforms answers of the current version to those of the old one. */
class AnswerDown {
  readonly #transform: Transform;
  readonly #step: VersionStep;
  readonly #base: string;
  readonly #oldBase: string;

  constructor(transform: Transform, step: VersionStep, base: string, oldBase: string) {
    this.#transform = transform;
    this.#step = step;
    this.#base = base;
    this.#oldBase = oldBase;
  }

  async answer(
    operation: OperationDescriptor,
    { statusCode: status, headers, payload, rawPayload }: Injected,
    withContext: WithContext,
  ): Promise<Answer> {
    const kept = this.#headers(headers);
    if (rawPayload.length === 0) return { status, headers: kept };
    const essence = parseContentType(String(headers['content-type'] ?? ''))?.essence ?? '';
    if (!isJson(essence)) return { status, headers: kept, payload: rawPayload };
    const value = parseStored(payload);
    const schema = schemaOf(operation, status, essence);
    const [down] =
      status >= 400 ? [this.#problem(value as Problem)] : await this.#transform.down([{ schema, value }], withContext);
    const text = JSON.stringify(down);
    return taggedByText({ status, headers: kept, payload: text }, text);
  }

  #headers(headers: Injected['headers']): Record<string, string | readonly string[]> {
    const kept = Object.entries(headers).filter(([name]) => !OWN_RESPONSE_FIELDS.has(name)) as [
      string,
      string | string[],
    ][];
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

function schemaOf({ responses }: OperationDescriptor, status: number, essence: string): Schema | undefined {
  return declaredFor(responses, status)?.[essence]?.schema;
}
