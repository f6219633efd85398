import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { secretKeys, signToken } from '../../runtime/auth/index.ts';
import { generatedContract } from '../../runtime/generated-contract.ts';
import type { JobRunner, JobRuns } from '../../runtime/jobs/index.ts';
import type { ServedHandlers } from '../../runtime/served-handlers.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { serveOn, sqliteScratch } from '../../tools/scratch-store.ts';
import { countedUuid } from '../../tools/uuid.ts';
import { createCaller, type TestCaller } from './test-caller.ts';
import { TestClock } from './test-clock.ts';
import { type LogEntry, logInto } from './test-log.ts';

/**
 * The contract to serve: its folder, the output of the compiler, or the result of `compile`.
 * @example
 * import type { ContractSource } from 'lockstep/testing';
 *
 * const source: ContractSource = { generated: 'generated' };
 */
export type ContractSource =
  | { readonly contracts: string }
  | { readonly generated: string }
  | { readonly contract: CompiledContract };

/**
 * The contract to serve, its handlers, rows, clock and settings.
 * @example
 * import { type ServeOptions, serve } from 'lockstep/testing';
 * import { handlers } from '../src/handlers/index.ts';
 *
 * const options: ServeOptions = { generated: 'generated', handlers, now: '2026-01-01T00:00:00Z' };
 * await using service = await serve(options);
 */
export type ServeOptions = ContractSource & {
  readonly handlers?: ServedHandlers;
  /** Custom operations and fields without a handler answer `NOT_IMPLEMENTED` instead of failing the start. */
  readonly allowMissing?: boolean;
  /** Where the clock stands at first; 2026-01-01T00:00:00Z if left out. */
  readonly now?: string | Date;
  /** New ids; if left out, UUIDs that are the same in each run. */
  readonly ids?: () => string;
};

/**
 * Claims of a caller's token (RFC 7519); `iat` and `exp` are those of a token just issued for an hour, unless given.
 * @example
 * import type { CallerClaims } from 'lockstep/testing';
 *
 * const staff: CallerClaims = { sub: 'staff', scope: 'orders:admin orders:read', tenant: 'berlin' };
 */
export interface CallerClaims {
  readonly sub: string;
  /** Scopes, with spaces between them. */
  readonly scope?: string;
  readonly [claim: string]: unknown;
}

/**
 * The jobs of a served contract. Nothing runs by itself.
 * @example
 * import type { TestJobs } from 'lockstep/testing';
 *
 * const namesOf = async (jobs: TestJobs): Promise<string[]> => (await jobs.run()).ran.map(({ name }) => name);
 */
export interface TestJobs {
  /**
   * Runs all that is due by the test's clock, one job after the other, also what they send meanwhile. Resolves with the runs
   * that succeeded and those that failed.
   */
  run(): Promise<JobRuns>;
}

/**
 * A contract that is served for a test until it is closed, also by `await using`.
 * @example
 * import { serve, type TestService } from 'lockstep/testing';
 *
 * const service: TestService = await serve({ contracts: 'contracts', allowMissing: true });
 * service.clock.advance(24 * 60 * 60 * 1000);
 * console.log(await service.anonymous.get('/products'), service.log);
 * await service.close();
 */
export interface TestService extends AsyncDisposable {
  readonly contract: CompiledContract;
  readonly clock: TestClock;
  /** What the server and the handlers have logged so far, from level `info` on. */
  readonly log: readonly LogEntry[];
  readonly anonymous: TestCaller;
  /** A caller whose tokens have these claims. */
  as(claims: CallerClaims): TestCaller;
  /** Jobs, which run when a test says so. */
  readonly jobs: TestJobs;
  /** Opens a port of this machine, for what needs a socket, such as subscriptions; resolves with `http://127.0.0.1:PORT`. */
  listen(): Promise<string>;
  /** Ends the server and removes its database. */
  close(): Promise<void>;
}

const NOW = '2026-01-01T00:00:00Z';
const HOUR_S = 3_600;
const keys = secretKeys('tokens that are valid in tests and nowhere else');

/**
 * Serves a contract in this process, without a port, on an empty SQLite database of its own. Every answer is held
 * against the contract. Rejects with `ConfigError` for a contract with errors, and with `HandlerError` when the handlers
 * are not those of the contract.
 * @example
 * import { serve } from 'lockstep/testing';
 * import { handlers } from '../src/handlers/index.ts';
 *
 * await using service = await serve({ contracts: 'contracts', handlers, now: '2026-01-01T00:00:00Z' });
 * const ada = service.as({ sub: '0199bd2f-7c00-7000-8000-000000000001', scope: 'users:write orders:write' });
 * await ada.post('/users', { email: 'ada@example.com', name: 'Ada Lovelace' });
 * const { status } = await ada.post('/orders', {});
 * console.log(status); // 201
 */
export async function serve(options: ServeOptions): Promise<TestService> {
  const contract = await contractOf(options);
  const clock = new TestClock(options.now ?? NOW);
  const log: LogEntry[] = [];
  let made = 0;
  const scratch = await sqliteScratch('test', contract.resources);
  let runner: JobRunner | undefined;
  const { app, close: end } = await serveOn(scratch, {
    contract,
    handlers: (options.handlers ?? {}) as AnyHandlers,
    ...(options.allowMissing !== undefined && { allowMissing: options.allowMissing }),
    store: scratch.store,
    authentication: { keys },
    http: { log: logInto(log, clock) },
    checkResponses: true,
    clock: () => clock.now().getTime(),
    onJobs: (jobs) => {
      runner = jobs;
    },
    newId: options.ids ?? (() => countedUuid(clock.now().getTime(), ++made)),
  });
  const callerWith = (token: (() => string) | undefined): TestCaller =>
    createCaller({ app, basePath: basePathOf(contract.document), token });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());
  return {
    contract,
    clock,
    log,
    anonymous: callerWith(undefined),
    as: (claims) => callerWith(() => tokenOf(claims, clock)),
    jobs: { run: async () => (await runner?.runDue()) ?? { ran: [], failed: [] } },
    async listen() {
      await app.listen({ port: 0, host: '127.0.0.1' });
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Compiles a contract in memory, for tests that serve it more than once. Rejects with `ConfigError` when it has errors,
 * which the message lists with their places.
 * @example
 * import { compile, serve } from 'lockstep/testing';
 *
 * const contract = await compile('contracts');
 * await using one = await serve({ contract, allowMissing: true });
 * await using other = await serve({ contract, allowMissing: true });
 */
export async function compile(contracts: string): Promise<CompiledContract> {
  const { soundContract } = await import('../../compiler/compile-contract.ts');
  return (await soundContract(contracts)).model;
}

function contractOf(source: ContractSource): CompiledContract | Promise<CompiledContract> {
  if ('contract' in source) return source.contract;
  if ('contracts' in source) return compile(source.contracts);
  return generatedContract(pathToFileURL(`${resolve(source.generated)}/`));
}

function tokenOf({ sub, scope = '', ...claims }: CallerClaims, clock: TestClock): string {
  const scopes = scope.split(' ').filter((one) => one !== '');
  return signToken(keys, { subject: sub, scopes, expiresInSeconds: HOUR_S, now: clock.now(), claims });
}
