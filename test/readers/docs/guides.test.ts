import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { editedFolder } from '../../support/edited-contract.ts';
import { admin, customer, Shop, stranger } from '../../support/storefront.ts';
import { siteOf } from './support/site-of.ts';

const guideOf = async (name: string, contracts = 'contracts') =>
  String((await siteOf(contracts)).get(`docs/guides/${name}.md`));

describe('a guide', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open(databases[0]!);
    await shop.product({ price: 1999 });
  });
  afterAll(() => shop.close());

  /** What the sample of GraphQL answers. */
  const answered = async (name: string) => {
    const [, document = '', variables = ''] =
      /```graphql GraphQL\n([\s\S]*?)# Variables: ([\s\S]*?)```/.exec(await guideOf(name)) ?? [];
    return (await shop.graphql(document, JSON.parse(variables.replaceAll('\n#', '\n')), admin)).body;
  };

  it('to filters finds something near the examples of the contract, over both protocols', async () => {
    const filters = await guideOf('filters');
    const [, query = ''] = /curl -g '[^']*(\/products\?price[^']*)'/.exec(filters) ?? [];
    expect((await shop.get(query)).body.data).toMatchObject([{ price: 1999 }]);
    expect(await answered('filters')).toMatchObject({ data: { products: { nodes: [{ price: 1999 }] } } });
    expect(filters).toContain('`price`: An amount of money, in the minor unit of its currency.');
  });

  it('to sorting sends what a list must be asked for, too', async () => {
    const required = [
      ['openapi.yaml', 'name: country, in: query,', 'name: country, in: query, required: true,'],
    ] as const;
    await editedFolder('library', required, async (contracts) => {
      const curls = [...(await guideOf('sorting', contracts)).matchAll(/curl '[^']*\/authors\?(\S*)'/g)];
      expect(curls.map(([, query]) => query)).toEqual([expect.stringMatching(/^country=\w+&sort=/)]);
    });
  });

  it('to sorting has a document that is answered', async () => {
    expect(await answered('sorting')).toMatchObject({ data: { products: { nodes: [{ price: 1999 }] } } });
  });

  it('to related rows names what operations offer, in requests that are answered', async () => {
    const guide = await guideOf('including');
    const [, query = ''] = /curl '[^']*(\/orders\?include=[^']*)'/.exec(guide) ?? [];
    await shop.user(stranger);
    await shop.post('/orders', stranger, {});
    const { status, body } = await shop.request('GET', query, stranger);
    expect([query, status, body.data.length > 0]).toEqual(['/orders?include=user,items', 200, true]);
    for (const order of body.data) expect(Object.keys(order)).toEqual(expect.arrayContaining(['user', 'items']));
    expect(guide).toContain("include: ['user', 'items']");
    expect(guide).toContain('`user`, `items`, `items.product`');
    expect(await guideOf('including', 'test/fixtures/library')).toBe('undefined');
  });

  it('to totals asks for groups and measures, over both protocols', async () => {
    const guide = await guideOf('totals');
    const [, query = ''] = /curl '[^']*(\/orders\/totals[^']*)'/.exec(guide) ?? [];
    expect(query).toBe('/orders/totals?groupBy=status&measures=count,totalSum');
    const { status } = await shop.request('GET', query, admin);
    expect(status).toBe(200);
    expect(await answered('totals')).toMatchObject({ data: { orderTotals: { nodes: [{}] } } });
    expect(guide).toContain('`createdAtMonth`');
    expect(await guideOf('totals', 'test/fixtures/library')).toBe('undefined');
  });

  it('to batches sends one that is written', async () => {
    const guide = await guideOf('batches');
    const [, path = '', text = ''] = /curl -X POST '[^']*(\/products\/batch)'[\s\S]*?-d '([^']*)'/.exec(guide) ?? [];
    const { status, body } = await shop.post(path, admin, JSON.parse(text));
    expect([status, body.data.map((one: { status: number }) => one.status)]).toEqual([200, [201, 201]]);
    expect(guide).toContain('| [`batchProducts`](../operations/batchProducts.md) |');
    expect(await guideOf('batches', 'test/fixtures/tracker')).toBe('undefined');
  });

  it('to linking names two rows and no more', async () => {
    const guide = await guideOf('linking', 'test/fixtures/tracker');
    expect(guide).toMatch(
      /curl -X PUT '[^']*\/issues\/[^/]+\/labels\/[^/]+' \\\n {2}-H "Authorization: Bearer \$TOKEN"\n```/,
    );
    for (const name of ['linkIssueLabel', 'unlinkIssueLabel']) expect(guide).toContain(`operations/${name}.md`);
    expect(await guideOf('linking')).toBe('undefined');
  });

  it('to paging has a loop over all pages, and says that bounds differ where they do', async () => {
    const paging = await guideOf('paging');
    expect(paging).toMatch(/curl -sf "[^"]*\?limit=100\$\{CURSOR:\+&cursor=\$CURSOR\}"/);
    expect(paging).not.toContain('each list has its own bounds');
  });

  it('to states has where each begins and who may move it; to write the same state is a change of nothing', async () => {
    const states = await guideOf('states');
    expect(states).toContain('Begins as `DRAFT`. Who may move it: `products:write`.');
    expect(states).toMatch(
      /Begins as `PENDING`\. Who may move it: .* Belongs to the caller whose `sub` is its `userId`\./,
    );
    const { id, status, version } = await shop.product();
    const same = await shop.patch(`/products/${id}`, admin, { status });
    expect([same.status, same.body.version]).toEqual([200, version]);
    expect(states).toContain('changes nothing and gets 200');
  });

  it('to safe creates shows what one caller creates many of, and is right on keys and deletions', async () => {
    const guide = await guideOf('creating-safely');
    expect(guide).toMatch(/-X POST '[^']*\/orders'/);
    await shop.user(customer);
    const create = (key: string) => shop.request('POST', '/orders', customer, {}, { 'idempotency-key': key });
    const [first, second] = [await create('abc'), await create('"abc"')];
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(guide).toContain('`abc` and `"abc"` are one key');
    const deleted = [];
    for (let i = 0; i < 2; i++) deleted.push((await shop.delete(`/orders/${first.body.id}`, customer)).status);
    expect(deleted).toEqual([204, 404]);
    expect(guide).toContain('A second `DELETE` gets 404');
  });

  it('to tokens has the scopes and claims that rules of rows read, and pages say whose token a sample takes', async () => {
    const guide = await guideOf('tokens', 'test/fixtures/tracker');
    expect(guide).toContain('`teams:write`, `tracker:operate`');
    expect(guide).toContain('The claim `tenant` names the tenant whose rows a caller sees and makes.');
    const journal = await siteOf('test/fixtures/journal');
    expect(journal.get('docs/guides/tokens.md')).toContain("The claim `sub` is the `id` of a caller's own `Account`");
    const subjects = ['createAccount', 'getAccount', 'deleteAccount'].map(
      (id) =>
        /The `sub` of the token is `(.*)`: the `Account` is the caller/.exec(
          String(journal.get(`docs/operations/${id}.md`)),
        )?.[1],
    );
    expect(subjects).toEqual(['Example 4', 'Example', 'Example 2']);
    expect(String(journal.get('docs/operations/createDiary.md'))).not.toContain('The `sub` of the token');
  });

  it('to errors names every place of an error', async () => {
    const guide = await guideOf('errors');
    for (const place of ['pointer', 'parameter', 'header', 'argument']) expect(guide).toContain(`\`${place}\``);
    expect(await guideOf('errors', 'test/fixtures/foreign/zoo')).not.toContain('`argument`');
    expect(guide).toMatch(/`CONFLICT`.*a create with an `Idempotency-Key`: send it again, unchanged/);
  });

  it('to retries speaks of the header of a limit where there is one', async () => {
    expect((await shop.get('/products')).headers).not.toHaveProperty('ratelimit');
    expect(await guideOf('retries')).toContain('While a limit is in force, the header `RateLimit`');
    expect(await guideOf('retries')).toContain('A patch without `If-Match` may be repeated');
    expect(await guideOf('changing-what-was-read')).toContain('your own change may have been applied');
  });

  it.each(['contracts', 'test/fixtures/clinic', 'test/fixtures/conservatory'])(
    'of %s shows what a client does in all languages that have one, side by side',
    async (contracts) => {
      const guides = [...(await siteOf(contracts))].filter(([path]) => /^docs\/guides\/.*\.md$/.test(path));
      const samples = guides.flatMap(([path, text]) =>
        [
          ...String(text).matchAll(/^```ts TypeScript\nimport [\s\S]*?^```\n\n((?:```\w+ \w+\n[\s\S]*?^```\n\n?)*)/gm),
        ].map(([, others = '']) => [path, [...others.matchAll(/^```\w+ (\w+)$/gm)].map(([, label]) => label)] as const),
      );
      expect(samples.length).toBeGreaterThan(11);
      for (const [path, labels] of samples) expect(labels.slice(0, 3), path).toEqual(['Python', 'Go', 'Java']);
    },
  );

  it.each([
    [
      'filters',
      'products.list(price_gte=1000, price_lt=2000)',
      'PriceLt: lockstepstorefront.Of(2000)',
      '.priceGte(1000)',
    ],
    ['sorting', 'sort=[ProductSort.', '[]api.ProductSort{api.ProductSort', 'List.of(ProductSort.'],
    ['writing-null', '=None)', '": null', '(null)'],
    ['creating-safely', 'idempotency_key="3f0b', '.IdempotencyKey("3f0b', 'create(body, "3f0b'],
    ['changing-what-was-read', 'update(read, ', 'UpdateIfUnchanged(ctx, read, body)', 'update(read, body)'],
    ['changing-what-was-read', 'lambda current: ', '.Change(ctx, ', 'current -> body'],
    ['errors', 'except ApiError as error', 'errors.As(err, &refused)', 'catch (ProblemException refused)'],
    ['retries', 'error.retry_after', 'refused.RetryAfter', 'refused.retryAfter()'],
    ['subscriptions', 'client.on_product_updated("', 'graphql.OnProductUpdated(ctx, ', 'graphql.onProductUpdated("'],
    ['states', '(status=', '"status": "', '.status('],
  ])('to %s uses the clients as they are meant to be', async (name, ...texts) => {
    const guide = await guideOf(name);
    for (const text of texts) expect(guide).toContain(text);
  });

  it('has a plain request where a client has no name for something, and nothing where it would take more', async () => {
    const widgets = 'test/fixtures/widgets';
    expect(await guideOf('filters', widgets)).toMatch(/```java Java\nimport java\.net[\s\S]*the-?state=/i);
    expect(await guideOf('errors', widgets)).not.toContain('```java');
    expect(await guideOf('filters', 'test/fixtures/conservatory')).not.toContain('Over GraphQL');
  });
});
