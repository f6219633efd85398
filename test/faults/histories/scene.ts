import type { Instance } from '../../support/instance.ts';
import type { PgBouncer } from '../../support/pgbouncer.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import type { RedisServer } from '../support/redis-server.ts';
import type { Triggers } from './triggers.ts';

/** Instances on one database, the log of what they commit, and what may happen to them. */
export interface Scene {
  /** By the name that the log has for them. */
  readonly instances: ReadonlyMap<string, Instance>;
  readonly triggers: Triggers;
  readonly postgres?: PostgresServer;
  readonly redis?: RedisServer;
  readonly pooler?: PgBouncer;
  /** Of SQLite. */
  readonly file?: string;
  close(): Promise<void>;
}
