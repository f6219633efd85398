import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { replaceFile } from '../../../src/compiler/emit/output-folder.ts';
import { GENERATOR } from '../../../src/compiler/sdl/generated-folder.ts';
import { folderSite } from '../../../src/runtime/site/folder-site.ts';
import { lazySite } from '../../../src/runtime/site/site.ts';
import { buildSite } from '../../../src/tools/docs/build-site.ts';
import { hasChromium, keepTo, openBrowser } from '../../support/chromium.ts';
import { databases } from '../../support/databases.ts';
import { startCompiled, startService } from '../../support/service.ts';
import { Shop } from '../../support/storefront.ts';

interface SiteSettings {
  readonly hasGraphiql?: boolean;
  readonly origin?: string;
}

type Site = ReadonlyMap<string, string>;

const built = new Map<string, Promise<Site>>();

/** Each is built once, whatever is asked of it. */
function siteOf(contracts: string, settings: SiteSettings = {}): Promise<Site> {
  const key = JSON.stringify([contracts, settings]);
  const known = built.get(key) ?? build(contracts, settings);
  built.set(key, known);
  return known;
}

async function build(contracts: string, settings: SiteSettings): Promise<Site> {
  const { model, parity } = await modelContract(contracts);
  return buildSite({ model: model!, parity, contracts, ...settings });
}

/** Where the links of a page lead, as paths of the site; those with a scheme or a hash alone are left out. */
function linksIn(path: string, html: string): readonly string[] {
  const links = [...html.matchAll(/<(?:a|link|script)\b[^>]*?\s(?:href|src)="([^"#]+)[^"]*"/g)].map(
    ([, href]) => href!,
  );
  const own = links.filter((href) => !/^(?:[a-z]+:|\/)/.test(href));
  return own.map((href) => new URL(href, `http://site/${path}`).pathname.slice(1));
}

describe('the documentation', () => {
  it('has a page for everything, and no link that leads nowhere', async () => {
    const files = await siteOf('contracts');
    for (const name of [
      'rest',
      'graphql',
      'graphiql',
      'resources',
      'access',
      'errors',
      'limits',
      'parity',
      'changelog',
    ])
      expect([...files.keys()]).toContain(`docs/${name}.html`);
    expect([...files.keys()]).toContain('errors/OUT_OF_STOCK.html');
    expect(files.get('index.html')).toContain(GENERATOR);
    const broken = [...files]
      .filter(([path]) => path.endsWith('.html') && path !== 'docs/graphiql.html')
      .flatMap(([path, html]) => linksIn(path, html).map((to) => `${path} → ${to}`))
      .filter((link) => !files.has(link.split(' → ')[1]!));
    expect(broken).toEqual([]);
  });

  it('says what the contract says', async () => {
    const files = await siteOf('contracts');
    const text = (path: string) =>
      files
        .get(`docs/${path}.html`)!
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ');
    expect(text('access')).toMatch(/createProduct POST \/products ✓/);
    expect(text('limits')).toContain('Levels of fields 10');
    expect(text('parity')).toContain('facts that REST and GraphQL must agree on');
    expect(text('changelog')).toContain('1.0.0 (v1)');
    expect(text('resources')).toContain('PENDING --&gt; PAID');
    expect(files.get('docs/resources.html')).toContain('Product ||--o{ Review : productId');
    expect(files.get('errors/OUT_OF_STOCK.html')).toMatch(/409[\s\S]*createItem/);
    expect(files.get('index.html')).toContain('/v1/products?limit=2');
  });

  it('of a contract without GraphQL, releases or resources has no pages for them', async () => {
    const files = await siteOf('test/fixtures/custom');
    const absent = ['graphql', 'graphiql', 'parity', 'changelog'].filter((name) => files.has(`docs/${name}.html`));
    expect(absent).toEqual([]);
    const { length } = linksIn('index.html', files.get('index.html')!).filter((to) => !files.has(to));
    expect(length).toBe(0);
  });

  it('takes nothing that a contract says for markup or code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    try {
      const evil = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert(1)</script>';
      await writeFile(
        join(folder, 'openapi.yaml'),
        `openapi: 3.1.0\ninfo: { title: ${JSON.stringify(evil)}, version: '1', description: ${JSON.stringify(evil)} }\npaths:\n  /a:\n    get:\n      operationId: getA\n      summary: ${JSON.stringify(evil)}\n      responses: { '200': { description: ${JSON.stringify(evil)} } }\n`,
      );
      for (const [path, html] of await siteOf(folder)) {
        if (!path.endsWith('.html') || path === 'docs/rest.html') continue;
        expect(html, path).not.toMatch(/<img src=x|href="javascript:|<script>alert/);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the server of the documentation', () => {
  const files = new Map([
    ['index.html', '<!doctype html>Hello'],
    ['errors/NOT_FOUND.html', '<!doctype html>Gone'],
    ['docs/a.html', 'A'],
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
    for (const path of ['/docs/b.html', '/docs/', '/docs/..%2findex.html', '/errors/x', '/docs/%00'])
      expect((await get(path)).body.code, path).toBe('NOT_FOUND');
    expect((await service.request('POST', '/')).status).toBe(405);
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
    ...['rest', 'graphql', 'resources', 'access', 'errors', 'limits', 'parity', 'changelog'].map(
      (name) => `/docs/${name}.html`,
    ),
    '/errors/OUT_OF_STOCK',
  ];

  it.each(PAGES)('%s asks no other host, has no fault, and fits a phone', async (path) => {
    const { page, elsewhere, complaints } = await look(path, {
      viewport: { width: 390, height: 800 },
      extraHTTPHeaders: { accept: 'text/html' },
    });
    expect(await page.locator('h1').first().isVisible()).toBe(true);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect([elsewhere, complaints, overflow]).toEqual([[], [], 0]);
    await page.context().close();
  });

  it('draws diagrams, again in the other colours', async () => {
    const { page } = await look('/docs/resources.html', { colorScheme: 'light' });
    await page.locator('pre.mermaid svg').nth(2).waitFor();
    expect(await page.locator('pre.mermaid[data-drawn=neutral]').count()).toBe(3);
    expect(await page.locator('pre.mermaid').first().textContent()).toContain('OrderItem');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await page.locator('pre.mermaid[data-drawn=dark]').nth(2).waitFor();
    await page.context().close();
  });

  it('is light or dark as the system is, or as was chosen, on every page', async () => {
    const { page } = await look('/', { colorScheme: 'dark' });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(34, 36, 43)');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.goto(`${origin}/docs/errors.html`);
    expect(await background()).toBe('rgb(255, 255, 255)');
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
      `[...document.querySelectorAll('a[href], button, [tabindex="0"]')].every((node) => { node.focus(); return document.activeElement === node; })`,
    );
    expect(reached).toBe(true);
    await page.context().close();
    await tables.context().close();
  });

  it('shows operations, fields and types', async () => {
    const { page, complaints } = await look('/docs/rest.html');
    await page.getByRole('link', { name: 'Products', exact: true }).first().click();
    await page.getByText('Create a product').first().waitFor();
    const { page: graphql } = await look('/docs/graphql.html');
    await graphql.getByText('Mutations').first().click();
    await graphql.getByText('createProduct').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
    await graphql.context().close();
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
