import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceFile } from '../../../src/compiler/emit/folder/output-folder.ts';
import { folderSite } from '../../../src/runtime/site/folder-site.ts';
import { contentAt } from '../../../src/runtime/site/site.ts';
import { hasChromium, keepTo, openBrowser } from '../../support/chromium.ts';
import { databases } from '../../support/databases.ts';
import { Shop } from '../../support/storefront.ts';
import { oneIn } from '../../support/thorough.ts';
import { enlargedSite } from './support/enlarged.ts';
import { siteOf } from './support/site-of.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
    ...[
      'rest',
      'graphql',
      'console',
      'resources',
      'access',
      'errors',
      'limits',
      'parity',
      'changelog',
      'downloads',
    ].map((name) => `/docs/${name}.html`),
    ...['guides', 'guides/paging', 'guides/subscriptions', 'operations/createProduct', 'operations/orderUpdated'].map(
      (name) => `/docs/${name}.html`,
    ),
    ...['resources/Order', 'types/Order', 'types/ProductSort'].map((name) => `/docs/${name}.html`),
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
        if (path === '/docs/console.html') await page.locator('.scalar-app h1').first().waitFor();
        if (path === '/nowhere') complaints = complaints.filter((text) => !text.includes('404'));
        expect(await page.locator('h1').first().isVisible(), path).toBe(true);
        const cut =
          await page.evaluate(`[document.documentElement, ...document.querySelectorAll('.table, main > * pre')]
        .filter((node) => !node.closest('.scalar-app') && node.scrollWidth > node.clientWidth + 1).length`);
        expect([elsewhere, complaints, cut, await seriousFaults(page)], path).toEqual([[], [], 0, []]);
      }
      await context.close();
    },
  );

  it('keeps pages from nothing that they need', async () => {
    for (const path of oneIn(4, PAGES)) {
      const { page, complaints } = await look(path);
      if (path === '/docs/console.html') await page.locator('.scalar-app h1').first().waitFor();
      expect(
        complaints.filter((text) => !(path === '/nowhere' && text.includes('404'))),
        path,
      ).toEqual([]);
      await page.context().close();
    }
  });

  it.each(['/docs/errors.html', '/docs/console.html'])('keeps %s from what is not its own', async (path) => {
    const { page } = await look(path);
    const tried = await page.evaluate(`new Promise((resolve) => {
      const violated = new Set();
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        violated.add(effectiveDirective);
        if (violated.size === 4) resolve([globalThis.foreign, [...violated].sort()]);
      });
      const add = (name, members) => document.body.append(Object.assign(document.createElement(name), members));
      add('script', { textContent: 'globalThis.foreign = true' });
      add('iframe', { src: '/docs/errors.html' });
      add('base', { href: 'http://127.0.0.1:1/' });
      fetch('http://127.0.0.1:1/', { mode: 'no-cors' }).catch(() => {});
    })`);
    expect(tried).toEqual([undefined, ['base-uri', 'connect-src', 'frame-src', 'script-src-elem']]);
    await page.context().close();
  });

  it('has diagrams in the colours of the page, without a script', async () => {
    const { page } = await look('/docs/resources.html', { colorScheme: 'light', javaScriptEnabled: false });
    const colour = "getComputedStyle(document.querySelector('.diagram text')).fill";
    expect(await page.locator('.diagram').textContent()).toContain('OrderItem');
    expect(await page.evaluate(colour)).toBe('rgb(28, 34, 36)');
    await page.context().close();
    const { page: dark } = await look('/docs/resources.html', { colorScheme: 'dark' });
    expect(await dark.evaluate(colour)).toBe('rgb(231, 233, 230)');
    await dark.context().close();
  });

  it('has a menu on phones that opens without a script', async () => {
    const { page } = await look('/docs/rest.html', {
      viewport: { width: 390, height: 800 },
      javaScriptEnabled: false,
    });
    const link = page.locator('#pages').getByText('Errors');
    expect(await link.isVisible()).toBe(false);
    await page.getByText('Menu').click();
    expect(await link.isVisible()).toBe(true);
    await page.context().close();
  });

  it('shows samples in the language that was chosen last, on every page, by keyboard, too', async () => {
    const { page } = await look('/docs/operations/createProduct.html');
    const sample = page.locator('.samples').first();
    expect(await sample.locator('.sample:visible').getAttribute('data-label')).toBe('curl');
    await sample.getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await sample.locator('.sample:visible').getAttribute('data-label')).toBe('TypeScript');
    await page.goto(`${origin}/docs/guides/paging.html`);
    expect(await page.locator('.samples').first().locator('.sample:visible').getAttribute('data-label')).toBe(
      'TypeScript',
    );
    await page.context().close();
  });

  it.each([
    ['docs/rest.html#tag/products/createProduct', 'docs/operations/createProduct.html'],
    ['docs/rest.html#model/Order', 'docs/types/Order.html'],
    ['docs/graphql.html#orderUpdated', 'docs/operations/orderUpdated.html'],
    ['docs/graphql.html#type-orderstatus', 'docs/types/OrderStatus.html'],
    ['docs/', 'index.html'],
  ])('leads an old address, %s, to where that is now', async (from, to) => {
    const { page } = await look(`/${from}`);
    await page.waitForURL(`**/${to}*`);
    await page.context().close();
  });

  it('leads old addresses to where that is now if it is listed by its tag, from a folder, too', async () => {
    const files = await enlargedSite(5);
    const large = await mkdtemp(join(tmpdir(), 'lockstep-docs-'));
    const shown = [...files.keys()].filter((path) =>
      /^docs\/(?:assets|rest\.html|graphql\.html|operations\/createOrder\.|types\/OrderStatus\.)/.test(path),
    );
    for (const path of shown) await replaceFile(join(large, path), (await contentAt(files, path))!);
    const page = await (await browser.newContext()).newPage();
    for (const [from, to] of [
      ['rest.html#tag/orders/createOrder', 'operations/createOrder.html'],
      ['graphql.html#type-orderstatus', 'types/OrderStatus.html'],
    ]) {
      await page.goto(`file://${large}/docs/${from}`);
      await page.waitForURL(`**/${to}`);
    }
    await page.context().close();
    await rm(large, { recursive: true });
  });

  it('works from a folder', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`file://${folder}/docs/operations/createProduct.html`);
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('how do I page');
    await page.locator('dialog.search a').first().click();
    await page.getByRole('heading', { name: 'Paging through a list' }).waitFor();
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
      ['create prod', 'docs/operations/createProduct.html'],
      ['OUT_OF_STOCK', 'errors/OUT_OF_STOCK.html'],
      ['orderUpdated', 'docs/operations/orderUpdated.html'],
    ]) {
      await box.fill(text!);
      await page.locator(`dialog.search a[href*="${path}"]`).first().waitFor();
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/operations/orderUpdated.html');
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

  it('tries an operation against the server', async () => {
    const { page } = await look('/docs/console.html#tag/products/listProducts');
    await page.getByRole('button', { name: 'Test Request (get /products)' }).click();
    const [response] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === '/v1/products'),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(response.status()).toBe(200);
    await page.getByText('200 OK').first().waitFor();
    await page.context().close();
  });

  it('opens an operation in GraphiQL, ready to run', async () => {
    await shop.product({ name: 'Green mug' });
    const { page } = await look('/docs/operations/listProducts.html');
    await page.getByRole('link', { name: 'Open it in GraphiQL' }).click();
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
