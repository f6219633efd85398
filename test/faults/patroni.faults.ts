import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../../src/tools/postgres-database.ts';
import { eventually } from '../support/eventually.ts';
import { Instance } from '../support/instance.ts';
import { Client } from './support/client.ts';
import { hasPatroni, PatroniCluster } from './support/patroni-cluster.ts';
import { addCustomer, all, customerToken, isValid, json, must, report } from './support/shop.ts';

const WRITERS = 4;
const SECOND = 1_000;

/** Orders, each under a key of its own, from callers who repeat what was refused or got no answer. */
class Writers {
  readonly acknowledged: { readonly id: string; readonly note: string; readonly atMs: number }[] = [];
  readonly statuses = new Map<number, number>();
  readonly wrong: string[] = [];
  readonly #name = randomUUID();
  readonly #client = new Client(2 * WRITERS);
  readonly #running: Promise<unknown>;
  #isOver = false;

  constructor(instances: readonly Instance[]) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, i) => this.#write(instances, i)));
  }

  /** The longest time between two acknowledged writes, in milliseconds, and when it ended. */
  pause(fromMs: number): { readonly tookMs: number; readonly endedMs: number } {
    const times = this.acknowledged.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs);
    const pauses = times.map((atMs, i) => ({ tookMs: atMs - (times[i - 1] ?? fromMs), endedMs: atMs }));
    return pauses.reduce((longest, one) => (one.tookMs > longest.tookMs ? one : longest));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#client.close();
  }

  async #write(instances: readonly Instance[], writer: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const note = `${this.#name}-${writer}-${i}`;
      while (!this.#isOver && !(await this.#order(instances[(writer + i) % instances.length]!, note))) await delay(20);
    }
  }

  async #order(instance: Instance, note: string): Promise<boolean> {
    const asked = { token: customerToken, body: { note }, headers: { 'idempotency-key': note } };
    const answer = await this.#client.send('POST', `${instance.base}/orders`, asked);
    const { status, headers, text } = answer;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (!isValid(answer) || (status === 503 && headers['retry-after'] === undefined)) this.wrong.push(text);
    if (status === 201) this.acknowledged.push({ id: json(answer).id, note, atMs: performance.now() });
    return status === 201;
  }
}

/** Asks the address of replicas, over a new connection each time, who answers. */
class Readers {
  readonly answers: ('replica' | 'leader')[] = [];
  readonly failures: string[] = [];
  readonly #running: Promise<void>;
  #isOver = false;

  constructor(url: string) {
    this.#running = this.#read(url);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #read(url: string): Promise<void> {
    for (; !this.#isOver; await delay(100))
      await administer(url, 'select pg_is_in_recovery() as waits').then(
        ([row]) => this.answers.push(row!['waits'] ? 'replica' : 'leader'),
        (error: Error) => this.failures.push(error.message),
      );
  }
}

/** Reads one order, over and over, from an instance that has the address of replicas. */
class ServedReads {
  readonly statuses = new Map<number, number>();
  longestPauseMs = 0;
  readonly #client = new Client(1);
  readonly #running: Promise<void>;
  #isOver = false;

  constructor(instance: Instance, id: string) {
    this.#running = this.#read(`${instance.base}/orders/${id}`);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#client.close();
  }

  async #read(url: string): Promise<void> {
    let lastMs = performance.now();
    for (; !this.#isOver; await delay(20)) {
      const { status } = await this.#client.send('GET', url, { token: customerToken });
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status !== 200) continue;
      this.longestPauseMs = Math.max(this.longestPauseMs, performance.now() - lastMs);
      lastMs = performance.now();
    }
  }
}

