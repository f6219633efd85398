import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { replaceFile } from '../../../src/compiler/emit/output-folder.ts';
import { GENERATOR } from '../../../src/compiler/sdl/generated-folder.ts';
import { folderSite } from '../../../src/runtime/site/folder-site.ts';
import { lazySite } from '../../../src/runtime/site/site.ts';
import { buildSite, type SiteFiles } from '../../../src/tools/docs/build-site.ts';
import type { SiteCaller } from '../../../src/tools/docs/rest/rest-page.ts';
import { hasChromium, keepTo, openBrowser } from '../../support/chromium.ts';
import { databases } from '../../support/databases.ts';
import { startCompiled, startService } from '../../support/service.ts';
import { Shop } from '../../support/storefront.ts';
import { oneIn } from '../../support/thorough.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface SiteSettings {
  readonly callers?: readonly SiteCaller[];
  readonly hasGraphiql?: boolean;
  readonly origin?: string;
}

const built = new Map<string, Promise<SiteFiles>>();

/** Each is built once, whatever is asked of it. */
function siteOf(contracts: string, settings: SiteSettings = {}): Promise<SiteFiles> {
  const key = JSON.stringify([contracts, settings]);
  const known = built.get(key) ?? build(contracts, settings);
  built.set(key, known);
  return known;
}

async function build(contracts: string, settings: SiteSettings): Promise<SiteFiles> {
  const { model, parity } = await modelContract(contracts);
  return buildSite({ model: model!, parity, contracts, ...settings });
}

