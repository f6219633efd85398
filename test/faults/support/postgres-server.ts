import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../src/tools/free-port.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { endWithTests } from '../../support/command.ts';
import { asPostgres } from './as-postgres.ts';

const DEBIAN = '/usr/lib/postgresql';

/** Where the programs of a Postgres server are; undefined: there is none. */
export function programs(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const version = readdirSync(DEBIAN)
    .filter((name) => existsSync(join(DEBIAN, name, 'bin', 'postgres')))
    .toSorted((a, b) => Number(b) - Number(a))[0];
  return version === undefined ? undefined : join(DEBIAN, version, 'bin');
}

export const hasPostgresServer = process.env['REQUIRE_POSTGRES'] === 'true' || programs() !== undefined;

/** A Postgres of the test's own, to be killed, restarted and frozen. */
export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-postgres-'));
    chmodSync(folder, 0o777);
    const data = join(folder, 'data');
    const [command, args] = asPostgres(join(programs()!, 'initdb'), [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-N',
    ]);
    execFileSync(command, args, { cwd: folder, stdio: 'ignore' });
    const server = new PostgresServer(folder, await freePort());
    await server.start();
    return server;
  }

  /** A standby that replays what this server writes. */
  async standby(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-postgres-'));
    chmodSync(folder, 0o777);
    const copy = ['-D', join(folder, 'data'), '-d', this.url, '-c', 'fast', '-R'];
    const [command, args] = asPostgres(join(programs()!, 'pg_basebackup'), copy);
    execFileSync(command, args, { cwd: folder, stdio: 'ignore' });
    const server = new PostgresServer(folder, await freePort());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const settings = [`port=${this.#port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${this.#folder}`];
    const [command, args] = asPostgres(join(programs()!, 'postgres'), [
      '-D',
      join(this.#folder, 'data'),
      ...settings.flatMap((setting) => ['-c', setting]),
    ]);
    this.#process = spawn(command, args, { cwd: this.#folder, stdio: 'ignore' });
    endWithTests(this.#process);
    while (!(await this.#answers())) await delay(20);
  }

  /** As if the machine lost its power; what was acknowledged is on the disk. */
  async crash(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  /** Kills the server and all its processes. */
  async kill(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#signalAll('SIGKILL');
    await ended;
    this.#process = undefined;
  }

  /** Kills a process that runs such a statement; the server ends all others, and recovers. */
  async killOne(query: string): Promise<void> {
    for (;;) {
      const [found] = await this.query(
        `select pid from pg_stat_activity where state = 'active' and query like '${query}' limit 1`,
      );
      if (!found) continue;
      process.kill(Number(found['pid']), 'SIGKILL');
      return;
    }
  }

  async restart(): Promise<void> {
    await this.#end('SIGINT');
    await this.start();
  }

  freeze(): void {
    this.#signalAll('SIGSTOP');
  }

  thaw(): void {
    this.#signalAll('SIGCONT');
  }

  async close(): Promise<void> {
    if (this.#process) this.thaw();
    await this.#end('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  query(sql: string): Promise<readonly Record<string, unknown>[]> {
    return administer(this.url, sql);
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.#pids())
      try {
        process.kill(pid, signal);
      } catch (error) {
        // A server process may end between being listed and being signalled.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async #answers(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    );
  }

  /** The server and all it has started: each is a session of its own, which no signal to the group reaches. */
  #pids(): number[] {
    const found = new Set([this.#process!.pid!]);
    for (const parent of found)
      for (const entry of readdirSync('/proc'))
        if (/^\d+$/.test(entry) && parentOf(entry) === parent) found.add(Number(entry));
    return [...found];
  }
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return -1;
  }
}
