import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { hasChromium, keepTo, openBrowser } from '../../support/chromium.ts';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, Shop } from '../../support/storefront.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sdk = join(root, 'generated', 'sdk');
const NAME = 'lockstep-storefront-client';

interface Bundle {
  readonly code: string;
  /** Files of the package that any of it is of. */
  readonly files: readonly string[];
}

/** A module as a bundler makes it of an entry: what it takes of the package, and of what that depends on. */
async function bundled(entry: string): Promise<Bundle> {
  const id = join(root, 'test', 'entry.js');
  const bundle = await rolldown({
    input: id,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (source) => (source === id ? id : null),
        load: (path) => (path === id ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const { code, modules } = output[0];
  const used = Object.entries(modules).filter(
    ([path, { renderedLength }]) => path.startsWith(sdk) && renderedLength > 0,
  );
  return { code, files: used.map(([path]) => path.slice(sdk.length + 1)).sort() };
}

describe('the package', () => {
  it('holds what it needs, and nothing else', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: sdk });
    const packed = JSON.parse(stdout);
    const { files, version, name } = (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]) as {
      files: { path: string }[];
      version: string;
      name: string;
    };
    const paths = files.map(({ path }) => path);
    expect([name, version]).toEqual([NAME, '1.0.0']);
    expect(paths).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'index.js', 'index.d.ts', 'graphql.js', 'documents.d.ts']),
    );
    expect(paths.filter((path) => !/\.(?:js|d\.ts)$|^README\.md$|^LICENSE$|^package\.json$/.test(path))).toEqual([]);
  });

  it('has types that hold, and hold its users', async () => {
    const folder = await mkdtemp(join(root, 'test', '.types-'));
    try {
      await mkdir(join(folder, 'node_modules'));
      await symlink(sdk, join(folder, 'node_modules', NAME));
      const source = `
import { createClient, products, orders, OutOfStockError, isErrorCode, type Product } from '${NAME}';
import * as api from '${NAME}/bound';
import { graphql, productsQuery, productQuery, subscribe, orderCreatedSubscription } from '${NAME}/graphql';
const client = createClient({ baseUrl: 'https://example.com/v1' });
export async function right() {
  for await (const { price, status } of products.list(client, { status: ['ACTIVE'], sort: ['-price'], price: { gte: 1 } })) ((p: number, s: 'DRAFT' | 'ACTIVE' | 'ARCHIVED') => [p, s])(price, status);
  const product: Product = await products.get(client, 'x');
  await orders.items.create(client, { orderId: 'x' }, { productId: product.id, quantity: 1 });
  const { data } = await client.rest.GET('/products/{productId}', { params: { path: { productId: 'x' } } });
  ((name: string | undefined) => name)(data?.name);
  const answer = await graphql(client, productsQuery, { first: 1 });
  await graphql(client, productsQuery);
  ((sku: string) => sku)(answer.products.nodes[0]!.sku);
  for await (const { orderCreated } of subscribe(client, orderCreatedSubscription)) ((id: string) => id)(orderCreated.id);
  const bound: api.Client = api.createClient({ baseUrl: 'https://example.com/v1' });
  for await (const { price } of bound.products.list({ sort: ['-price'] })) ((p: number) => p)(price);
  const item: api.OrderItem = await bound.orders.items.create({ orderId: 'x' }, { productId: product.id, quantity: 1 });
  ((average: number | null) => average)((await bound.getRatingSummary({ path: { productId: item.productId } })).average);
  await graphql(bound, productsQuery);
  try { await products.delete(client, product); } catch (error) {
    if (error instanceof OutOfStockError) ((code: 'OUT_OF_STOCK') => code)(error.code);
    if (isErrorCode(error, 'NOT_FOUND')) ((code: 'NOT_FOUND') => code)(error.code);
  }
}
export async function wrong() {
  // @ts-expect-error no such filter
  products.list(client, { colour: 'red' });
  // @ts-expect-error the cursor is the client's
  products.list(client, { cursor: 'x' });
  // @ts-expect-error no such value
  await products.update(client, 'x', { status: 'GONE' });
  // @ts-expect-error a missing property
  await orders.items.create(client, { orderId: 'x' }, { quantity: 1 });
  // @ts-expect-error an item is found by its order, too
  await orders.items.get(client, 'x');
  // @ts-expect-error no parent
  await orders.items.create(client, { productId: 'x', quantity: 1 });
  const bound = api.createClient();
  // @ts-expect-error the client is there already
  bound.products.list(bound);
  // @ts-expect-error no such filter
  bound.products.list({ colour: 'red' });
  // @ts-expect-error no parent
  await bound.orders.items.create({ productId: 'x', quantity: 1 });
  // @ts-expect-error an item is found by its order, too
  await bound.orders.items.get('x');
  // @ts-expect-error a missing variable
  await graphql(client, productQuery);
  // @ts-expect-error no such code
  isErrorCode(undefined, 'NO_CODE');
}
`;
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      await writeFile(join(folder, 'user.ts'), source);
      const program = ts.createProgram([join(folder, 'user.ts')], {
        strict: true,
        noEmit: true,
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
        types: [],
        preserveSymlinks: false,
      });
      const own = ts
        .getPreEmitDiagnostics(program)
        .filter(({ file }) => !file || !/node_modules\/(?!lockstep)/.test(file.fileName));
      expect(
        own.map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
      ).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('brings into a bundle only what is used', async () => {
    const { code: one, files } = await bundled(
      `import { createClient, users } from '${sdk}/index.js'; console.log(users.get(createClient(), 'x'));`,
    );
    expect(one).toContain('/users');
    expect(one).not.toMatch(/rating-summary|\/orders|graphql-transport-ws|mutation/);
    expect(files.filter((path) => /bound|tanstack|graphql/.test(path))).toEqual([]);
    const { code: two } = await bundled(
      `import { graphql, productQuery } from '${sdk}/graphql.js'; console.log(graphql, productQuery);`,
    );
    expect(two).toContain('query Product(');
    expect(two).not.toMatch(/query Orders|graphql-transport-ws|"\/users/);
    const { files: three } = await bundled(
      `import { createClient, users } from '${sdk}/index.js'; import { getOptions } from '${sdk}/tanstack.js'; console.log(getOptions(createClient(), users, 'x'));`,
    );
    expect(three.filter((path) => /bound|tanstack|graphql|subscribe/.test(path))).toEqual([
      'runtime/tanstack-cache.js',
      'runtime/tanstack.js',
    ]);
  });

  it('of a contract without GraphQL has none, and other names where they are taken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const out = await mkdtemp(join(root, 'test', '.types-'));
    try {
      const path = (id: string, at: string, more = '') =>
        `  ${at}:\n    get:\n      operationId: ${id}\n${more}      responses: { '200': { description: Yes., content: { text/plain: { schema: { type: string } } } } }\n`;
      const styled =
        '      parameters:\n        - { name: tags, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }\n        - { name: ids, in: query, schema: { type: array, items: { type: string } } }\n';
      await writeFile(
        join(folder, 'openapi.yaml'),
        `openapi: 3.1.0\ninfo: { title: Été API, version: '3', x-package: '@acme/other' }\nservers: [{ url: /v3 }]\npaths:\n${path('createClient', '/a', styled)}${path('delete', '/b')}`,
      );
      const { files, findings } = await compileContract(folder);
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(
        [...files!.keys()].filter((name) => name.startsWith('sdk/') && /graphql|subscribe|documents/.test(name)),
      ).toEqual([]);
      const { name, version, dependencies } = JSON.parse(files!.get('sdk/package.json')!);
      expect([name, version, Object.keys(dependencies)]).toEqual(['@acme/other', '3.0.0', ['openapi-fetch']]);
      await mkdir(join(out, 'sdk', 'runtime'), { recursive: true });
      for (const [path, text] of files!) if (path.startsWith('sdk/')) await writeFile(join(out, path), text);
      const other = await import(join(out, 'sdk', 'index.js'));
      const urls: string[] = [];
      const fetch = async (request: Request) => {
        urls.push(request.url);
        return new Response('plain');
      };
      const client = other.createClient({ baseUrl: 'http://h/v3', fetch });
      expect(await other.deleteOperation(client)).toBe('plain');
      expect(await other.createClientOperation(client, { query: { tags: ['a', 'b'], ids: ['c', 'd'] } })).toBe('plain');
      expect(urls).toEqual(['http://h/v3/b', 'http://h/v3/a?tags=a|b&ids=c&ids=d']);
    } finally {
      await rm(folder, { recursive: true });
      await rm(out, { recursive: true });
    }
  });
});

/** What a page does with the package. */
const PAGE = `
import { createClient, NotFoundError, productCreatedSubscription, products, subscribe } from '/sdk.js';

export async function run(token, baseUrl) {
  const client = createClient({ token, ...(baseUrl && { baseUrl }) });
  const delivery = { kind: 'PHYSICAL', weightGrams: 1 };
  let made = 0;
  const create = () => {
    made += 1;
    return products.create(client, { sku: 'WEB-' + made, name: 'Mug', price: 1, currency: 'EUR', delivery });
  };
  const events = subscribe(client, productCreatedSubscription);
  const first = events.next();
  let isSeen = false;
  first.finally(() => { isSeen = true; });
  while (!isSeen) await create();
  const changed = await products.update(client, await create(), { price: 2 });
  const failure = await products.get(client, '01941f29-7c00-7a10-8c57-00000000ffff').catch((error) => error);
  let count = 0;
  for await (const product of products.list(client, { limit: 1 })) count += 1;
  await events.return();
  const event = (await first).value.productCreated.name;
  return { event, price: changed.price, isTyped: failure instanceof NotFoundError, all: count === made };
}
`;

/** What the other origin serves; the empty text stands for the package. */
const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/sdk.js': ['text/javascript', ''],
  '/page.js': ['text/javascript', PAGE],
};

