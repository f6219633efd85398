import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { createServer, type ServerOptions } from '../../runtime/server.ts';
import { openSqliteStore } from '../../runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../runtime/storage/store.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { keys } from './callers.ts';
import type { WireReply, WireRequest } from './request.ts';
import { withSharedSecrets } from './shared-secrets.ts';

/** One of two servers that differ only in the protocol over which they are used. */
export interface PairedServer {
  readonly app: FastifyInstance;
  readonly store: Store;
  send(request: WireRequest): Promise<WireReply>;
}

/** Breaks one of the servers, for a proof that must fail. */
export interface Defect {
  readonly name: string;
  options?(options: ServerOptions): ServerOptions;
  request?(request: WireRequest): WireRequest;
  reply?(reply: WireReply): WireReply;
  /** The delay of this server's events in milliseconds; undefined when they never arrive. */
  event?(): number | undefined;
  /** Applies `event` to the other server as well, so that both servers agree and are wrong. */
  readonly isEverywhere?: boolean;
}

export interface ServerPair {
  readonly rest: PairedServer;
  readonly graphql: PairedServer;
  /** The time of the step in progress, on both servers. */
  readonly clock: () => Date;
  /** Advances the clock of both servers and restarts their sequences of ids. */
  advance(): void;
  close(): Promise<void>;
}

export const START = new Date('2026-01-15T12:00:00.000Z');
const STEP_MS = 1000;

/** Starts two servers of one contract on separate databases, with the same time, ids and secrets. */
export async function startServerPair(
  contract: CompiledContract,
  handlers: AnyHandlers,
  defect?: Defect,
): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-parity-'));
  let steps = 0;
  const clock = (): Date => new Date(START.getTime() + steps * STEP_MS);
  const sequences: { count: number }[] = [];
  const start = (name: string, broken?: Defect): Promise<PairedServer> => {
    const sequence = { count: 0 };
    sequences.push(sequence);
    const newId = (): string => idOf(steps, sequence.count++);
    return startPairedServer({
      file: join(folder, `${name}.db`),
      contract,
      handlers,
      clock,
      newId,
      ...(broken && { defect: broken }),
    });
  };
  const rest = await start('rest');
  const graphql = await start('graphql', defect);
  return {
    rest,
    graphql,
    clock,
    advance() {
      steps += 1;
      for (const sequence of sequences) sequence.count = 0;
    },
    async close() {
      for (const { app, store } of [rest, graphql]) {
        await app.close();
        await store.close();
      }
      await rm(folder, { recursive: true });
    },
  };
}

interface PairedServerOptions {
  readonly file: string;
  readonly contract: CompiledContract;
  readonly handlers: AnyHandlers;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly defect?: Defect;
}

async function startPairedServer({
  file,
  contract,
  handlers,
  clock,
  newId,
  defect,
}: PairedServerOptions): Promise<PairedServer> {
  const store = withSharedSecrets(openSqliteStore({ file, resources: contract.resources }));
  const authentication = { keys };
  const options = { contract, handlers, allowMissing: true, store, authentication, clock, newId, checkResponses: true };
  const app = await createServer(defect?.options?.(options) ?? options);
  return {
    app,
    store,
    async send(request) {
      const { method, url, headers, body } = defect?.request?.(request) ?? request;
      const reply = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) });
      const answered = { status: reply.statusCode, text: reply.body, json: parsed(reply.body) };
      return defect?.reply?.(answered) ?? answered;
    },
  };
}

/** UUIDv7 in ascending order, across steps and within each. */
function idOf(step: number, count: number): string {
  const time = (START.getTime() + step * STEP_MS).toString(16).padStart(12, '0');
  const tail = count.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
