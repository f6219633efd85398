import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/tools/free-port.ts';
import { Command, listeningAt, run } from '../../support/command.ts';
import { eventually } from '../../support/eventually.ts';
import { SECRET, tokenOf } from '../../support/instance.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { admin } from '../../support/storefront.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../../runtime/processes/count-loads.ts')).href;

/** Prints the modules of Node that a process has loaded, when it ends. */
const LIST_MODULES = "process.on('exit', () => console.log(process.moduleLoadList.join('\\n')));";

/** Says when a process has much less room for new objects than it has had. */
const WATCH_ROOM = `import { getHeapSpaceStatistics } from 'node:v8';
const room = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').physical_space_size / 2 ** 20;
let most = 0;
setInterval(() => {
  most = Math.max(most, room());
  if (most > 9 && room() < 6) console.log('settled');
}, 20).unref();`;

describe('npm run image', () => {
  let folder: string;
  let image: string;
  let origin: string;
  let server: Command;
  let atStart: readonly string[];
  const loads = async () => (await readFile(join(folder, 'loads'), 'utf8')).split('\n');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    image = join(folder, 'app');
    const { code, stderr } = await run('scripts/image.ts', ['--out', join(folder, 'made')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // It runs wherever it is copied to, and next to nothing of this repository.
    await rename(join(folder, 'made'), image);
    await mkdir(join(folder, 'docs'));
    await writeFile(join(folder, 'docs/index.html'), '<!doctype html><title>Shop</title>');
    const environment = {
      NODE_ENV: 'production',
      PORT: '0',
      JWT_SECRET: SECRET,
      DATA_DIR: join(folder, 'data'),
      DOCS_DIR: join(folder, 'docs'),
      SHUTDOWN_DELAY_MS: '0',
    };
    await mkdir(join(folder, 'data'));
    const migrated = await new Command(join(image, 'migrate.js'), [], environment, folder).finished;
    expect(migrated.code, migrated.stderr).toBe(0);
    const counted = { ...environment, NODE_OPTIONS: `--import=${PRELOAD}`, LOADS_FILE: join(folder, 'loads') };
    server = new Command(join(image, 'main.js'), [], counted, folder);
    origin = await listeningAt(server);
    await eventually(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200));
    atStart = await loads();
  });
  afterAll(async () => {
    expect((await server.stop()).code).toBe(0);
    await rm(folder, { recursive: true });
  });

  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${tokenOf(admin)}`, 'content-type': 'application/json' };
    const answer = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  };

  it('serves REST, GraphQL and the documentation, with nothing from outside of it', async () => {
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const product = { sku: 'RUN-1', name: 'Running shoes', price: 1999, currency: 'EUR', delivery };
    const made = await send('POST', '/v1/products', product);
    expect(made.status, made.text).toBe(201);
    expect((await send('POST', '/v1/products', { ...product, price: '1' })).body.errors).toEqual([
      { pointer: '/price', detail: 'must be an integer' },
    ]);
    expect((await send('GET', `/v1/products/${made.body.id}`)).body.name).toBe(product.name);
    expect((await send('GET', '/v1/products?name[contains]=unn&count=true')).status).toBe(200);
    expect((await send('GET', `/v0/products/${made.body.id}`)).status).toBe(200);
    const query = '{ products(first: 1) { nodes { name } } }';
    expect((await send('POST', '/graphql', { query })).body.data.products.nodes).toEqual([{ name: product.name }]);
    expect((await send('GET', '/')).text).toContain('<title>Shop</title>');
    const lines = await loads();
    const isOwn = (line: string): boolean => line.startsWith(pathToFileURL(image).href) || !line.startsWith('file:');
    expect(lines.filter((line) => !isOwn(line))).toEqual([]);
    const later = lines.slice(atStart.length - 1);
    const isOld = (line: string): boolean => /\/validators-\d+-input-first\.js$/.test(line);
    expect(later.filter((line) => (line.startsWith('file:') && !isOld(line)) || line === 'new validator')).toEqual([]);
    // Those of an old version are loaded when it is first asked.
    expect([atStart, later].map((some) => some.some(isOld))).toEqual([false, true]);
  });

  it('consists of code in ASCII, with maps, and leaves out the routes of Mercurius', async () => {
    const names = await readdir(join(image, 'src'));
    const read = (name: string) => readFile(join(image, 'src', name), 'utf8');
    const code = await Promise.all(names.filter((name) => name.endsWith('.js')).map(read));
    const maps = await Promise.all(names.filter((name) => name.endsWith('.map')).map(read));
    expect(code.filter((text) => /[^\0-\x7f]/.test(text))).toEqual([]);
    // Minified, its classes and functions have the names of the sources, which stack traces show.
    for (const name of ['new RowChanged(', 'function insertRow('])
      expect(
        code.some((text) => text.includes(name)),
        name,
      ).toBe(true);
    const sources = maps.flatMap((text) => (JSON.parse(text) as { sources: string[] }).sources);
    const ofMercurius = sources.filter((source) => source.includes('/mercurius/'));
    expect(ofMercurius.some((source) => source.endsWith('/mercurius/index.js'))).toBe(true);
    const ofRoutes = /\/mercurius\/lib\/(routes|subscription)\.js$|\/@fastify\/static\//;
    expect(sources.filter((source) => ofRoutes.test(source))).toEqual([]);
  });

  it('is few files for a start, and only a server loads those of a server', async () => {
    const ofCode = pathToFileURL(join(image, 'src/')).href;
    expect(new Set(atStart.filter((line) => line.startsWith(ofCode))).size).toBeLessThan(30);
    const names = await readdir(join(image, 'src'));
    const read = (name: string) => readFile(join(image, 'src', name), 'utf8');
    const fileOf = async (source: string): Promise<string> => {
      for (const map of names.filter((name) => name.endsWith('.map')))
        if ((JSON.parse(await read(map)) as { sources: string[] }).sources.some((one) => one.endsWith(source)))
          return map.replace(/\.map$/, '');
      throw new Error(`no file has ${source}`);
    };
    const imported = new Set<string>();
    const follow = async (name: string): Promise<void> => {
      if (imported.has(name)) return;
      imported.add(name);
      for (const [, file] of (await read(name)).matchAll(/(?:from|import)["'`]\.\/([^"'`]+)["'`]/g))
        await follow(file!);
    };
    const primary = await fileOf('/src/runtime/start-workers.ts');
    for (const name of ['main.js', 'migrate.js', 'slow-reader.js', primary]) await follow(name);
    expect(imported.size).toBeGreaterThan(4);
    expect(imported).not.toContain(await fileOf('/src/runtime/server.ts'));
  });

  it('takes the time of zones from Temporal, not from the formats of languages', async () => {
    const names = (await readdir(join(image, 'src'))).filter((name) => /^boot.*\.js$/.test(name));
    const code = await Promise.all(names.map((name) => readFile(join(image, 'src', name), 'utf8')));
    expect(code.filter((text) => text.includes('Intl.DateTimeFormat'))).toEqual([]);
  });

  const startWith = (preload: string): Command => {
    const environment = {
      NODE_ENV: 'production',
      PORT: '0',
      JWT_SECRET: SECRET,
      DATA_DIR: join(folder, 'data'),
      SHUTDOWN_DELAY_MS: '0',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    };
    return new Command(join(image, 'main.js'), [], environment, folder);
  };

  it('gives back the room for new objects that its start has filled', async () => {
    const served = startWith(WATCH_ROOM);
    await served.output(/settled/);
    await served.stop();
  });

  it('does not load the client of HTTP that Node has', async () => {
    const served = startWith(LIST_MODULES);
    await listeningAt(served);
    const { stdout } = await served.stop();
    expect(stdout).toContain('NativeModule http');
    expect(stdout).not.toContain('undici');
  });

  it.runIf(hasPostgres && hasRedis)(
    'has what its settings ask for: Postgres, Redis, metrics, traces, GraphiQL',
    async () => {
      const url = await makeDatabase();
      const metrics = await freePort();
      const environment = {
        NODE_ENV: 'production',
        PORT: '0',
        METRICS_PORT: String(metrics),
        JWT_SECRET: SECRET,
        DATABASE_URL: url,
        REDIS_URL,
        REDIS_PREFIX: makePrefix(),
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        GRAPHIQL: 'true',
        MIGRATE_AT_BOOT: 'true',
        SHUTDOWN_DELAY_MS: '0',
      };
      const served = new Command(join(image, 'main.js'), [], environment, folder);
      const at = await listeningAt(served);
      const textOf = async (url: string) => (await fetch(url)).text();
      await eventually(async () => expect(await textOf(`${at}/readyz`)).toContain('ok'));
      expect(JSON.parse(await textOf(`${at}/v1/products`)).data).toEqual([]);
      expect(await textOf(`${at}/graphiql`)).toContain('YogaGraphiQL');
      expect(await textOf(`http://127.0.0.1:${metrics}/metrics`)).toMatch(
        /db_client_operation_duration_seconds_count\{.*postgresql/,
      );
      const { code, stdout } = await served.stop();
      expect({ code, isJoined: !/[Rr]edis/.test(stdout) }).toEqual({ code: 0, isJoined: true });
    },
  );

  it.runIf(hasPostgres)('serves with several workers, and drains when it is told to end', async () => {
    const url = await makeDatabase();
    const environment = {
      NODE_ENV: 'production',
      PORT: '0',
      WORKERS: '2',
      JWT_SECRET: SECRET,
      DATABASE_URL: url,
      MIGRATE_AT_BOOT: 'true',
      SHUTDOWN_DELAY_MS: '0',
    };
    const served = new Command(join(image, 'main.js'), [], environment, folder);
    const at = await listeningAt(served);
    const answer = async (path: string) => (await fetch(`${at}${path}`)).text();
    await eventually(async () => expect(await answer('/readyz')).toContain('ok'));
    expect(JSON.parse(await answer('/v1/products')).data).toEqual([]);
    const { code, stderr } = await served.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('has the stemmers that searches load by name', () => {
    const { stemmer } = createRequire(join(image, 'src/main.js'))('@orama/stemmers/english');
    expect(stemmer('shoes')).toBe('shoe');
  });

  it('has its validators compiled, and its code in a cache', async () => {
    expect((await readdir(join(image, 'cache'))).length).toBe(1);
    const names = await readdir(join(image, 'src'));
    expect(names).toEqual(expect.arrayContaining(['main.js', 'main.js.map', 'migrate.js', 'slow-reader.js']));
    expect(atStart).not.toContain('new validator');
  });
});
