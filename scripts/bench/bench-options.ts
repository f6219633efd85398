import type { Peer, PeerRequests } from './peers.ts';

export interface BenchOptions {
  /** Measured time per scenario and server. */
  readonly seconds: number;
  readonly connections: number;
  readonly rows: number;
  /** URL of a Postgres server to create databases on; SQLite files are used if left out. */
  readonly postgres: string | undefined;
  /** Folder of another checkout to compare this one with. */
  readonly before: string | undefined;
  /** Names of scenarios; all when empty. */
  readonly only: readonly string[];
  /** Servers that somebody else has started. */
  readonly peers: readonly Peer[];
  readonly peerRequests: PeerRequests;
  readonly folder: string;
  readonly nodeFlags: readonly string[];
}