describe.skipIf(!hasPatroni)('Postgres by Patroni, behind HAProxy', () => {
  let cluster: PatroniCluster;
  let instances: readonly Instance[];
  const client = new Client(2);

  beforeAll(async () => {
    cluster = await PatroniCluster.start();
    const first = await Instance.start({ DATABASE_URL: cluster.url });
    instances = [first, await Instance.start({ DATABASE_URL: cluster.url })];
    await addCustomer(client, first.base);
  });
  afterAll(async () => {
    client.close();
    for (const instance of instances) await instance.end('SIGKILL');
    await cluster.close();
  });

  /** Runs the fault while orders are written; how long none was, and since when there was a new leader then. */
  async function during(fault: () => Promise<void>) {
    const before = new Set((await all(client, `${instances[0]!.base}/orders`, customerToken)).map(({ id }) => id));
    const writers = new Writers(instances);
    await eventually(() => expect(writers.acknowledged.length).toBeGreaterThan(50));
    const old = (await cluster.leader())!;
    const next = cluster.members.find((member) => member !== old)!;
    const fromMs = performance.now();
    let promotedMs = Number.POSITIVE_INFINITY;
    const promoted = (async () => {
      while (!(await isLeading(next))) await delay(10);
      promotedMs = performance.now();
    })();
    await fault();
    await promoted;
    await eventually(() => expect(writers.acknowledged.at(-1)!.atMs).toBeGreaterThan(promotedMs + 2 * SECOND));
    await writers.end();
    const rows = await all(client, `${instances[0]!.base}/orders`, customerToken);
    return { writers, pause: writers.pause(fromMs), promotedMs, rows: rows.filter(({ id }) => !before.has(id)) };
  }

  const isLeading = async (member: PatroniCluster['members'][number]): Promise<boolean> =>
    cluster.query(member, 'select pg_is_in_recovery() as waits').then(
      ([row]) => row!['waits'] === false,
      () => false,
    );

  function nothingLost({ writers, rows }: Awaited<ReturnType<typeof during>>): void {
    const ids = new Set(rows.map(({ id }) => id));
    expect(writers.acknowledged.filter(({ id }) => !ids.has(id))).toEqual([]);
    expect(new Set(rows.map(({ note }) => note)).size).toBe(rows.length);
    expect(writers.wrong).toEqual([]);
    expect([...writers.statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  }

  it('loses nothing when the leader is switched, and writes again within five seconds', async () => {
    const outcome = await during(() => cluster.switchover());
    const { writers, pause, promotedMs } = outcome;
    report('a switchover', {
      acknowledged: writers.acknowledged.length,
      'refused with 503': writers.statuses.get(503) ?? 0,
      'ms without a write': pause.tookMs,
      'of them after promotion': pause.endedMs - promotedMs,
    });
    nothingLost(outcome);
    expect(pause.tookMs).toBeLessThan(5 * SECOND);
  });

  it('loses nothing when the leader is killed, writes again when the other member leads, and reads meanwhile', async () => {
    await cluster.whole();
    const killed = (await cluster.leader())!;
    const readers = new Readers(cluster.readUrl);
    const withReplica = await Instance.start({ DATABASE_URL: cluster.url, DATABASE_READ_URL: cluster.readUrl });
    const order = await must(client, 'POST', `${withReplica.base}/orders`, { token: customerToken, body: {} });
    const served = new ServedReads(withReplica, order.id);
    const outcome = await during(() => killed.kill());
    await readers.end();
    await served.end();
    await withReplica.end('SIGTERM');
    const { writers, pause, promotedMs } = outcome;
    report('a leader killed', {
      acknowledged: writers.acknowledged.length,
      'refused with 503': writers.statuses.get(503) ?? 0,
      'ms without a write': pause.tookMs,
      'of them after promotion': pause.endedMs - promotedMs,
      'reads by a replica': served.statuses.get(200) ?? 0,
      'of them refused': served.statuses.get(503) ?? 0,
      'ms without a read': served.longestPauseMs,
    });
    nothingLost(outcome);
    expect([...served.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(served.longestPauseMs).toBeLessThan(2 * SECOND);
    expect(pause.tookMs).toBeLessThan(20 * SECOND);
    expect(pause.endedMs - promotedMs).toBeLessThan(SECOND);
    // The address of replicas leads to one all the time, then to the leader that it has become, when its connections as a
    // replica are cut: that of this reader, too.
    expect(readers.failures.length, readers.failures.join('\n')).toBeLessThanOrEqual(1);
    expect(readers.answers[0]).toBe('replica');
    expect(readers.answers.at(-1)).toBe('leader');
    // It comes back as the replica of the other.
    killed.start();
    await cluster.whole();
  });
});
