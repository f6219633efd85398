import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/tools/random.ts';
import { writeFaults } from './histories/check-writes.ts';
import { type Attempt, History } from './histories/history.ts';
import type { Nemesis } from './histories/nemeses.ts';
import { places } from './histories/places.ts';
import { type Change, Requests } from './histories/requests.ts';
import type { Scene } from './histories/scene.ts';
import { countFaults, eventFaults, type Handled } from './jobs/check-events.ts';
import { Client } from './support/client.ts';
import { adminToken, productInput, report } from './support/shop.ts';

const WRITES = 20_000;
const BRIEF_WRITES = 2_000;
const WRITERS = 12;
const ROWS = 40;
/** A lease, another one that a frozen server has renewed before, and some. */
const QUIET_MS = 240_000;
const seed = Number(process.env['HISTORIES_SEED'] ?? Date.now() % 1_000_000);

const BRIEF = new Set([
  ...['an instance is killed', 'instances are replaced', 'another process holds the file'],
  ...['Postgres crashes', 'connections to Postgres are cut'],
]);
/** Longer than a lease: another server takes the jobs. */
const thawed: Nemesis = {
  name: 'an instance thaws after its lease',
  async act({ instances }, random) {
    const { pid } = random.pick([...instances.values()]);
    process.kill(pid, 'SIGSTOP');
    await delay(36_000);
    process.kill(pid, 'SIGCONT');
  },
};

/** Writes products until so many writes are acknowledged: also such as are refused, and rolled back. */
class Writers {
  readonly history = new History();
  readonly #scene: Scene;
  readonly #random: Random;
  readonly #requests: Requests;
  readonly #client = new Client(WRITERS);
  readonly #rows: string[] = [];
  #marks = 0;
  rolledBack = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#random = new Random(seed);
    this.#requests = new Requests(this.history.invalid);
  }

  get acknowledged(): number {
    return this.history.attempts.filter(({ outcome }) => outcome === 'done').length;
  }

  async run(writes: number): Promise<void> {
    let done = 0;
    const work = async () => {
      while (done < writes) {
        const { outcome } = await this.#write();
        if (outcome === 'done') done++;
        else await delay(20);
        if (this.#random.below(20) === 0) await this.#rollBack();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, work));
    this.#requests.close();
    this.#client.close();
  }

  async #write(): Promise<Attempt> {
    const change = this.#change(`write ${++this.#marks}`);
    const instance = this.#random.pick([...this.#scene.instances.values()]);
    const attempt = await this.#requests.change(instance, this.#random.pick(['REST', 'GraphQL']), change);
    this.history.attempts.push(attempt);
    if (change.operation === 'insert' && attempt.outcome === 'done') this.#rows.push(attempt.body.id);
    return attempt;
  }

  #change(mark: string): Change {
    const [at, is] = [this.#random.below(Math.max(1, this.#rows.length)), this.#random.below(40)];
    if (this.#rows.length < ROWS)
      return { table: 'products', operation: 'insert', mark, input: productInput({ name: mark, description: mark }) };
    const id = this.#rows[at]!;
    if (is > 0) return { table: 'products', operation: 'update', mark, id, input: { name: mark, description: mark } };
    this.#rows.splice(at, 1);
    return { table: 'products', operation: 'delete', mark, id };
  }

  /** Changes a row in a transaction whose second part fails. */
  async #rollBack(): Promise<void> {
    const id = this.#rows[0];
    if (id === undefined) return;
    const items = [
      { update: { id, input: { name: 'never' } } },
      { delete: { id: '01941f29-7c00-7a10-8c57-0000000000ff' } },
    ];
    const { base } = this.#random.pick([...this.#scene.instances.values()]);
    const asked = { token: adminToken, body: { items } };
    const answer = await this.#client.send('POST', `${base}/products/batch`, asked).catch(() => undefined);
    if (answer && answer.status < 500) {
      expect(answer.status).toBe(404);
      this.rolledBack++;
    }
  }
}

/** Jobs and events that have not ended; those that are dead. */
async function left({ postgres, file }: Scene): Promise<readonly number[]> {
  const jobs = (dead: string) => `(select count(*) from lockstep_job where dead_at is ${dead})`;
  const sql = `select ${jobs('null')} + (select count(*) from lockstep_outbox) as waiting, ${jobs('not null')} as dead`;
  if (postgres) return Object.values((await postgres.query(sql))[0] ?? {}).map(Number);
  const database = new DatabaseSync(file!, { readOnly: true, timeout: 5_000 });
  const row = database.prepare(sql).get();
  database.close();
  return Object.values(row ?? {}).map(Number);
}

async function run(place: (typeof places)[number], nemeses: readonly Nemesis[], writes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-handled-'));
  const handledFile = join(folder, 'handled');
  const scene = await place.open({ HANDLED_FILE: handledFile }, 'test/faults/jobs/processes/server.ts');
  const writers = new Writers(scene);
  const times: Record<string, number> = {};
  const handled = (): readonly Handled[] =>
    existsSync(handledFile)
      ? readFileSync(handledFile, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  try {
    let isWritten = false;
    const writing = writers.run(writes).finally(() => {
      isWritten = true;
    });
    const random = new Random(seed);
    for (let i = 0; i < nemeses.length || !isWritten; i++) {
      const { name, act } = nemeses[i % nemeses.length]!;
      await act(scene, random);
      times[name] = (times[name] ?? 0) + 1;
      await delay(random.integer(500, 2_000));
    }
    await writing;
    await expect.poll(() => left(scene), { timeout: QUIET_MS, interval: 500 }).toEqual([0, 0]);
    const log = await scene.triggers.read();
    const { attempts, invalid } = writers.history;
    const faults = {
      invalid,
      writes: writeFaults(log, attempts),
      events: eventFaults(log, handled()),
      counts: countFaults(log),
    };
    expect(faults).toEqual({ invalid: [], writes: [], events: [], counts: [] });
    expect([writers.acknowledged >= writes, writers.rolledBack > 0]).toEqual([true, true]);
  } finally {
    const all = handled();
    const again = all.length - new Set(all.map((one) => JSON.stringify(one))).size;
    const { acknowledged, rolledBack } = writers;
    report(`jobs on ${place.name}, seed ${seed}`, { ...times, acknowledged, rolledBack, handled: all.length, again });
    await scene.close();
    await rm(folder, { recursive: true });
  }
}

const options = { timeout: 1_800_000 };

describe.each(places)('events on $name', (place) => {
  it('are handled, those of a row in their order, while some of it happens once', options, async () => {
    await run(
      place,
      place.nemeses.filter(({ name }) => BRIEF.has(name)),
      BRIEF_WRITES,
    );
  });

  it('of 20,000 writes are handled, those of a row in their order, while all this happens', options, async () => {
    await run(place, [...place.nemeses.filter(({ name }) => !name.includes('Redis')), thawed], WRITES);
  });
});