describe.runIf(hasChromium)('the package in Chromium', () => {
  let shop: Shop;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    ({ code: script } = await bundled(`export * from '${sdk}/index.js'; export * from '${sdk}/graphql.js';`));
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  let script: string;

  it('on a page of another origin does the same, if that is allowed', async () => {
    const pages = createServer((request, response) => {
      const [type, text] = FILES[request.url!] ?? ['text/html', '<!doctype html><title>Elsewhere</title>'];
      response.setHeader('content-type', type).end(text === '' ? script : text);
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    const at = `http://localhost:${(pages.address() as AddressInfo).port}`;
    const token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    const run = async (corsOrigins: readonly string[], code: string): Promise<unknown> => {
      const other = await Shop.open(databases[0]!, { corsOrigins });
      const api = `http://127.0.0.1:${await other.listen()}`;
      const page = await browser.newPage();
      await page.goto(`${at}/page`);
      return page.evaluate(code.replaceAll('API', api)).finally(() => other.close());
    };
    try {
      const runs = `import('/page.js').then(({ run }) => run(${JSON.stringify(token)}, 'API/v1'))`;
      expect(await run([at], runs)).toEqual({ event: 'Mug', price: 2, isTyped: true, all: true });
      expect(await run(['http://localhost:1'], `${runs}.catch((error) => error.name)`)).not.toHaveProperty('price');
      const socket = `new Promise((resolve) => {
        const socket = new WebSocket('API/graphql'.replace('http', 'ws'), 'graphql-transport-ws');
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      })`;
      expect(await run([at], socket)).toBe('open');
      expect(await run(['http://localhost:1'], socket)).toBe('refused');
    } finally {
      pages.close();
    }
  });

  it('does what it does in Node', async () => {
    shop = await Shop.open(databases[0]!, {
      prepareApp: (app) => {
        app.get('/sdk.js', (_request, reply) => reply.type('text/javascript').send(script));
        app.get('/page.js', (_request, reply) => reply.type('text/javascript').send(PAGE));
        app.get('/page', (_request, reply) => reply.type('text/html').send('<!doctype html><title>SDK</title>'));
      },
    });
    const origin = `http://127.0.0.1:${await shop.listen()}`;
    const page = await browser.newPage();
    const elsewhere = await keepTo(page, origin);
    await page.goto(`${origin}/page`);
    const token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    const seen = await page.evaluate(`import('/page.js').then(({ run }) => run(${JSON.stringify(token)}))`);
    expect(seen).toEqual({ event: 'Mug', price: 2, isTyped: true, all: true });
    expect(elsewhere).toEqual([]);
  });
});
