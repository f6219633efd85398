import type { FastifyInstance } from 'fastify';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ServerOptions } from '../../runtime/server.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import { postgresScratch } from '../scratch/postgres-scratch.ts';
import { serveOn, sqliteScratch } from '../scratch/scratch-store.ts';
import { countedUuid } from '../synthetic/uuid.ts';
import { keys } from './callers.ts';
import { type PairedStore, pairedStore } from './paired-store.ts';
import { injected, type WireReply, type WireRequest } from './request.ts';

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
export async function startServerPair(options: ServerPairOptions): Promise<ServerPair> {
  const { contract, handlers, database, defect } = options;
  const { resources } = contract;
  const ends: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends) await end();
  };
  let nowMs = START.getTime();
  const counts = { rest: 0, graphql: 0 };
  const start = async (name: keyof typeof counts, broken?: Defect): Promise<PairedServer> => {
    const purpose = `proof_${name}`;
    const scratch = await (database
      ? postgresScratch(purpose, resources, database)
      : sqliteScratch(purpose, resources));
    const store = pairedStore(scratch.store);
    const served: ServerOptions = {
      contract,
      handlers,
      store,
      allowMissing: true,
      authentication: { keys },
      clock: () => nowMs,
      newId: () => countedUuid(nowMs, counts[name]++),
      checkResponses: true,
    };
    const { app, close: end } = await serveOn(scratch, broken?.options?.(served) ?? served);
    ends.push(end);
    const send = async (request: WireRequest): Promise<WireReply> => {
      const reply = await injected(app, broken?.request?.(request) ?? request);
      return broken?.reply?.(reply) ?? reply;
    };
    return { app, store, send };
  };
  try {
    const rest = await start('rest', defect?.isEverywhere ? defect : undefined);
    const graphql = await start('graphql', defect);
    const advance = (): void => {
      nowMs += STEP_MS;
      Object.assign(counts, { rest: 0, graphql: 0 });
    };
    return { rest, graphql, advance, close };
  } catch (error) {
    await close();
    throw error;
  }
}
