import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/tools/free-port.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { endedByTests } from './clean-up.ts';
import { endWithTests } from './command.ts';
import { eventually } from './eventually.ts';
import { hasPostgres } from './postgres.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether the tests behind PgBouncer run. With `REQUIRE_PGBOUNCER=true` they do, and fail without it. */
export const hasPgBouncer = process.env['REQUIRE_PGBOUNCER'] === 'true' || (hasPostgres && existsSync(PROGRAM));

/** A pooler of the test's own, before the server of a URL. */
export interface PgBouncer {
  /** The URL of a database of that server, through the pooler. */
  through(url: string): string;
  /** Kills it, and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Fewer connections than any server of ours opens, so that they change hands all the time. */
const POOL_SIZE = 3;

/** A part of a URL as a connection string of PgBouncer has it. */
const quoted = (part: string): string => `'${decodeURIComponent(part).replaceAll("'", "''")}'`;

export async function startPgBouncer(server: string, mode: 'transaction' | 'statement'): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(server);
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-pgbouncer-'));
  await chmod(folder, 0o777);
  const own = await freePort();
  const settings = `[databases]
* = host=${hostname} port=${port || 5432} user=${quoted(username)}${password && ` password=${quoted(password)}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${POOL_SIZE}
max_client_conn = 500
`;
  await writeFile(join(folder, 'pgbouncer.ini'), settings);
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid!() === 0;
  const [command, args] = isRoot
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', PROGRAM]]
    : [PROGRAM, []];
  const start = () => {
    const started = spawn(command, [...args, '-q', join(folder, 'pgbouncer.ini')], { cwd: folder, stdio: 'ignore' });
    endWithTests(started);
    return started;
  };
  let child = start();
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await ended;
  };
  const answers = () => eventually(() => administer(through(server), 'select 1'));
  const through = (url: string): string => {
    const pooled = new URL(url);
    pooled.host = `127.0.0.1:${own}`;
    return pooled.href;
  };
  await answers();
  return {
    through,
    async restart() {
      await kill();
      child = start();
      await answers();
    },
    close: endedByTests(async () => {
      await kill();
      await rm(folder, { recursive: true });
    }),
  };
}
