import { beforeAll, describe, expect, it } from 'vitest';
import { contentAt, type SiteFiles } from '../../../src/runtime/site/site.ts';
import { enlargedSite } from './support/enlarged.ts';

describe('the site of many operations', () => {
  let site: SiteFiles;
  let larger: SiteFiles;
  const text = async (path: string, files = site): Promise<string> => String(await contentAt(files, path));

  beforeAll(async () => {
    [site, larger] = await Promise.all([enlargedSite(5), enlargedSite(9)]);
  });

  it('lists them by tags, each on a page of its own with both protocols and their types', async () => {
    const rest = await text('docs/rest.md');
    expect(rest).toContain('| [Orders](tags/Orders.md) | 7 | ');
    expect(rest).toContain('| [Part 0](tags/Part-0.md) | ');
    expect(rest).not.toContain('createOrder');
    expect(await text('docs/graphql.md')).toContain('| [Orders](tags/Orders.md#graphql) | 10 |');
    const orders = await text('docs/tags/Orders.md');
    expect(orders).toContain('| `POST /orders` | [`createOrder`](../operations/createOrder.md) | ');
    expect(orders).toContain('| [`createOrder`](../operations/createOrder.md#graphql) | `Order!` | ');
    expect(orders).toContain('| [`orderUpdated`](../operations/orderUpdated.md) | ');
    for (const type of ['Order', 'OrderConnection', 'OrderPatch']) expect(orders).toContain(`](../types/${type}.md)`);
    expect(rest).toContain('[`Problem`](types/Problem.md)');
  });

  it('has pages that are no larger where there are more operations, and an index that grows by a line for each tag', async () => {
    const pages = [
      ...['operations/createOrder', 'operations/orderUpdated', 'operations/createOrder0', 'types/Problem'],
      ...['resources/Order', 'guides/errors', 'guides/first-call', 'errors'],
    ].flatMap((name) => [`docs/${name}.html`, `docs/${name}.md`]);
    for (const path of [
      ...pages,
      'docs/tags/Orders.md',
      'docs/tags/Part-0.md',
      'errors/NOT_FOUND.html',
      'index.html',
      'docs/resources.html',
    ])
      expect((await text(path, larger)).length, path).toBeLessThan((await text(path)).length + 20);
    // Four tags more.
    for (const path of ['docs/rest.html', 'docs/graphql.html', 'llms.txt'])
      expect((await text(path, larger)).length, path).toBeLessThan((await text(path)).length + 4 * 300);
  });

  it('takes few bytes an operation', async () => {
    const paths = [...site.keys()].filter((path) => /^docs\/operations\/.*0\.(?:html|md)$/.test(path));
    const sizes = await Promise.all(paths.map(async (path) => ({ path, bytes: (await text(path)).length })));
    const mean = (ending: string): number => {
      const own = sizes.filter(({ path }) => path.endsWith(ending));
      return own.reduce((sum, { bytes }) => sum + bytes, 0) / own.length;
    };
    expect(paths.length).toBeGreaterThan(50);
    expect(mean('.html')).toBeLessThan(17_000);
    expect(mean('.md')).toBeLessThan(6_000);
  });

  it('has in llms.txt and in Markdown what a reader begins with', async () => {
    const index = await text('llms.txt');
    expect(index).toContain('- [Orders](docs/tags/Orders.md): ');
    expect(index).not.toContain('docs/operations/');
    expect(await text('llms-full.txt')).not.toContain('# Create an order');
    const page = await text('docs/operations/createOrder.md');
    expect(page).toContain('```sh curl');
    expect(page).not.toContain('```go Go');
    expect(await text('docs/operations/createOrder.html')).toContain('data-label="Go"');
    expect(page).toMatch(/Any request may also fail with .*`INTERNAL_ERROR`/);
  });

  it('shows beside a page no more than its group, and of a large group the way to its list', async () => {
    const page = await text('docs/operations/createOrder0.html');
    const [, beside = ''] = /<nav class="contents"[^>]*>([\s\S]*?)<\/nav>/.exec(page) ?? [];
    expect(beside).toContain('<a href="../tags/Part-0.html">Part 0</a>');
    expect(beside.length).toBeLessThan(6_000);
  });
});
