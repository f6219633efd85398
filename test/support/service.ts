import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import {
  createCaller,
  type TestCaller,
  type TestReply,
  type TestRequest,
} from '../../src/proving/testing/test-caller.ts';
import { secretKeys } from '../../src/runtime/auth/keys.ts';
import { signToken } from '../../src/runtime/auth/sign-token.ts';
import { createServer, type ServerOptions } from '../../src/runtime/server.ts';
import type { Store } from '../../src/runtime/storage/store.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { endedByTests } from './clean-up.ts';
import { isWatched, watchAnswers } from './contract-coverage.ts';
import type { DatabaseKind } from './databases.ts';

/** Whom a request comes from. */
export interface As {
  readonly sub: string;
  readonly scope: string;
  /** Further claims of the token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface RequestOptions extends TestRequest {
  readonly as?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export type Reply = TestReply<any>;

interface GraphqlOptions {
  readonly as?: object;
  readonly variables?: object;
  readonly operationName?: string;
  readonly extensions?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a GraphQL operation answers. */
export interface GraphqlReply extends Reply {
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly data: any;
  readonly errors: readonly GraphqlError[] | undefined;
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly extensions: any;
}

/** A running server of a test contract; every answer is held against the contract. */
export interface Service {
  /** The time that stands still. */
  readonly now: string;
  readonly contract: CompiledContract;
  readonly store: Store;
  request(method: string, url: string, options?: RequestOptions): Promise<Reply>;
  /** Sends a document to `/graphql`. */
  graphql(query: string, options?: GraphqlOptions): Promise<GraphqlReply>;
  /** Opens a port, any if left out, for what only a socket can provoke; the port. */
  listen(port?: number): Promise<number>;
  close(): Promise<void>;
}

const NOW = '2026-01-15T12:00:00.000Z';
const keys = secretKeys('a secret of the tests, and long enough for HS256');
const compiled = new Map<string, Promise<CompiledContract>>();

/** The contract of a folder in `test/fixtures`, or a path from the root; compiled once by each worker. */
export function contractOf(name: string): Promise<CompiledContract> {
  const known = compiled.get(name) ?? compile(name);
  compiled.set(name, known);
  return known;
}

async function compile(name: string): Promise<CompiledContract> {
  const root = join(import.meta.dirname, '..', '..');
  const folder = name.includes('/') || name === 'contracts' ? join(root, name) : join(root, 'test/fixtures', name);
  const { model, findings } = await modelContract(folder);
  if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
  return model;
}

/** Serves a contract on a database of its own. */
export async function startService(
  name: string,
  database: DatabaseKind,
  handlers: AnyHandlers = {},
  options: Partial<ServerOptions> = {},
): Promise<Service> {
  return startCompiled(await contractOf(name), database, handlers, options);
}

/** The same for a contract that a test has made. */
export async function startCompiled(
  contract: CompiledContract,
  database: DatabaseKind,
  handlers: AnyHandlers = {},
  options: Partial<ServerOptions> = {},
): Promise<Service> {
  const { store, close } = await database.open(contract.resources);
  const clock = () => new Date(NOW).getTime();
  const authentication = { keys, clock };
  const watch = (app: FastifyInstance): void => {
    watchAnswers(app, contract);
    options.prepareApp?.(app);
  };
  // Answers go another way where the app has hooks.
  const prepareApp = isWatched(contract) ? watch : options.prepareApp;
  const served = { contract, handlers, store, authentication, clock, checkResponses: true, ...options, prepareApp };
  const app = await createServer(served).catch(async (error) => {
    await close();
    throw error;
  });
  const callerOf = (as: object | undefined): TestCaller =>
    createCaller({ app, basePath: '', token: as && (() => tokenOf(as as As)) });
  const request: Service['request'] = (method, url, { as, ...rest } = {}) => callerOf(as).request(method, url, rest);
  return {
    now: NOW,
    contract,
    store,
    request,
    async graphql(query, { as, headers, ...rest } = {}) {
      const body = { query, ...rest };
      const reply = await request('POST', '/graphql', { body, ...(as && { as }), ...(headers && { headers }) });
      return { ...reply, data: reply.body?.data, errors: reply.body?.errors };
    },
    async listen(port = 0) {
      await app.listen({ port, host: '127.0.0.1' });
      return (app.server.address() as AddressInfo).port;
    },
    close: endedByTests(async () => {
      await app.close();
      await close();
    }),
  };
}

/** A token that is valid at the time that stands still. */
export function tokenOf({ sub, scope, claims }: As, expiresInSeconds = 3600): string {
  const scopes = scope.split(' ').filter((one) => one !== '');
  const extra = claims && { claims };
  return signToken(keys, { subject: sub, scopes, expiresInSeconds, now: new Date(NOW), ...extra });
}
