import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, keepTo, openBrowser } from '../../support/chromium.ts';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, Shop } from '../../support/storefront.ts';

describe.runIf(hasChromium)('GraphiQL in Chromium', () => {
  let shop: Shop;
  let browser: Browser;
  let page: Page;
  let origin = '';
  /** Where the page wanted to go besides this server. */
  let elsewhere: readonly string[] = [];
  /** What its policy has kept it from. */
  const kept: string[] = [];

  beforeAll(async () => {
    shop = await Shop.open(databases[0]!, { graphql: { graphiql: true } });
    origin = `http://127.0.0.1:${await shop.listen()}`;
    browser = await openBrowser();
    page = await browser.newPage();
    elsewhere = await keepTo(page, origin);
    page.on('console', (message) => /Content Security Policy/.test(message.text()) && kept.push(message.text()));
    await page.goto(`${origin}/graphiql`);
    await page.locator('.graphiql-execute-button').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await shop.close();
  });

  /** Replaces what stands in one of the editors, as from the clipboard: typing would be completed. */
  const write = async (editor: string, text: string): Promise<void> => {
    await page.locator(editor).first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  };
  const run = () => page.locator('.graphiql-execute-button').click();
  const answer = (text: string) => page.locator('.graphiql-response', { hasText: text }).waitFor();
  const QUERY = '.graphiql-query-editor';
  const HEADERS = '.graphiql-editor-tool';

  it('runs a query', async () => {
    await shop.product({ name: 'Blue mug' });
    await write(QUERY, '{ products { nodes { name } } }');
    await run();
    await answer('Blue mug');
  });

  it('has a field for the token, and uses it', async () => {
    await write(QUERY, '{ orders { totalCount } }');
    await run();
    await answer('UNAUTHENTICATED');
    const token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    await write(HEADERS, JSON.stringify({ authorization: `Bearer ${token}` }));
    await run();
    await answer('"totalCount"');
  });

  it('shows an event of a change made over REST', async () => {
    await write(QUERY, 'subscription { productCreated { name } }');
    await run();
    const seen = answer('Seen at once');
    // The subscription starts when its socket is open: create until an event arrives.
    const timer = setInterval(() => void shop.product({ name: 'Seen at once' }), 200);
    await seen.finally(() => clearInterval(timer));
    await page.locator('.graphiql-execute-button').click();
  });

  it('loads nothing from other servers, and is kept from nothing that it needs', () => {
    expect([elsewhere, kept]).toEqual([[], []]);
  });

  it('runs no script that is not its own, and connects nowhere else', async () => {
    const tried = await page.evaluate(`new Promise((resolve) => {
      const violated = new Set();
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        violated.add(effectiveDirective);
        if (violated.size === 2) resolve([globalThis.foreign, ...violated]);
      });
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.foreign = true' }));
      fetch('http://127.0.0.1:1/', { mode: 'no-cors' }).catch(() => {});
    })`);
    expect(tried).toEqual([undefined, 'script-src-elem', 'connect-src']);
  });
});

describe('the page of GraphiQL', () => {
  it('is compressed, revalidated, and bound to this server', async () => {
    const shop = await Shop.open(databases[0]!, { graphql: { graphiql: true } });
    const url = `http://127.0.0.1:${await shop.listen()}/graphiql`;
    const response = await fetch(url);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-\S+' blob:; /);
    expect(policy).toMatch(/connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
    expect(policy).not.toContain('unsafe-eval');
    expect(await response.text()).toContain('<div id="root">');
    const etag = response.headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      const again = await fetch(url, { headers: { 'if-none-match': known } });
      expect(again.status, known).toBe(304);
    }
    await shop.close();
  });

  it('is only served if it is enabled', async () => {
    const shop = await Shop.open(databases[0]!);
    const response = await fetch(`http://127.0.0.1:${await shop.listen()}/graphiql`);
    expect(response.status).toBe(404);
    await shop.close();
  });
});
