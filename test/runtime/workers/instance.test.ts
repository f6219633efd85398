import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/runtime/storage/database/index.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { run } from '../../support/command.ts';
import { eventually } from '../../support/eventually.ts';
import { Instance, SECRET, tokenOf } from '../../support/instance.ts';
import { borrowEmptyDatabase, hasPostgres } from '../../support/postgres.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { admin } from '../../support/storefront.ts';
import { ask, isRunning, subscriber, workersOf } from '../../support/workers.ts';

const token = tokenOf(admin);
const LIMIT = 60;

const product = (sku: string): object => ({
  sku,
  name: 'Blue mug',
  price: 1999,
  currency: 'EUR',
  stock: 10,
  delivery: { kind: 'PHYSICAL', weightGrams: 410 },
});

async function makeProduct(instance: Instance, sku: string): Promise<string> {
  const made = await ask(instance, 'POST', '/v1/products', { token, body: product(sku) });
  expect(made.status).toBe(201);
  const path = `/v1/products/${made.body.id}`;
  await ask(instance, 'PATCH', path, { token, body: { status: 'ACTIVE' } });
  return path;
}

const minute = (): number => Math.floor(Date.now() / 60_000);

describe.runIf(hasPostgres)('an instance of two workers', () => {
  let database: Awaited<ReturnType<typeof borrowEmptyDatabase>>;
  let metricsPort: number;
  let instance: Instance;

  beforeAll(async () => {
    database = await borrowEmptyDatabase();
    metricsPort = await freePort();
    instance = await Instance.start({
      DATABASE_URL: database.url,
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      RATE_LIMIT: String(LIMIT),
    });
  });
  afterAll(async () => {
    const ended = await instance.end('SIGTERM');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    await database.giveBack();
  });

  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counted = async (operationId: string): Promise<number> => {
    const lines = (await metrics()).split('\n');
    const found = lines.filter(
      (line) => line.startsWith('http_server_request_duration_seconds_count') && line.includes(`"${operationId}"`),
    );
    return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  it('has as many processes', () => {
    expect(workersOf(instance)).toHaveLength(2);
  });

  it('adds up what they measure, and says of what is true of each that it is so', async () => {
    const before = await counted('getProduct');
    for (let i = 0; i < 7; i++) await ask(instance, 'GET', '/v1/products/01941f29-7c00-7a10-8c57-000000000001');
    await eventually(async () => expect(await counted('getProduct')).toBe(before + 7));
    const text = await metrics();
    expect(text).toMatch(/^target_info\{.*\} 1$/m);
    expect(text).toMatch(/^process_start_time_seconds \d+$/m);
    expect(text).toMatch(/^db_client_connection_idle 6$/m);
    expect(text).toMatch(/^lockstep_workers 2$/m);
    expect(text).not.toMatch(/lockstep_redis_up/);
    expect(new Set(text.match(/^# TYPE .*$/gm)).size).toBe(text.match(/^# TYPE .*$/gm)?.length);
  });

  it('sends the events of each to the subscribers of all, those of a row in the order of its versions', async () => {
    const path = await makeProduct(instance, 'ORDER-1');
    const subscribers = await Promise.all(
      Array.from({ length: 4 }, () => subscriber(instance, 'productUpdated', 'version', token)),
    );
    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ask(instance, 'PATCH', path, { token, body: { stock: 100 + i } })),
    );
    const versions = writes.filter(({ status }) => status === 200).map(({ body }) => body.version as number);
    const expected = versions.toSorted((a, b) => a - b);
    expect(expected.length).toBeGreaterThan(10);
    await eventually(() => {
      for (const { received } of subscribers) expect(received).toEqual(expected);
    });
    for (const { end } of subscribers) await end();
  });

  it('runs a create once for each key, whichever of them gets it', async () => {
    const agents = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const answer = await fetch(`${instance.base}/products`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': 'once-for-all',
            connection: 'close',
          },
          body: JSON.stringify(product('ONCE-1')),
        });
        return { status: answer.status, body: await answer.text() };
      }),
    );
    const made = agents.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body)).size).toBe(1);
    expect(agents.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  });

  it('counts the requests of a caller together', async () => {
    const before = minute();
    const caller = tokenOf({ ...admin, subject: '01941f29-7c00-7a10-8c57-00000000000a' });
    const answers = [];
    for (let i = 0; i < LIMIT * 2; i++) answers.push(await ask(instance, 'GET', '/v1/products', { token: caller }));
    const admitted = answers.filter(({ status }) => status === 200).length;
    // A limit is for a minute of the clock.
    expect(admitted).toBeLessThanOrEqual(LIMIT * (1 + minute() - before));
    expect(admitted).toBeGreaterThanOrEqual(LIMIT * 0.95);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(LIMIT * 2 - admitted);
    expect(answers[0]?.headers['ratelimit']).toMatch(`r=${LIMIT - 1};`);
  });

  it('replaces a worker that a signal has reached alone, and is ready all the time', async () => {
    const [first = 0, other] = workersOf(instance);
    process.kill(first, 'SIGTERM');
    const answers: number[] = [];
    await eventually(async () => {
      answers.push((await ask(instance, 'GET', '/readyz')).status);
      const workers = workersOf(instance);
      expect(workers).toHaveLength(2);
      expect(workers).not.toContain(first);
      expect(workers).toContain(other);
    });
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(answers.length).toBeGreaterThan(5);
  });
});

