import type { FastifyInstance } from 'fastify';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { createServer, type ServerOptions } from '../../runtime/server.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { keys } from './callers.ts';
import { pairDatabases } from './pair-databases.ts';
import { type PairedStore, pairedStore } from './paired-store.ts';
import type { WireReply, WireRequest } from './request.ts';

/** One of two servers that differ only in the protocol over which they are used. */
export interface PairedServer {
  readonly app: FastifyInstance;
  readonly store: PairedStore;
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
  /** Applies it to the other server as well, so that both servers agree and are wrong. */
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

export interface ServerPairOptions {
  readonly contract: CompiledContract;
  readonly handlers: AnyHandlers;
  /** URL of a Postgres to make both databases on; SQLite if left out. */
  readonly database?: string | undefined;
  /** Breaks the server that answers over GraphQL. */
  readonly defect?: Defect | undefined;
}

/** Starts two servers of one contract on separate databases, with the same time, ids and secrets. */
export async function startServerPair({
  contract,
  handlers,
  database,
  defect,
}: ServerPairOptions): Promise<ServerPair> {
  const databases = await pairDatabases(contract.resources, database);
  const started: PairedServer[] = [];
  const close = async (): Promise<void> => {
    for (const { app, store } of started) {
      await app.close();
      await store.close();
    }
    await databases.remove();
  };
  let steps = 0;
  const clock = (): Date => new Date(START.getTime() + steps * STEP_MS);
  const sequences: { count: number }[] = [];
  const start = async (name: string, broken?: Defect): Promise<PairedServer> => {
    const sequence = { count: 0 };
    sequences.push(sequence);
    const newId = (): string => idOf(steps, sequence.count++);
    const store = pairedStore(await databases.open(name));
    const server = await startPairedServer({
      store,
      contract,
      handlers,
      clock,
      newId,
      ...(broken && { defect: broken }),
    });
    started.push(server);
    return server;
  };
  const [rest, graphql] = await startBoth(start, defect).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    rest,
    graphql,
    clock,
    advance() {
      steps += 1;
      for (const sequence of sequences) sequence.count = 0;
    },
    close,
  };
}

async function startBoth(
  start: (name: string, defect?: Defect) => Promise<PairedServer>,
  defect: Defect | undefined,
): Promise<readonly [PairedServer, PairedServer]> {
  return [await start('rest', defect?.isEverywhere ? defect : undefined), await start('graphql', defect)];
}

interface PairedServerOptions {
  readonly store: PairedStore;
  readonly contract: CompiledContract;
  readonly handlers: AnyHandlers;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly defect?: Defect;
}

async function startPairedServer({
  store,
  contract,
  handlers,
  clock,
  newId,
  defect,
}: PairedServerOptions): Promise<PairedServer> {
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
