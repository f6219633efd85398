import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { GENERATOR } from '../../../src/compiler/sdl/generated-folder.ts';
import { rendered } from '../../../src/readers/docs/layout/markdown.ts';
import { folderSite } from '../../../src/runtime/site/folder-site.ts';
import { lazySite } from '../../../src/runtime/site/site.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { startCompiled, startService } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';
import { type SiteFiles, siteOf } from './support/site-of.ts';

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
    path.endsWith('.html') && path !== 'docs/graphiql.html' && path !== 'docs/index.html'
      ? [[path, String(html)] as [string, string]]
      : [],
  );

/** Links that lead nowhere, to fragments included; the fragment of GraphiQL is what it opens. */
function brokenLinks(files: SiteFiles): readonly string[] {
  return pagesOf(files).flatMap(([path, html]) =>
    linksIn(path, html)
      .filter((link) => {
        const [to = '', fragment = ''] = link.split('#');
        if (!files.has(to)) return true;
        if (fragment === '' || to === 'docs/graphiql.html' || to === 'docs/console.html') return false;
        const ids = [fragment, decodeURIComponent(fragment)];
        return !ids.some((id) => String(files.get(to)).includes(` id="${id}"`));
      })
      .map((link) => `${path} → ${link}`),
  );
}

describe('the documentation', () => {
  it.each(oneIn(2, ['contracts', 'test/fixtures/tracker', 'test/fixtures/orchard']))(
    'has no two places with one fragment, and no link that leads nowhere: %s',
    async (contracts) => {
      const files = await siteOf(contracts);
      const twice = pagesOf(files).flatMap(([path, html]) => {
        const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
        return ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${path}#${id}`);
      });
      expect(twice).toEqual([]);
      expect(brokenLinks(files)).toEqual([]);
    },
  );

  it('has a page for everything, each as Markdown, too, and no link that leads nowhere', async () => {
    const files = await siteOf('contracts');
    const pages = [
      ...['rest', 'graphql', 'guides', 'resources', 'access', 'errors', 'limits', 'parity', 'changelog', 'downloads'],
      ...['operations/createProduct', 'operations/orderUpdated', 'resources/Order', 'types/Order', 'types/ProductSort'],
      ...[
        'first-call',
        'tokens',
        'paging',
        'filters',
        'writing-null',
        'creating-safely',
        'retries',
        'subscriptions',
      ].map((guide) => `guides/${guide}`),
    ];
    for (const name of [
      ...pages.flatMap((page) => [`${page}.html`, `${page}.md`]),
      ...['graphiql.html', 'index.html', 'openapi.json', 'openapi-v0.json', 'schema.graphql', 'sdk.tgz'],
    ])
      expect([...files.keys()]).toContain(`docs/${name}`);
    expect([...files.keys()]).toContain('errors/OUT_OF_STOCK.html');
    expect(files.get('index.html')).toContain(GENERATOR);
    expect(brokenLinks(files)).toEqual([]);
    const listed = [...String(files.get('llms.txt')).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(listed.filter((path) => !files.has(path))).toEqual([]);
    expect(files.get('docs/access.md')).toContain('](../errors/FORBIDDEN.md)');
  });

  it.each(oneIn(3, ['test/fixtures/depot', 'test/fixtures/clinic', 'test/fixtures/foreign/zoo']))(
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
    expect(text('access')).toMatch(/products:write createProduct , batchProducts , replaceProduct/);
    expect(text('limits')).toContain('Levels of fields 10');
    expect(text('parity')).toContain('facts that REST and GraphQL must agree on');
    expect(text('changelog')).toContain('1.0.0 (v1), 2026-11-21');
    expect(text('changelog')).not.toContain('Column');
    expect(String(files.get('docs/guides/versions.md'))).toMatch(/Calling v0[\s\S]*curl '[^']*\/v0\/users/);
    expect(text('resources/Order')).toMatch(/PENDING PAID , CANCELLED/);
    expect(files.get('docs/resources/Order.md')).toContain('PENDING --> PAID');
    expect(files.get('docs/resources.md')).toContain('Product ||--o{ Review : productId');
    expect(files.get('errors/OUT_OF_STOCK.html')).toMatch(/409[\s\S]*createItem/);
    expect(files.get('index.html')).toContain('/v1/products?limit=2');
  });

  it('shows what a resource is found by beside its id, in both protocols', async () => {
    const files = await siteOf('test/fixtures/depot');
    expect(files.get('docs/rest.md')).toContain('/suppliers/by-code/{code}');
    expect(files.get('docs/rest.md')).toContain('/products/{sku}');
    const [, supplier] = String(files.get('docs/operations/getSupplier.md')).split('### `supplier`');
    expect(supplier).toContain('| `code` | `String` |');
  });

  it('shows each operation of both protocols beside the other', async () => {
    const files = await siteOf('contracts');
    expect(files.get('docs/graphql.md')).toContain('[`createProduct`](operations/createProduct.md#graphql)');
    expect(files.get('docs/rest.md')).toContain('[`createProduct`](operations/createProduct.md)');
    const page = String(files.get('docs/operations/createProduct.md'));
    expect(page).toContain('`POST /products`, over GraphQL mutation [`createProduct`](#graphql)');
    expect(page).toContain('| `sku` | ');
    expect(files.get('docs/operations/getProduct.html')).toContain('href="../graphiql.html#document=query');
    expect(page).toContain('A mutation that answers [`Product!`](../types/Product.md).');
    expect(page).toMatch(/This document costs \d+ of the 1,000/);
    for (const label of ['sh curl', 'ts TypeScript', 'python Python', 'go Go', 'java Java', 'graphql Document'])
      expect(page).toContain(`\`\`\`${label}\n`);
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
      if (path.endsWith('.html')) expect(String(content), path).not.toContain('id="callers"');
    const callers = [{ name: 'admin', token: 'a<b' }];
    const developed = await siteOf('test/fixtures/custom', { callers });
    expect(developed.get('docs/console.html')).toContain('"token":"a\\u003cb"');
  });

  it('speaks the names of each protocol in guides, and of one where there is one', async () => {
    const orchard = await siteOf('test/fixtures/orchard');
    const [, inGraphql = ''] = String(orchard.get('docs/guides/states.md')).split('```graphql GraphQL');
    expect(inGraphql.split('```')[0]).toMatch(/"input": \{\n#\s+"lifeStage": "\w+"/);
    const storefront = await siteOf('contracts');
    const changing = String(storefront.get('docs/guides/changing-what-was-read.md'));
    expect(changing).toMatch(/mutation \w+\(.*\$ifVersion: Int.*\)/);
    expect(changing).toContain('# Variables: {\n#   "id"');
    expect(String(storefront.get('docs/guides/creating-safely.md'))).toMatch(/\/graphql'[\s\S]*Idempotency-Key: /);
    const zoo = await siteOf('test/fixtures/foreign/zoo');
    for (const [path, text] of zoo) if (path.endsWith('.md')) expect(String(text), path).not.toContain('GraphQL');
  });

  it('says what stands in what has no name: members of parameters, properties inside, null, maps', async () => {
    const files = await siteOf('contracts');
    expect(files.get('docs/operations/listProducts.md')).toMatch(/\| `price\[gte\]` \| query \| .*0 to /);
    expect(files.get('docs/types/ProductPatch.md')).toMatch(
      /\| `description` \| \[`ProductDescription`\]\([^)]*\) or null \|/,
    );
    const custom = await siteOf('test/fixtures/custom');
    const pages = [...custom].filter(([path]) => path.startsWith('docs/types/') && path.endsWith('.md'));
    expect(pages.some(([, text]) => String(text).includes('| `page.'))).toBe(true);
    expect(String(files.get('docs/types/TaxRate.html'))).toContain('(0|1)');
  });

  it('leads nowhere by links that a contract writes as if they were its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    try {
      await writeFile(
        join(folder, 'openapi.yaml'),
        "openapi: 3.1.0\ninfo: { title: A, version: '1', description: '[x](site:javascript:alert(1)) [y](site:../../z)' }\npaths:\n  /a:\n    get:\n      operationId: 'get (a) b'\n      summary: ''\n      responses: { '200': { description: Yes. } }\n",
      );
      const files = await siteOf(folder);
      expect(files.get('index.html')).not.toMatch(/href="(?:javascript|\.\.\/\.\.)/);
      const page = String([...files].find(([path]) => /operations\/.*\.html$/.test(path))![1]);
      expect(page).toContain('console.html#get%20%28a%29%20b');
      expect(page).toContain('get (a) b</');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has guides of what a contract declares, and of nothing else', async () => {
    const guidesOf = async (contracts: string) =>
      [...(await siteOf(contracts)).keys()].flatMap((path) => /guides\/(.+)\.html$/.exec(path)?.[1] ?? []);
    expect(await guidesOf('contracts')).toHaveLength(18);
    const custom = await guidesOf('test/fixtures/custom');
    for (const name of ['subscriptions', 'states']) expect(custom).not.toContain(name);
    expect(custom).toContain('first-call');
  });

  it('has what its authors add: guides in the menu and in search, a logo and colours', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    try {
      await cp('test/fixtures/cats', folder, { recursive: true });
      await mkdir(join(folder, 'docs'));
      await writeFile(
        join(folder, 'docs/feeding.md'),
        '# Feeding a cat\n\nTwice a day. See [paging](paging.md).\n\n<b>Now</b>\n',
      );
      await writeFile(
        join(folder, 'docs/paging.md'),
        '---\nauthor: us\n---\nOur own words on pages.\n\n```sh\n# a comment\n```\n',
      );
      await writeFile(join(folder, 'docs/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
      await writeFile(join(folder, 'docs/steps.png'), 'a picture');
      await writeFile(join(folder, 'docs/site.css'), ':root { --rest: #005fcc; }\n');
      const files = await siteOf(folder);
      expect(files.get('docs/guides.md')).toContain('- [Feeding a cat](guides/feeding.md): Twice a day.');
      expect(files.get('docs/guides/feeding.md')).toContain('[paging](paging.md)');
      expect(files.get('docs/guides/feeding.html')).toContain('&lt;b&gt;Now');
      expect(files.get('docs/guides/paging.md')).toBe(
        '# paging\n\nOur own words on pages.\n\n```sh\n# a comment\n```\n',
      );
      expect(files.get('docs/guides.md')).toContain('- [paging](guides/paging.md): Our own words on pages.');
      expect(files.get('docs/assets/search-index.js')).toContain('Feeding a cat');
      const [style] = [...files].filter(([path]) => path.endsWith('.css')).map(([, content]) => String(content));
      expect(style).toMatch(/--rest: #005fcc; }\s*$/);
      expect(String(files.get('docs/guides/steps.png'))).toBe('a picture');
      expect(files.has('docs/guides/logo.svg')).toBe(false);
      expect(files.get('index.html')).toMatch(/<img class="logo" src="docs\/assets\/logo\.[0-9a-f]{10}\.svg"/);
      expect(brokenLinks(files)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('lets a page of the reference load no more than 150 KB', async () => {
    const files = await siteOf('contracts');
    for (const path of ['index.html', 'docs/rest.html', 'docs/resources.html', 'docs/operations/createProduct.html']) {
      const text = String(files.get(path));
      const loaded = [...text.matchAll(/<(?:link|script)\b[^>]*?\s(?:href|src)="([^"#]*\.(?:css|js|woff2))"/g)].map(
        ([, href]) => new URL(href!, `http://site/${path}`).pathname.slice(1),
      );
      const fonts = [...files.keys()].filter((one) => one.endsWith('.woff2'));
      const sizes = [...new Set([...loaded, ...fonts])].map((one) =>
        one.endsWith('.woff2') ? files.get(one)!.length : gzipSync(files.get(one)!).length,
      );
      const bytes = sizes.reduce((sum, size) => sum + size, gzipSync(text).length);
      expect(loaded.length, path).toBeGreaterThanOrEqual(3);
      expect(bytes, path).toBeLessThan(150_000);
    }
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
    const etag = String(home.headers['etag']);
    for (const field of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*'])
      expect((await get('/', { 'if-none-match': field })).status, field).toBe(304);
    expect((await get('/docs/a.html', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    expect((await get('/errors/NOT_FOUND', { accept: 'text/html' })).text).toBe('<!doctype html>Gone');
    expect((await get('/errors/NOT_FOUND')).headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const path of ['/docs/b.html', '/docs/..%2findex.html', '/errors/x', '/docs/%00', '/x'])
      expect((await get(path)).body.code, path).toBe('NOT_FOUND');
    expect((await service.request('POST', '/')).status).toBe(405);
    await service.close();
  });

  it('gives programs the Markdown of a page at its own address, and the whole in one file', async () => {
    const site = await siteOf('contracts', { origin: 'https://api.example.com' });
    const service = await startService('cats', databases[0]!, {}, { site: lazySite(async () => site) });
    const get = (url: string, accept?: string) =>
      service.request('GET', url, { headers: accept === undefined ? {} : { accept } });
    const page = await get('/docs/guides/paging.html', 'text/markdown; charset=utf-8, text/html;q=0.5');
    expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(page.headers['vary']).toContain('Accept');
    expect(page.text).toContain('# Paging through a list');
    expect(page.text).toContain('](https://api.example.com/docs/operations/listProducts.md)');
    for (const accept of [undefined, 'text/html', 'text/html, text/markdown', '*/*'])
      expect((await get('/docs/guides/paging.html', accept)).headers['content-type'], accept).toBe(
        'text/html; charset=utf-8',
      );
    expect((await get('/index.md')).text).toContain('# Lockstep storefront');
    expect((await get('/sitemap.xml')).text).toContain('<loc>https://api.example.com/docs/types/Order.html</loc>');
    const all = await get('/llms-full.txt');
    for (const heading of ['# Paging through a list', '# Create a product', '# OrderStatus', '# `OUT_OF_STOCK`'])
      expect(all.text).toContain(`${heading}\n`);
    expect((await get('/llms.txt')).text).toContain(
      '- [Paging through a list](https://api.example.com/docs/guides/paging.md): Read a list to its end',
    );
    await service.close();
  });

  it('lets what a digest names be kept for ever, and sends what was compressed beforehand', async () => {
    const kept = new Map([...files, ['docs/assets/site.0123456789.css', 'a {}'], ['docs/assets/search-index.js', '1']]);
    const service = await startService('cats', databases[0]!, {}, { site: lazySite(async () => kept) });
    const cachingOf = async (path: string) => (await service.request('GET', path)).headers['cache-control'];
    expect(await cachingOf('/docs/assets/site.0123456789.css')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/docs/a.html', '/docs/assets/search-index.js']) expect(await cachingOf(path)).toBe('no-cache');
    await service.close();
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    await writeFile(join(folder, 'index.html'), 'Hello');
    await writeFile(join(folder, 'index.html.br'), brotliCompressSync('Hello, beforehand'));
    const written = await startService('cats', databases[0]!, {}, { site: folderSite(folder) });
    const reply = await written.request('GET', '/', { headers: { 'accept-encoding': 'br' } });
    expect(reply.headers['content-encoding']).toBe('br');
    await written.close();
    await rm(folder, { recursive: true });
  });

  it('says what a page may do, wherever it is served', async () => {
    const stated = "default-src 'none'; script-src 'self'";
    const pages = new Map([
      ...files,
      ['docs/own.html', `<meta http-equiv="Content-Security-Policy" content="${stated}">`],
      ['docs/a.js', '1'],
    ]);
    const service = await startService('cats', databases[0]!, {}, { site: lazySite(async () => pages) });
    const policyOf = async (url: string, headers = {}): Promise<unknown> =>
      (await service.request('GET', url, { headers })).headers['content-security-policy'];
    const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    const html = { accept: 'text/html' };
    for (const path of ['/', '/docs/a.js', '/docs/', '/errors/NOT_FOUND', '/nowhere'])
      expect(await policyOf(path, html), path).toBe(nothing);
    expect(await policyOf('/docs/own.html')).toBe(`${stated}; frame-ancestors 'none'`);
    const { etag } = (await service.request('GET', '/docs/own.html')).headers;
    expect(await policyOf('/docs/own.html', { 'if-none-match': etag })).toBe(`${stated}; frame-ancestors 'none'`);
    await service.close();
  });

  it('states a whole policy on each page, without inline styles but where a library draws', async () => {
    const site = await siteOf('contracts');
    const policies = [...site].flatMap(([path, text]) => {
      if (!path.endsWith('.html') || path === 'docs/index.html') return [];
      const [, policy = 'none'] =
        /^[\s\S]{0,700}<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(String(text)) ?? [];
      return [[path, policy] as const];
    });
    expect(policies.length).toBeGreaterThan(30);
    for (const [path, policy] of policies) {
      expect(policy, path).toMatch(
        /^default-src 'none'; script-src [^;]*'sha256-[^;]+; .*base-uri 'none'; form-action 'none'$/,
      );
      expect(/script-src [^;]*unsafe/.test(policy), path).toBe(false);
    }
    const styled = policies.filter(([, policy]) => /style-src[^;]*'unsafe-inline'/.test(policy)).map(([path]) => path);
    expect(styled).toEqual(['docs/console.html', 'docs/graphiql.html']);
  });

  it('aligns tables without inline styles', () => {
    const table = rendered('| a | b |\n|--:|---|\n| 1 | 2 |\n');
    expect(table).toContain('<td align="right" data-label="a">1</td>');
    expect(table).not.toContain('style=');
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
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['*', 'br'],
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

  it('makes ahead what takes long; if it fails, whoever asks for it finds out', async () => {
    let attempts = 0;
    const fails = async (): Promise<string> => {
      attempts += 1;
      throw new Error(`attempt ${attempts}`);
    };
    const site = lazySite(
      async () => new Map<string, string | typeof fails>([...files, ['errors/SLOW.html', fails]]),
      'errors/SLOW.html',
    );
    await site.file('index.html');
    await eventually(() => expect(attempts).toBe(1));
    await expect(site.file('errors/SLOW.html')).rejects.toThrow('attempt 2');
  });

  it('leaves paths to the contract that has them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    await writeFile(
      join(folder, 'openapi.yaml'),
      `openapi: 3.1.0\ninfo: { title: Root, version: '1' }\npaths:\n  /:\n    get:\n      operationId: getRoot\n      responses: { '200': { description: Yes., content: { application/json: { schema: { type: string } } } } }\n`,
    );
    const operations = { getRoot: async () => 'mine' };
    const { model } = await modelContract(folder);
    const site = lazySite(async () => files);
    const service = await startCompiled(model!, databases[0]!, { operations } as never, { site });
    expect((await service.request('GET', '/')).body).toBe('mine');
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('refuses a folder that holds none', () => {
    expect(() => folderSite('test/readers/docs')).toThrow(/DOCS_DIR: test\/readers\/docs cannot be used/);
  });
});
