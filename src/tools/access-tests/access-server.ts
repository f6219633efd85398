import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { createServer } from '../../runtime/server.ts';
import { openSqliteStore } from '../../runtime/storage/sqlite/sqlite-store.ts';
import type { Row, Store } from '../../runtime/storage/store.ts';
import { keys } from '../harness/callers.ts';
import { repairStore } from '../harness/repair-store.ts';
import type { WireReply, WireRequest } from '../harness/request.ts';
import type { Dump } from '../harness/store-dump.ts';
import { load, type SampleRow } from '../start/sample.ts';
import { inOrder } from '../synthetic/order.ts';

const MAX_ROWS = 1_000_000;
const BY_ID = [{ property: 'id', direction: 'asc' }] as const;

/** A server of a contract, without hand-written code, on a database whose rows stay as they are. */
export interface AccessServer {
  send(request: WireRequest): Promise<WireReply>;
  /** Undoes what requests have changed. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a contract in this process on a SQLite database of its own with these rows; closing it removes the database. */
export async function startAccessServer(contract: CompiledContract, rows: Iterable<SampleRow>): Promise<AccessServer> {
  const { resources } = contract;
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-access-'));
  const store = openSqliteStore({ file: join(folder, 'access.db'), resources });
  const end = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true });
  };
  try {
    await load(store, resources, rows);
    const kept = await dumpOf(store, contract);
    // Rows are restored past the server, whose cache would not know of it.
    const options = { contract, store, allowMissing: true, authentication: { keys }, listCacheBytes: 0 };
    const app = await createServer({ ...options, checkResponses: true });
    return {
      async send({ method, url, headers, body }) {
        const reply = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) });
        return { status: reply.statusCode, text: reply.body, json: parsed(reply.body) };
      },
      restore: async () => repairStore(store, await dumpOf(store, contract), kept, inOrder(resources)),
      close: () => app.close().then(end),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function dumpOf(store: Store, { resources }: CompiledContract): Promise<Dump> {
  const dump: Record<string, readonly Row[]> = {};
  for (const { key } of resources)
    dump[key] = await store.list({ resource: key, conditions: [], order: BY_ID, limit: MAX_ROWS });
  return dump;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