describe.runIf(hasPostgres)('an instance that gets a second signal', () => {
  it('ends at once, its workers included', async () => {
    const database = await borrowEmptyDatabase();
    const instance = await Instance.start({ DATABASE_URL: database.url, WORKERS: '2', SHUTDOWN_DELAY_MS: '300000' });
    const workers = workersOf(instance);
    process.kill(instance.pid, 'SIGTERM');
    await eventually(async () => expect((await ask(instance, 'GET', '/readyz')).status).toBe(503));
    expect(await instance.end('SIGTERM')).toMatchObject({ code: 1 });
    await eventually(() => expect(workers.filter(isRunning)).toEqual([]));
    await database.giveBack();
  });
});

describe.runIf(hasPostgres && hasRedis)('an instance of two workers with Redis', () => {
  it('never answers a list that is older than a write that was answered, whoever answers', async () => {
    const database = await borrowEmptyDatabase();
    const instance = await Instance.start({
      DATABASE_URL: database.url,
      WORKERS: '2',
      REDIS_URL,
      REDIS_PREFIX: makePrefix(),
    });
    const path = await makeProduct(instance, 'LIST-1');
    const list = () => ask(instance, 'GET', '/v1/products');
    for (let i = 0; i < 4; i++) await list();
    const shown: number[] = [];
    for (let i = 0; i < 60; i++) {
      const written = await ask(instance, 'PATCH', path, { token, body: { stock: 1_000 + i } });
      const [one, other] = [await list(), await list()];
      for (const { body } of [one, other]) shown.push(body.data[0].version - written.body.version);
    }
    expect(shown).toEqual(shown.map(() => 0));
    // As from a terminal, which sends a signal to all processes.
    for (const worker of workersOf(instance)) process.kill(worker, 'SIGINT');
    const ended = await instance.end('SIGINT');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    // A warning may say that a busy machine was slow; none is about a worker.
    expect(ended?.stdout.split('\n').filter((line) => /"level":(50|60)|worker/.test(line))).toEqual([]);
    await database.giveBack();
  });
});

it.runIf(hasPostgres)('an instance of two workers logs once that jobs are held', async () => {
  const database = await borrowEmptyDatabase();
  const first = await Instance.start({ DATABASE_URL: database.url });
  await first.end('SIGTERM');
  const store = await openStore({ kind: 'postgres', url: database.url }, [], {
    ...{ databaseConnections: 1, statementTimeoutMs: 10_000, sqliteSynchronous: 'full' },
  });
  await store.jobs.hold();
  await store.close();
  const instance = await Instance.start({ DATABASE_URL: database.url, WORKERS: '2' });
  for (let i = 0; i < 5; i++) await ask(instance, 'GET', '/v1/products');
  const ended = await instance.end('SIGTERM');
  expect(ended?.stdout.match(/jobs are held/g)).toHaveLength(1);
  await database.giveBack();
});

describe('a start of several workers', () => {
  const start = (environment: Record<string, string>) =>
    run('src/main.ts', [], { NODE_ENV: 'production', JWT_SECRET: SECRET, MIGRATE_AT_BOOT: 'true', ...environment });

  it('is refused on SQLite', async () => {
    const { code, stderr } = await start({ WORKERS: '2', DATABASE_URL: 'sqlite:/nowhere/at.db' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^WORKERS: SQLite accepts the writes of one process/)]);
  });

  it('is refused by `npm start`', async () => {
    const environment = { WORKERS: '2', DATABASE_URL: 'postgres://nowhere.invalid/shop' };
    const { code, stderr } = await run('scripts/start.ts', [], environment);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^WORKERS: `npm start` and `npm run dev` serve with one/),
    ]);
  });

  it.runIf(hasPostgres)('ends with the one reason why none of them can serve', async () => {
    const database = await borrowEmptyDatabase();
    const instance = await Instance.start({ DATABASE_URL: database.url });
    const { port } = new URL(instance.origin);
    const { code, stderr } = await start({ WORKERS: '2', DATABASE_URL: database.url, PORT: port });
    expect([code, stderr]).toEqual([
      1,
      `Another process already listens on 127.0.0.1:${port}; set PORT to another port.\n`,
    ]);
    await instance.end('SIGTERM');
    await database.giveBack();
  });
});
