import type { FastifyInstance } from 'fastify';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { ServerOptions } from '../../runtime/server.ts';
import type { AnyHandlers } from '../../runtime/wiring.ts';
import type { TemporaryDatabase } from '../../tools/postgres-database.ts';
import { postgresScratch } from '../../tools/postgres-scratch.ts';
import { serveOn, sqliteScratch } from '../../tools/scratch-store.ts';
import { countedUuid } from '../../tools/uuid.ts';
import { keys } from './callers.ts';
import { type PairedStore, pairedStore } from './paired-store.ts';
import type { Protocols } from './protocols.ts';
import { injected, type WireReply, type WireRequest } from './request.ts';

/** One of several servers that differ only in the protocol over which they are used. */
export interface ProtocolServer {
  /** Of its protocol. */
  readonly name: string;
  readonly app: FastifyInstance;
  readonly store: PairedStore;
  readonly defect: Defect | undefined;
  send(request: WireRequest): Promise<WireReply>;
}

/** Breaks all servers but the first, for a proof that must fail. */
export interface Defect {
  readonly name: string;
  options?(options: ServerOptions): ServerOptions;
  request?(request: WireRequest): WireRequest;
  reply?(reply: WireReply): WireReply;
  /** The delay of this server's events in milliseconds; undefined when they never arrive. */
  event?(): number | undefined;
  /** Applies it to the first server as well, so that all servers agree and are wrong. */
  readonly isEverywhere?: boolean;
}

export interface Servers {
  /** That of the protocol that the others are compared with. */
  readonly first: ProtocolServer;
  readonly others: readonly ProtocolServer[];
  /** Advances the clock of all servers and restarts their sequences of ids. */
  advance(): void;
  close(): Promise<void>;
}

export const START = new Date('2026-01-15T12:00:00.000Z');
const STEP_MS = 1000;

export interface ServersOptions {
  readonly contract: CompiledContract;
  readonly handlers: AnyHandlers;
  readonly protocols: Protocols;
  /** URL of a Postgres to make the databases on; SQLite if left out. */
  readonly database?: string | undefined;
  /** A database there with the tables that the contract maps, which is copied; tables of Lockstep if left out. */
  readonly tables?: TemporaryDatabase | undefined;
  readonly defect?: Defect | undefined;
}

/** Starts a server of one contract for each protocol on separate databases, with the same time, ids and secrets. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { contract, handlers, protocols, database, tables, defect } = options;
  const { resources } = contract;
  const ends: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends) await end();
  };
  let nowMs = START.getTime();
  /** How many ids each server has made since the clock was advanced. */
  const made = new Map<string, number>();
  const nextId = (name: string): string => {
    const count = made.get(name) ?? 0;
    made.set(name, count + 1);
    return countedUuid(nowMs, count);
  };
  const start = async (name: string, broken?: Defect): Promise<ProtocolServer> => {
    const purpose = `proof_${name.toLowerCase()}`;
    const scratch = await (database
      ? postgresScratch(purpose, resources, database, tables)
      : sqliteScratch(purpose, resources));
    const store = pairedStore(scratch.store);
    const served: ServerOptions = {
      contract,
      handlers,
      store,
      allowMissing: true,
      authentication: { keys },
      clock: () => nowMs,
      newId: () => nextId(name),
      checkResponses: true,
      // Events are sent when they are there, also by a busy machine.
      graphql: { restMs: 0 },
    };
    const { app, close: end } = await serveOn(scratch, broken?.options?.(served) ?? served);
    ends.push(end);
    const send = async (request: WireRequest): Promise<WireReply> => {
      const reply = await injected(app, broken?.request?.(request) ?? request);
      return broken?.reply?.(reply) ?? reply;
    };
    return { name, app, store, defect: broken, send };
  };
  try {
    const [{ name }, ...compared] = protocols;
    const first = await start(name, defect?.isEverywhere ? defect : undefined);
    const others: ProtocolServer[] = [];
    for (const other of compared) others.push(await start(other.name, defect));
    const advance = (): void => {
      nowMs += STEP_MS;
      made.clear();
    };
    return { first, others, advance, close };
  } catch (error) {
    await close();
    throw error;
  }
}
