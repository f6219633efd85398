import pg from 'pg';
import { reasonOf } from '../../../descriptor/config-error.ts';
import { answerOf, type Query, TEXT_ROWS } from './answer.ts';
import { postgresAddress, type SessionTarget } from './postgres-address.ts';

export interface SessionOptions {
  /** It may name several hosts. */
  readonly url: string;
  /** Limit for a connection to one host. */
  readonly connectTimeoutMs: number;
  /** Run when the connection is made to the server itself: what a pooler stands before is the session of others, too. */
  readonly settings: string;
}

/** A connection to a server, or to a pooler in front of it, such as PgBouncer. */
export interface Session {
  readonly client: Client;
  /** Each transaction may run on another connection of the server: nothing that is set or prepared outlives it. */
  readonly isPooled: boolean;
}

/** A client with what is behind it, which the types of pg do not declare. */
export type Client = pg.Client & {
  /** The server process that the connection belongs to, as Postgres named it at the start. */
  readonly processID: number;
  readonly connection: {
    readonly stream: { readonly destroyed: boolean; cork(): void; uncork(): void; destroy(): void };
    /** The texts of the statements that are prepared, by name. */
    readonly parsedStatements: Readonly<Record<string, string>>;
  };
};

/** None of several hosts can be used; the message says of each why. */
class NoSuitableHost extends Error {
  readonly code = 'NO_SUITABLE_HOST';
}

/** A host does not answer, or a pooler has no server for its client. */
class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/** What a host is: `f`/`t` for a standby, and for accepting writes. */
const ROLE = `select pg_is_in_recovery(), not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`;

const IS_ACCEPTED: Readonly<Record<SessionTarget, (isStandby: boolean, takesWrites: boolean) => boolean>> = {
  any: () => true,
  'read-write': (_isStandby, takesWrites) => takesWrites,
  'read-only': (_isStandby, takesWrites) => !takesWrites,
  primary: (isStandby) => !isStandby,
  standby: (isStandby) => isStandby,
  'prefer-standby': (isStandby) => isStandby,
};

/**
 * Connects to the host that the URL asks for. Hosts that must have a role are asked at the same time, so that one that
 * does not answer delays nothing. Throws the error of the host, or `NoSuitableHost`.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { urls, target } = postgresAddress(options.url)!;
  if (urls.length === 1) return connect(urls[0]!, target === 'prefer-standby' ? 'any' : target, options);
  if (target === 'any') return inOrder(urls, options);
  try {
    return await firstOf(urls, target, options);
  } catch (error) {
    if (target !== 'prefer-standby') throw error;
    return inOrder(urls, options);
  }
}

async function inOrder(urls: readonly string[], options: SessionOptions): Promise<Session> {
  const errors: unknown[] = [];
  for (const url of urls) {
    try {
      return await connect(url, 'any', options);
    } catch (error) {
      errors.push(error);
    }
  }
  throw noneOf(urls, errors);
}

/** The first that is accepted; the others are closed. */
async function firstOf(urls: readonly string[], target: SessionTarget, options: SessionOptions): Promise<Session> {
  const connecting = urls.map((url) => connect(url, target, options));
  try {
    const first = await Promise.any(connecting);
    const closed = async (session: Session): Promise<void> => {
      if (session !== first) await session.client.end();
    };
    for (const one of connecting) one.then(closed).catch(() => {});
    return first;
  } catch (error) {
    throw noneOf(urls, (error as AggregateError).errors);
  }
}

async function connect(url: string, target: SessionTarget, options: SessionOptions): Promise<Session> {
  const settings = {
    connectionString: url,
    pipeline: true,
    keepAlive: true,
  };
  const client = new pg.Client({ ...settings, application_name: 'lockstep' } as pg.ClientConfig) as Client;
  client.on('error', () => client.connection.stream.destroy());
  let isLate = false;
  const timeout = setTimeout(() => {
    isLate = true;
    client.connection.stream.destroy();
  }, options.connectTimeoutMs);
  try {
    await client.connect();
    const isPooled = await isBehindPooler(client);
    if (!isPooled) await client.query(options.settings);
    if (target !== 'any') await checkRole(client, target);
    return { client, isPooled };
  } catch (error) {
    client.connection.stream.destroy();
    throw isLate ? new NoAnswer(options.connectTimeoutMs) : error;
  } finally {
    clearTimeout(timeout);
  }
}

/** Runs statements one by one, as `Query` has it. */
export const queryOf =
  (client: Client): Query =>
  async (text, values) =>
    answerOf(await client.query({ text, ...(values && { values: [...values] }), ...TEXT_ROWS }));

/**
 * Whether another process runs the statements than the one that took the connection. Poolers have numbers of their own. How
 * long they keep a connection of the server they do not say: for a transaction at least, or they are of no use here.
 */
async function isBehindPooler(client: Client): Promise<boolean> {
  const { rows } = await client.query<[number]>({ text: 'select pg_backend_pid()', rowMode: 'array' });
  return rows[0]![0] !== client.processID;
}

async function checkRole(client: Client, target: SessionTarget): Promise<void> {
  const { rows } = await client.query<[boolean, boolean]>({ text: ROLE, rowMode: 'array' });
  const [isStandby, takesWrites] = rows[0]!;
  if (IS_ACCEPTED[target](isStandby, takesWrites)) return;
  const role = isStandby ? 'it is a standby' : takesWrites ? 'it is a primary that takes writes' : 'it is read-only';
  throw new NoSuitableHost(`${role}, and target_session_attrs is ${target}`);
}

function noneOf(urls: readonly string[], errors: readonly unknown[]): NoSuitableHost {
  const names = urls.map((url) => postgresAddress(url)?.name.replace(/\/[^/]*$/, '') ?? '');
  return new NoSuitableHost(names.map((name, at) => `${name}: ${reasonOf(errors[at])}`).join('; '));
}
