import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { buildSchema, type GraphQLSchema, getOperationAST, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { WebSocket } from 'ws';
import { basePathOf } from '../../src/descriptor/base-path.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { MCP_PATH } from '../../src/descriptor/tools.ts';
import { type Answered, codeOfCall } from './tools.ts';

/** Where the facts of all test files come together; unset: nobody asks for them. */
const FOLDER = process.env['CONTRACT_COVERAGE'];
/** The contract that is shipped. */
export const TITLE = 'Lockstep storefront';
const seen = new Set<string>();

/** `getUser 404 NOT_FOUND`, `Query.user NOT_FOUND`, `tool getUser NOT_FOUND`; what went well has no code over REST, else `OK`. */
function record(fact: string): void {
  if (seen.has(fact)) return;
  seen.add(fact);
  appendFileSync(join(FOLDER!, `${process.pid}.txt`), `${fact}\n`);
}

/** Records an answer, if it is one of the protocol. */
type Watch = (request: FastifyRequest, status: number, text: string) => void;

/** Of each protocol. */
const WATCHES: readonly ((contract: CompiledContract) => Watch)[] = [watchRest, watchGraphql, watchTools];

/** Whether somebody asks for what a server of the contract answers. */
export const isWatched = ({ document }: CompiledContract): boolean =>
  FOLDER !== undefined && document.info.title === TITLE;

/** Notes whatever a server of the shipped contract answers, operation by operation, field by field and tool by tool. */
export function watchAnswers(app: FastifyInstance, contract: CompiledContract): void {
  const watches = WATCHES.map((watch) => watch(contract));
  app.addHook('onSend', async (request, reply, payload) => {
    const text = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString() : '';
    for (const watch of watches) watch(request, reply.statusCode, text);
    return payload;
  });
}

function watchRest({ document, rest }: CompiledContract): Watch {
  const base = basePathOf(document);
  const operations = new Map(
    rest.operations.map(({ operationId, method, path }) => [
      `${method.toUpperCase()} ${base}${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`,
      operationId,
    ]),
  );
  return ({ method, routeOptions }, status, text) => {
    const operationId = operations.get(`${method} ${routeOptions.url}`);
    if (operationId) record([operationId, status, codeIn(text)].filter(Boolean).join(' '));
  };
}

function watchGraphql({ graphql }: CompiledContract): Watch {
  const schema = graphql && buildSchema(graphql.sdl, { assumeValid: true });
  if (schema) watchSockets(schema);
  return (request, _status, text) => {
    if (schema && request.routeOptions.url === '/graphql') recordGraphql(schema, parametersOf(request), json(text));
  };
}

/** What is refused before its message is read is of no tool. */
function watchTools({ tools }: CompiledContract): Watch {
  const names = new Set(tools?.tools.map(({ name }) => name));
  return ({ body, routeOptions }, status, text) => {
    if (routeOptions.url !== MCP_PATH || !Buffer.isBuffer(body)) return;
    const { params } = (json(body.toString()) ?? {}) as { readonly params?: { readonly name?: string } };
    const answer = json(text) as Answered | undefined;
    if (names.has(params?.name ?? '') && (answer?.result || answer?.code))
      record(`tool ${params!.name} ${codeOfCall({ status, body: answer })}`);
  };
}

function codeIn(text: string): string {
  const { code, requestId } = (json(text) ?? {}) as { readonly code?: string; readonly requestId?: string };
  return requestId === undefined ? '' : (code ?? '');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Parameters {
  readonly query?: string;
  readonly operationName?: string;
}

function parametersOf({ body, query }: { readonly body: unknown; readonly query: unknown }): Parameters {
  if (Buffer.isBuffer(body) || typeof body === 'string') return (json(body.toString()) ?? {}) as Parameters;
  return (body ?? query ?? {}) as Parameters;
}

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly path?: readonly (string | number)[];
    readonly extensions?: { readonly code?: string };
  }[];
}

/** Of each field at the root, the code that it was answered with. An error before execution is every field's. */
function recordGraphql(schema: GraphQLSchema, { query, operationName }: Parameters, answer: unknown): void {
  const operation = operationIn(query, operationName);
  if (!operation || typeof answer !== 'object' || answer === null) return;
  const { data, errors = [] } = answer as Answer;
  const type = schema.getRootType(operation.operation)?.name;
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const key = selection.alias?.value ?? selection.name.value;
    const own = errors.filter(({ path }) => path === undefined || path[0] === key);
    const code = own[0]?.extensions?.code ?? (data?.[key] === undefined ? undefined : 'OK');
    if (code !== undefined) record(`${type}.${selection.name.value} ${code}`);
  }
}

function operationIn(query: string | undefined, name: string | undefined): OperationDefinitionNode | undefined {
  try {
    return query === undefined ? undefined : (getOperationAST(parse(query), name) ?? undefined);
  } catch {
    return undefined;
  }
}

interface Message {
  readonly type?: string;
  readonly id?: string;
  readonly payload?: unknown;
}

let isWatching = false;

/** What servers of this process say over sockets, with the documents that they were asked. */
function watchSockets(schema: GraphQLSchema): void {
  if (isWatching) return;
  isWatching = true;
  const documents = new WeakMap<object, Map<string, Parameters>>();
  const { emit, send } = WebSocket.prototype;
  WebSocket.prototype.emit = function (this: WebSocket, event: string | symbol, ...rest: unknown[]) {
    const { type, id, payload } = event === 'message' ? ((json(String(rest[0])) ?? {}) as Message) : {};
    if (type === 'subscribe' && id !== undefined) {
      const known = documents.get(this) ?? new Map<string, Parameters>();
      documents.set(this, known.set(id, payload as Parameters));
    }
    return (emit as (...args: unknown[]) => boolean).call(this, event, ...rest);
  };
  WebSocket.prototype.send = function (this: WebSocket, ...rest: unknown[]) {
    const { type, id, payload } = (json(String(rest[0])) ?? {}) as Message;
    const parameters = id === undefined ? undefined : documents.get(this)?.get(id);
    if (parameters && type === 'next') recordGraphql(schema, parameters, payload);
    if (parameters && type === 'error') recordGraphql(schema, parameters, { errors: payload });
    return (send as (...args: unknown[]) => void).call(this, ...rest);
  };
}