/** Where the links of a page lead, as paths of the site with their fragments; those with a scheme are left out. */
function linksIn(path: string, html: string): readonly string[] {
  const links = [...html.matchAll(/<(?:a|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, href]) => href!);
  const own = links.filter((href) => !/^[a-z]+:/.test(href));
  return own.map((href) => {
    const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site/${path}`);
    return (pathname === '/' ? 'index.html' : pathname.slice(1)) + hash;
  });
}

const pagesOf = (files: SiteFiles): [path: string, html: string][] =>
  [...files].flatMap(([path, html]) =>
    path.endsWith('.html') && path !== 'docs/graphiql.html' ? [[path, String(html)] as [string, string]] : [],
  );

/** Links that lead nowhere, to fragments included; the fragment of GraphiQL is what it opens. */
function brokenLinks(files: SiteFiles): readonly string[] {
  return pagesOf(files).flatMap(([path, html]) =>
    linksIn(path, html)
      .filter((link) => {
        const [to = '', fragment = ''] = link.split('#');
        if (!files.has(to)) return true;
        if (fragment === '' || to === 'docs/graphiql.html') return false;
        const ids = [fragment, decodeURIComponent(fragment)];
        return !ids.some((id) => String(files.get(to)).includes(` id="${id}"`));
      })
      .map((link) => `${path} → ${link}`),
  );
}

describe('the documentation', () => {
  it('has a page for everything, each as Markdown, too, and no link that leads nowhere', async () => {
    const files = await siteOf('contracts');
    for (const name of [
      ...['rest', 'graphql', 'resources', 'access', 'errors', 'limits', 'parity', 'changelog', 'downloads'].flatMap(
        (page) => [`${page}.html`, `${page}.md`],
      ),
      ...['graphiql.html', 'index.html', 'openapi.json', 'openapi-v0.json', 'schema.graphql', 'postman.json'],
      ...['requests.http', 'sdk.tgz'],
    ])
      expect([...files.keys()]).toContain(`docs/${name}`);
    expect([...files.keys()]).toContain('errors/OUT_OF_STOCK.html');
    expect(files.get('index.html')).toContain(GENERATOR);
    expect(brokenLinks(files)).toEqual([]);
    const listed = [...String(files.get('llms.txt')).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(listed.filter((path) => !files.has(path))).toEqual([]);
    expect(files.get('docs/access.md')).toContain('](../errors/FORBIDDEN.md)');
  });

  it.each(['test/fixtures/clinic', 'test/fixtures/depot', 'test/fixtures/foreign/zoo'])(
    'of %s has no link that leads nowhere, either',
    async (contracts) => expect(brokenLinks(await siteOf(contracts))).toEqual([]),
  );

  it('says what the contract says', async () => {
    const files = await siteOf('contracts');
    const text = (path: string) =>
      String(files.get(`docs/${path}.html`))
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ');
    expect(text('access')).toMatch(/Product anyone anyone products:write products:write/);
    expect(text('access')).toMatch(/products:write createProduct , replaceProduct/);
    expect(text('limits')).toContain('Levels of fields 10');
    expect(text('parity')).toContain('facts that REST and GraphQL must agree on');
    expect(text('changelog')).toContain('1.0.0 (v1)');
    expect(text('resources')).toContain('PENDING --&gt; PAID');
    expect(files.get('docs/resources.html')).toContain('Product ||--o{ Review : productId');
    expect(files.get('errors/OUT_OF_STOCK.html')).toMatch(/409[\s\S]*createItem/);
    expect(files.get('index.html')).toContain('/v1/products?limit=2');
  });

  it('shows each operation of both protocols beside the other', async () => {
    const files = await siteOf('contracts');
    expect(files.get('docs/graphql.html')).toContain('rest.html#tag/products/createProduct">REST: createProduct');
    expect(files.get('docs/rest.md')).toContain('[createProduct](graphql.md#createProduct)');
  });

  it('shows the errors of an operation as the server answers them', async () => {
    const script = String((await siteOf('contracts')).get('docs/assets/rest-documents.js'));
    const [current, old] = JSON.parse(script.slice(script.indexOf('['), script.lastIndexOf(']') + 1));
    expect(old.title).toContain('v0');
    const { responses } = current.document.paths['/products'].post;
    const invalid = responses['400'].content['application/problem+json'].examples.VALIDATION_FAILED.value;
    expect(invalid).toMatchObject({
      instance: '/v1/products',
      errors: [{ pointer: '/sku', detail: 'is required' }, {}, {}, {}, {}],
    });
    const denied = responses['403'].content['application/problem+json'].examples.FORBIDDEN.value;
    expect(denied.detail).toContain('products:write');
    expect(Object.keys(responses['409'].content['application/problem+json'].examples)).toContain('ALREADY_EXISTS');
  });

  it('holds no token unless it is given callers', async () => {
    const files = await siteOf('contracts');
    for (const [path, content] of files)
      if (!path.startsWith('docs/assets/')) expect(String(content), path).not.toContain('id="callers"');
    const callers = [{ name: 'admin', token: 'a<b' }];
    const developed = await siteOf('test/fixtures/custom', { callers });
    expect(developed.get('docs/rest.html')).toContain('"token":"a\\u003cb"');
  });

  it('of a contract without GraphQL, releases or resources has no pages for them', async () => {
    const files = await siteOf('test/fixtures/custom');
    const absent = ['graphql', 'graphiql', 'parity', 'changelog'].filter((name) => files.has(`docs/${name}.html`));
    expect(absent).toEqual([]);
    expect(brokenLinks(files)).toEqual([]);
  });

  it('takes nothing that a contract says for markup or code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    try {
      const evil = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert(1)</script>';
      await writeFile(
        join(folder, 'openapi.yaml'),
        `openapi: 3.1.0\ninfo: { title: ${JSON.stringify(evil)}, version: '1', description: ${JSON.stringify(evil)} }\npaths:\n  /a:\n    get:\n      operationId: getA\n      summary: ${JSON.stringify(evil)}\n      responses: { '200': { description: ${JSON.stringify(evil)} } }\n`,
      );
      for (const [path, html] of pagesOf(await siteOf(folder)))
        expect(html, path).not.toMatch(/<img src=x|href="javascript:|<script>alert/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the server of the documentation', () => {
  const files = new Map([
    ['index.html', '<!doctype html>Hello'],
    ['errors/NOT_FOUND.html', '<!doctype html>Gone'],
    ['docs/index.html', 'Docs'],
    ['docs/a.html', 'A'],
    ['404.html', 'Nothing here'],
  ]);

  it('serves pages to browsers, and the words of a code to everybody', async () => {
    const service = await startService('cats', databases[0]!, {}, { site: lazySite(async () => files) });
    const get = (url: string, headers = {}) => service.request('GET', url, { headers });
    const home = await get('/');
    expect([home.status, home.text, home.headers['content-type']]).toEqual([
      200,
      '<!doctype html>Hello',
      'text/html; charset=utf-8',
    ]);
    expect((await get('/', { 'if-none-match': home.headers['etag'] })).status).toBe(304);
    expect((await get('/docs/a.html', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    expect((await get('/errors/NOT_FOUND', { accept: 'text/html' })).text).toBe('<!doctype html>Gone');
    expect((await get('/errors/NOT_FOUND')).headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const path of ['/docs/b.html', '/docs/..%2findex.html', '/errors/x', '/docs/%00', '/x'])
      expect((await get(path)).body.code, path).toBe('NOT_FOUND');
    expect((await service.request('POST', '/')).status).toBe(405);
    await service.close();
  });

  it('sends `/docs` to the documentation, and shows browsers a page where there is nothing', async () => {
    const service = await startService('cats', databases[0]!, {}, { site: lazySite(async () => files) });
    const html = { accept: 'text/html,*/*;q=0.8' };
    const get = (url: string, method = 'GET') => service.request(method, url, { headers: html });
    expect((await get('/docs')).headers['location']).toBe('/docs/');
    expect((await get('/docs/')).text).toBe('Docs');
    for (const path of ['/docs/b.html', '/errors/x', '/nowhere']) {
      const { status, text, headers } = await get(path);
      expect([status, text, headers['content-type']], path).toEqual([404, 'Nothing here', 'text/html; charset=utf-8']);
    }
    expect((await get('/docs/a.html', 'HEAD')).status).toBe(200);
    expect((await get('/nowhere', 'DELETE')).body.code).toBe('NOT_FOUND');
    await service.close();
  });

  it.each([
    [undefined, undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip, deflate, br', 'gzip'],
    ['*', 'gzip'],
  ])('compresses for `Accept-Encoding: %s` as %s', async (accepted, coding) => {
    const service = await startService('cats', databases[0]!, {}, { site: lazySite(async () => files) });
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const reply = await service.request('GET', '/docs/a.html', { headers });
    expect(reply.headers['content-encoding']).toBe(coding);
    if (coding === undefined) expect(reply.text).toBe('A');
    await service.close();
  });

  it('tries again after a failure', async () => {
    let attempts = 0;
    const site = lazySite(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('once');
      return files;
    });
    await expect(site.file('index.html')).rejects.toThrow('once');
    expect((await site.file('index.html'))?.type).toBe('text/html; charset=utf-8');
  });

  it('leaves paths to the contract that has them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    await writeFile(
      join(folder, 'openapi.yaml'),
      `openapi: 3.1.0\ninfo: { title: Root, version: '1' }\npaths:\n  /:\n    get:\n      operationId: getRoot\n      responses: { '200': { description: Yes., content: { application/json: { schema: { type: string } } } } }\n`,
    );
    const operations = { getRoot: async () => ({ status: 200, body: 'mine' }) };
    const { model } = await modelContract(folder);
    const site = lazySite(async () => files);
    const service = await startCompiled(model!, databases[0]!, { operations } as never, { site });
    expect((await service.request('GET', '/')).body).toBe('mine');
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('refuses a folder that holds none', () => {
    expect(() => folderSite('test/tools/docs')).toThrow(/DOCS_DIR: test\/tools\/docs cannot be used/);
  });
});

describe.runIf(hasChromium)('the documentation in Chromium', () => {
  let browser: Browser;
  let shop: Shop;
  let origin = '';
  let folder = '';

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'lockstep-docs-'));
    for (const [path, text] of await siteOf('contracts')) await replaceFile(join(folder, path), text);
    shop = await Shop.open(databases[0]!, { site: folderSite(folder) });
    origin = `http://127.0.0.1:${await shop.listen()}`;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    await rm(folder, { recursive: true });
  });

  interface Look {
    readonly page: Page;
    readonly elsewhere: readonly string[];
    readonly complaints: readonly string[];
  }

  async function look(path: string, options: BrowserContextOptions = {}): Promise<Look> {
    const page = await (await browser.newContext(options)).newPage();
    const elsewhere = await keepTo(page, origin);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    return { page, elsewhere, complaints };
  }

  const PAGES = [
    '/',
    ...['rest', 'graphql', 'resources', 'access', 'errors', 'limits', 'parity', 'changelog', 'downloads'].map(
      (name) => `/docs/${name}.html`,
    ),
    '/errors/OUT_OF_STOCK',
    '/nowhere',
  ];
  const LOOKS = [
    { name: 'a wide light screen', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    { name: 'a wide dark screen', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
    { name: 'a light phone', viewport: { width: 390, height: 800 }, colorScheme: 'light' },
    { name: 'a dark phone', viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
  ] as const;

  /** Faults of accessibility that shut readers out. */
  const seriousFaults = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(AXE);
    return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`);
  };

  it.each(oneIn(4, LOOKS))(
    'asks no other host, has no fault, and is cut off nowhere on $name',
    async ({ viewport, colorScheme }) => {
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const elsewhere = await keepTo(page, origin);
      let complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      for (const path of PAGES) {
        complaints = [];
        await page.goto(`${origin}${path}`);
        if (path === '/docs/rest.html') await page.locator('.scalar-app h1').first().waitFor();
        if (path === '/docs/resources.html') await page.locator('pre.mermaid svg').nth(2).waitFor();
        if (path === '/nowhere') complaints = complaints.filter((text) => !text.includes('404'));
        expect(await page.locator('h1').first().isVisible(), path).toBe(true);
        const cut =
          await page.evaluate(`[document.documentElement, ...document.querySelectorAll('.table, main > * pre:not(.mermaid)')]
        .filter((node) => !node.closest('.scalar-app') && node.scrollWidth > node.clientWidth + 1).length`);
        expect([elsewhere, complaints, cut, await seriousFaults(page)], path).toEqual([[], [], 0, []]);
      }
      await context.close();
    },
  );

  it('draws diagrams, again in the other colours', async () => {
    const { page } = await look('/docs/resources.html', { colorScheme: 'light' });
    await page.locator('pre.mermaid svg').nth(2).waitFor();
    expect(await page.locator('pre.mermaid[data-drawn=light]').count()).toBe(3);
    expect(await page.locator('pre.mermaid').first().textContent()).toContain('OrderItem');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await page.locator('pre.mermaid[data-drawn=dark]').nth(2).waitFor();
    await page.context().close();
  });

  it('is light or dark as the system is, or as was chosen, on every page', async () => {
    const { page } = await look('/', { colorScheme: 'dark' });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(19, 23, 25)');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await background()).toBe('rgb(253, 252, 250)');
    await page.goto(`${origin}/docs/errors.html`);
    expect(await background()).toBe('rgb(253, 252, 250)');
    await page.context().close();
  });

  it('is reached by keyboard', async () => {
    const { page } = await look('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    const { page: tables } = await look('/docs/access.html');
    const reached = await tables.evaluate(
      `[...document.querySelectorAll('a[href], button, [tabindex="0"]')].filter((node) => node.offsetParent !== null).every((node) => { node.focus(); return document.activeElement === node; })`,
    );
    expect(reached).toBe(true);
    await page.context().close();
    await tables.context().close();
  });

  it('finds operations, fields and errors', async () => {
    const { page, elsewhere } = await look('/docs/access.html');
    await page.keyboard.press('/');
    const box = page.getByRole('searchbox', { name: 'Search the documentation' });
    for (const [text, path] of [
      ['create prod', 'docs/rest.html#tag/products/createProduct'],
      ['OUT_OF_STOCK', 'errors/OUT_OF_STOCK.html'],
      ['orderUpdated', 'docs/graphql.html#orderUpdated'],
    ]) {
      await box.fill(text!);
      await page.locator(`dialog.search a[href*="${path}"]`).first().waitFor();
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/graphql.html#orderUpdated');
    expect(elsewhere).toEqual([]);
    await page.context().close();
  });

  it('filters the facts of both protocols', async () => {
    const { page } = await look('/docs/parity.html');
    await page.getByLabel('Contains').fill('users(first:)');
    expect(await page.locator('#facts tbody tr:visible').count()).toBe(1);
    await page.getByLabel('Contains').fill('');
    await page.getByLabel('Only differences').check();
    expect(await page.locator('#facts tbody tr:visible').count()).toBe(0);
    await page.context().close();
  });

  it('opens an operation in GraphiQL, ready to run', async () => {
    await shop.product({ name: 'Green mug' });
    const { page } = await look('/docs/graphql.html');
    await page.locator('section.operation:has(#products)').getByRole('link', { name: 'Open in GraphiQL' }).click();
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.graphiql-response', { hasText: 'Green mug' }).waitFor();
    await page.context().close();
  });

  it('tries GraphQL, from a folder, too', async () => {
    await shop.product({ name: 'Blue mug' });
    const { page } = await look('/docs/graphiql.html');
    await page.locator('.graphiql-execute-button').waitFor();
    await page.locator('.graphiql-query-editor').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('{ products { nodes { name } } }');
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.graphiql-response', { hasText: 'Blue mug' }).waitFor();
    await page.context().close();
  });
});
