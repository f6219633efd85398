import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it } from 'vitest';
import { siteOf } from './support/site-of.ts';

/** What readers ask who have only the contract, and the names of the pages that answer; the first is the best. */
const QUESTIONS: readonly (readonly [question: string, pages: string])[] = [
  ['how do I page', 'guides/paging'],
  ['retry create safely', 'guides/creating-safely'],
  ['what does 412 mean', 'PRECONDITION_FAILED guides/changing-what-was-read'],
  ['get a token', 'guides/tokens'],
  ['filter by price range', 'guides/filters operations/listProducts'],
  ['set a field to null', 'guides/writing-null'],
  ['subscribe', 'guides/subscriptions'],
  ['list my orders', 'operations/listOrders'],
  ['rate limit', 'guides/retries TOO_MANY_REQUESTS'],
  ['cancel an order', 'operations/updateOrder resources/Order guides/states'],
  ['getting started', 'guides/first-call'],
  ['what permissions can a token have', 'guides/tokens'],
  ['webhook for new orders', 'guides/subscriptions orderCreated'],
  ['order by rating descending', 'guides/sorting listReviews ReviewSort'],
  ['total number of results', 'guides/paging PageInfo'],
  ['optimistic locking', 'guides/changing-what-was-read'],
  ['put vs patch', 'guides/writing-null'],
  ['is v0 deprecated', 'guides/versions'],
  ['generate a client sdk', 'guides/clients'],
  ['add to cart', 'createItem createOrderItem Items'],
  ['updateproduct', 'updateProduct'],
  ['edit my review', 'updateReview'],
  ['average star rating', 'getRatingSummary RatingSummary'],
  ['mark order as shipped', 'updateOrder guides/states OrderStatus'],
  ['sign up a customer', 'createUser Users'],
  ['newsletterOptIn', 'User NewsletterOptIn UserInput UserPatch UserFilter listUsers'],
  ['OrderStatus', 'OrderStatus'],
  ['price in cents', 'Product MinorUnits ProductInput'],
  ['parcel weight', 'PhysicalDelivery PhysicalDeliveryInput Delivery'],
  ['401 unauthorized', 'UNAUTHENTICATED guides/tokens'],
  ['email already taken', 'ALREADY_EXISTS createUser updateUser replaceUser'],
  ['graphql query too deep', 'LIMIT_EXCEEDED'],
  ["can't delete product", 'STILL_REFERENCED deleteProduct'],
  ['got a 503 what now', 'SERVICE_UNAVAILABLE guides/retries'],
  ['line items', 'Items OrderItem listItems'],
];

/** What the search of today has something else for: its words are nowhere in the contract. */
const UNANSWERED = ['price in cents'];

type Found = readonly { readonly path: string }[];

describe('the search of the documentation', () => {
  let search: (text: string) => Found;
  let index = '';
  beforeAll(async () => {
    index = String((await siteOf('contracts')).get('docs/assets/search-index.js'));
    const page = createContext({}) as {
      searchIndex: unknown;
      createSearch: (engine: unknown, index: unknown) => typeof search;
    };
    runInContext(index, page);
    runInContext(await readFile('src/readers/docs/assets/search.js', 'utf8'), page);
    search = page.createSearch(MiniSearch, page.searchIndex);
  });

  it.each(QUESTIONS)('answers "%s"', (question, pages) => {
    const [first] = search(question);
    const isRight = pages.split(' ').some((name) => first?.path.endsWith(`/${name}.html`));
    expect(isRight, first?.path).toBe(!UNANSWERED.includes(question));
  });

  it.each([
    ['createProduct', 'docs/operations/createProduct.html'],
    ['createproduct', 'docs/operations/createProduct.html'],
    ['CREATE PRODUCT', 'docs/operations/createProduct.html'],
    ['products create', 'docs/operations/createProduct.html'],
    ['out of stock', 'errors/OUT_OF_STOCK.html'],
    ['OUT_OF_STOCK', 'errors/OUT_OF_STOCK.html'],
    ['orderupdated', 'docs/operations/orderUpdated.html'],
    ['POST /products', 'docs/operations/createProduct.html'],
  ])('finds names in any case, whole and in parts: %s', (text, path) => {
    expect(search(text)[0]?.path).toBe(path);
  });

  it('shows what has all of the words before what has some, and nothing for nothing', () => {
    const found = search('replace order blubber').map(({ path }) => path);
    expect(found[0]).toBe('docs/operations/replaceOrder.html');
    expect(search(' ')).toEqual([]);
    expect(search('xyzzyqwv')).toEqual([]);
  });

  it('finds sections of guides by their headings, and by words down to their ends', async () => {
    const closing = 'docs/guides/subscriptions.html#why-a-socket-closes';
    for (const text of ['why does a socket close', '4429', 'handshake subprotocol', 'too many sockets'])
      expect(search(text)[0]?.path, text).toBe(closing);
    expect(search('operators').map(({ path }) => path)).toContain('docs/guides/filters.html#operators');
  });

  it('leads to sections that are there', async () => {
    const files = await siteOf('contracts');
    const paths = [...index.matchAll(/"path":"([^"#]+)#([^"]+)"/g)];
    expect(paths.length).toBeGreaterThan(40);
    for (const [, page = '', id = ''] of paths) expect(String(files.get(page)), page).toContain(` id="${id}"`);
  });

  it('reads an index of no more than 100 KB, compressed', () => {
    expect(gzipSync(index).length).toBeLessThan(100_000);
  });
});
