import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/tools/free-port.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { endWithTests } from '../../support/command.ts';
import { eventually } from '../../support/eventually.ts';
import { asPostgres } from './as-postgres.ts';
import { programs } from './postgres-server.ts';

/** Debian has HAProxy where users' paths do not lead. */
const PATH = `${process.env['PATH']}:/usr/sbin`;
const shipped = join(import.meta.dirname, '../../../deploy/patroni');
const PASSWORD = 'a-password-of-the-tests';

function isInstalled(): boolean {
  try {
    for (const command of ['patroni', 'patronictl', 'etcd', 'haproxy'])
      execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore', env: { PATH } });
    return programs() !== undefined;
  } catch {
    return false;
  }
}

export const hasPatroni = process.env['REQUIRE_PATRONI'] === 'true' || isInstalled();

type Role = 'primary' | 'replica' | 'sync';

/** A member: Patroni, and the Postgres that it starts. */
class Member {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(name: string, folder: string, ports: readonly [number, number], etcdPort: number) {
    this.name = name;
    this.#folder = folder;
    [this.port, this.apiPort] = ports;
    const address = { postgres: `127.0.0.1:${this.port}`, api: `127.0.0.1:${this.apiPort}` };
    this.#environment = {
      PATH,
      LC_ALL: 'C.UTF-8',
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
      PATRONI_RESTAPI_LISTEN: address.api,
      PATRONI_RESTAPI_CONNECT_ADDRESS: address.api,
      PATRONI_POSTGRESQL_LISTEN: address.postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: address.postgres,
      PATRONI_POSTGRESQL_DATA_DIR: this.#data,
      PATRONI_POSTGRESQL_BIN_DIR: programs()!,
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
    };
  }

  get #data(): string {
    return join(this.#folder, this.name);
  }

  start(): void {
    const log = openSync(join(this.#folder, `${this.name}.log`), 'a');
    const [command, args] = asPostgres('patroni', [join(shipped, 'patroni.yml')]);
    const options = { cwd: this.#folder, env: this.#environment, stdio: ['ignore', log, log] as const };
    this.#process = spawn(command, args, { ...options, stdio: [...options.stdio] });
    endWithTests(this.#process);
  }

  /** As if its machine had lost its power. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child && child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    this.#killPostgres();
  }

  /** What Patroni says of it: https://patroni.readthedocs.io/en/latest/rest_api.html. */
  is(role: Role): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.apiPort}/${role}`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  #killPostgres(): void {
    try {
      process.kill(Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    } catch {
      // It does not run.
    }
  }
}

/** The shipped Patroni and HAProxy on one machine: two members, one etcd. */
export class PatroniCluster {
  /** By way of HAProxy: the leader, and a replica. */
  readonly url: string;
  readonly readUrl: string;
  readonly members: readonly [Member, Member];
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #others: ChildProcess[] = [];
  readonly #close: () => Promise<void>;

  private constructor(
    folder: string,
    members: readonly [Member, Member],
    ports: readonly [number, number],
    etcd: number,
  ) {
    this.#folder = folder;
    this.members = members;
    const urlOf = (port: number) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    this.url = urlOf(ports[0]);
    this.readUrl = urlOf(ports[1]);
    this.#environment = { PATH, LC_ALL: 'C.UTF-8', PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcd}` };
    this.#close = endedByTests(async () => {
      for (const member of members) await member.kill();
      for (const child of this.#others) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
  }

  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-patroni-'));
    chmodSync(folder, 0o777);
    const ports: number[] = [];
    while (ports.length < 8) ports.push(await freePort());
    const [etcd, peer, leader, replicas, ...rest] = ports as [number, number, number, number, ...number[]];
    const member = (name: string, at: number) => new Member(name, folder, [rest[at]!, rest[at + 1]!], etcd);
    const members = [member('one', 0), member('two', 2)] as const;
    const cluster = new PatroniCluster(folder, members, [leader, replicas], etcd);
    cluster.#startEtcd(etcd, peer);
    for (const one of members) one.start();
    cluster.#startHaproxy(leader, replicas);
    await eventually(async () => {
      if (!(await cluster.#isWhole())) throw new Error(`not made yet:\n${cluster.log().slice(-2_000)}`);
    });
    return cluster;
  }

  /** The member that is the leader, if there is one. */
  async leader(): Promise<Member | undefined> {
    for (const member of this.members) if (await member.is('primary')) return member;
    return undefined;
  }

  /** Waits until a leader has a synchronous standby. */
  async whole(): Promise<void> {
    await eventually(async () => {
      if (!(await this.#isWhole())) throw new Error('a member is missing');
    });
  }

  /** Makes the other member the leader, as an administrator does. */
  async switchover(): Promise<void> {
    const leader = await this.leader();
    const [command, args] = asPostgres('patronictl', [
      ...['-c', join(shipped, 'patroni.yml'), 'switchover', '--force'],
      ...['--master', leader!.name, 'lockstep'],
    ]);
    const child = spawn(command, args, { env: this.#environment, cwd: this.#folder, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`patronictl ended with ${code}`);
  }

  /** Asks a member itself. */
  query(member: Member, sql: string): Promise<readonly Record<string, unknown>[]> {
    return administer(`postgres://postgres:${PASSWORD}@127.0.0.1:${member.port}/postgres`, sql);
  }

  log(): string {
    return this.members.map(({ name }) => readFileSync(join(this.#folder, `${name}.log`), 'utf8')).join('\n');
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #isWhole(): Promise<boolean> {
    const [one, two] = this.members;
    return (
      ((await one.is('primary')) && (await two.is('sync'))) || ((await two.is('primary')) && (await one.is('sync')))
    );
  }

  #startEtcd(port: number, peerPort: number): void {
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
    const [command, args] = asPostgres('etcd', [
      ...['--name', 'one', '--data-dir', join(this.#folder, 'etcd'), '--initial-cluster', `one=${peer}`],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ]);
    this.#spawn(command, args, {});
  }

  #startHaproxy(leader: number, replicas: number): void {
    const [one, two] = this.members;
    const [command, args] = asPostgres('haproxy', ['-db', '-f', join(shipped, 'haproxy.cfg')]);
    this.#spawn(command, args, {
      LEADER_ADDRESS: `127.0.0.1:${leader}`,
      REPLICAS_ADDRESS: `127.0.0.1:${replicas}`,
      MEMBER_ONE: `127.0.0.1:${one.port}`,
      MEMBER_ONE_API: `127.0.0.1:${one.apiPort}`,
      MEMBER_TWO: `127.0.0.1:${two.port}`,
      MEMBER_TWO_API: `127.0.0.1:${two.apiPort}`,
    });
  }

  #spawn(command: string, args: readonly string[], environment: Readonly<Record<string, string>>): void {
    const env = { ...this.#environment, ...environment };
    const child = spawn(command, args, { cwd: this.#folder, env, stdio: 'ignore' });
    endWithTests(child);
    this.#others.push(child);
  }
}
