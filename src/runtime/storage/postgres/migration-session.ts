import { setTimeout as delay } from 'node:timers/promises';
import { type Query, singleValue } from './answer.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { OWN_WORK } from './row-security.ts';

const READ = /^\s*(?:select|with|show)\b/;

/** Key of the advisory lock: "lockstep" in ASCII, as eight bytes. */
const LOCK_KEY = Buffer.from('lockstep').readBigInt64BE().toString();
const LOCK_POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 5_000;

/** What a migration runs its statements on. */
export interface MigrationSession {
  readonly query: Query;
  /** What is set is set for a transaction only, because a pooler stands between. */
  readonly isPooled: boolean;
}

/**
 * Runs `work` while no other migration runs, waiting for its turn. Behind a pooler, the lock belongs to a transaction on a
 * connection of its own: that of a session would stay with the pooler when the session has ended.
 */
export async function inMigrationSession<T>(url: string, work: (session: MigrationSession) => Promise<T>): Promise<T> {
  const connection = await connected(url);
  try {
    if (connection.isPooled) return await inPooledSession(url, connection, work);
    const query = connection.pinnedQuery();
    await untilLocked(async () => hasTaken(query, 'pg_try_advisory_lock'));
    return await work({ query, isPooled: false });
  } finally {
    await connection.close();
  }
}

async function inPooledSession<T>(
  url: string,
  connection: PostgresConnection,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const holder = await connected(url);
  try {
    const query = holder.pinnedQuery();
    await untilLocked(async () => {
      await query(holder.beginning('begin')!);
      if (await hasTaken(query, 'pg_try_advisory_xact_lock')) return true;
      await query('rollback');
      return false;
    });
    return await work({ query: pooledQuery(connection, holder), isPooled: true });
  } finally {
    await holder.close();
  }
}

async function connected(url: string): Promise<PostgresConnection> {
  const connection = new PostgresConnection({
    url,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: 0,
    session: { idle_in_transaction_session_timeout: 0, ...OWN_WORK },
    nameOf: () => undefined,
  });
  await connection.open();
  return connection;
}

/** Polls: a statement that waits for the lock holds a snapshot, and `create index concurrently` waits for snapshots. */
async function untilLocked(isLocked: () => Promise<boolean>): Promise<void> {
  while (!(await isLocked())) await delay(LOCK_POLL_MS);
}

/** The key is part of the text: a statement with values keeps its snapshot until its transaction ends. */
const hasTaken = async (query: Query, lock: string): Promise<boolean> =>
  singleValue(await query(`select ${lock}(${LOCK_KEY})`)) === 't';

/**
 * Each transaction begins with the parameters of the session, and so does a statement outside of one that reads or has values. Others
 * run as they are: some are refused in a transaction. Nothing runs once the lock is lost.
 */
function pooledQuery(connection: PostgresConnection, holder: PostgresConnection): Query {
  const pinned = connection.pinnedQuery();
  const isHeld = holder.pinnedQuery();
  let isInTransaction = false;
  return async (sql, values) => {
    if (!holder.isUp) await isHeld('select');
    const begins = sql === 'begin';
    if (begins || sql === 'commit' || sql === 'rollback') isInTransaction = begins;
    if (begins) return pinned(connection.beginning(sql)!);
    return (values || READ.test(sql)) && !isInTransaction ? connection.query(sql, values) : pinned(sql, values);
  };
}
