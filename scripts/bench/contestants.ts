import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import { makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { BARE_FASTIFY } from './cached-list.ts';
import { fillDatabase } from './database.ts';
import type { Scenario } from './scenario.ts';
import type { ServerCommand } from './server-process.ts';
import { environmentFor, SECRET, urlOf } from './settings.ts';

export const LOCKSTEP = 'lockstep';
export const LEAN = 'lean';
/** The scenarios that the lean service has. */
const OF_LEAN = new Set(['get one', 'list 20', '304', '404']);

/** Databases with the same rows: that of Lockstep, and that of the other services. */
export interface Databases {
  readonly locations: Pair;
  readonly drop: () => Promise<void>;
}

export type Pair = readonly [own: DatabaseLocation, other: DatabaseLocation];

export const databasesFor = (options: BenchOptions): Promise<Databases> =>
  options.postgres === undefined ? twoFiles(options) : twoDatabases(options.postgres, options);

async function twoFiles({ folder, rows }: BenchOptions): Promise<Databases> {
  const own = join(folder, 'lockstep.db');
  const other = join(folder, 'hand-written.db');
  await fillDatabase({ kind: 'sqlite', file: own }, rows);
  cpSync(own, other);
  const locations: Pair = [
    { kind: 'sqlite', file: own },
    { kind: 'sqlite', file: other },
  ];
  return { locations, drop: async () => {} };
}

async function twoDatabases(server: string, { rows }: BenchOptions): Promise<Databases> {
  const made = [await makeDatabaseOn(server, 'bench'), await makeDatabaseOn(server, 'bench')];
  const locations = made.map(({ url }) => ({ kind: 'postgres', url }) as const) as unknown as Pair;
  for (const location of locations) await fillDatabase(location, rows);
  return {
    locations,
    async drop() {
      for (const { drop } of made) await drop();
    },
  };
}

/** The services on these databases: Lockstep first, then the hand-written ones. */
export function servicesOn([own, other]: Pair, { folder, nodeFlags }: BenchOptions): readonly ServerCommand[] {
  const hand = { NODE_ENV: 'production', DATABASE: urlOf(other), JWT_SECRET: SECRET };
  const lean = { name: LEAN, entry: 'scripts/bench/lean.ts', environment: hand };
  return [
    { name: LOCKSTEP, entry: 'src/main.ts', environment: environmentFor(folder, own), nodeFlags },
    { name: 'hand-written', entry: 'scripts/bench/hand-written/main.ts', environment: hand },
    ...(other.kind === 'sqlite' ? [lean] : []),
  ];
}

export const BARE_HTTP: ServerCommand = { name: 'bare http', entry: 'scripts/bench/bare-http.ts', environment: {} };

/** Whether a service has the scenario; a bare server has none of its own. */
export function isServed(server: string, { name, isOwn }: Scenario): boolean {
  if (isOwn) return server.startsWith(LOCKSTEP) || server === BARE_HTTP.name;
  return server === LEAN ? OF_LEAN.has(name) : !server.startsWith(BARE_FASTIFY);
}
