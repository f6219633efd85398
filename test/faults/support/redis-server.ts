import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../src/tools/free-port.ts';
import { endWithTests } from '../../support/command.ts';

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const hasRedisServer = process.env['REQUIRE_REDIS'] === 'true' || isInstalled();

/** Nodes of a cluster talk to each other on a port that is higher by 10,000. */
const HIGHEST_PORT = 55_535;

/** A Redis of the test's own, to be killed and started again. */
export class RedisServer {
  readonly url: string;
  readonly port: number;
  readonly #settings: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'lockstep-redis-'));
  #process: ChildProcess | undefined;

  private constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#settings = settings;
  }

  static async start(settings: readonly string[] = []): Promise<RedisServer> {
    let port: number;
    do port = await freePort();
    while (port > HIGHEST_PORT);
    const server = new RedisServer(port, settings);
    await server.start();
    return server;
  }

  /** A Sentinel of the master that this is, by the name `mymaster`. */
  async sentinel(): Promise<RedisServer> {
    const port = await freePort();
    const server = new RedisServer(port, []);
    const monitoring = [
      `port ${port}`,
      `sentinel monitor mymaster 127.0.0.1 ${this.port} 1`,
      'sentinel down-after-milliseconds mymaster 500',
      'sentinel failover-timeout mymaster 3000',
    ];
    const file = join(server.#folder, 'sentinel.conf');
    writeFileSync(file, `${monitoring.join('\n')}\n`);
    await server.#run([file, '--sentinel']);
    return server;
  }

  async start(): Promise<void> {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    await this.#run([...settings, '--dir', this.#folder, ...this.#settings]);
  }

  /** What `redis-cli` answers. */
  ask(...command: readonly string[]): string {
    return execFileSync('redis-cli', ['-p', String(this.port), ...command], { encoding: 'utf8' });
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Kills it, and removes its files. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(args: readonly string[]): Promise<void> {
    this.#process = spawn('redis-server', args, { stdio: 'ignore', cwd: this.#folder });
    endWithTests(this.#process);
    while (!(await this.#answers())) await delay(20);
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('data', () => socket.end());
      socket.once('close', (failed) => resolve(!failed));
      socket.once('error', () => {});
      socket.write('PING\r\n');
    });
  }
}
