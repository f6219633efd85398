import { Random } from '../../src/tools/random.ts';
import { countSold, makePurchases } from './orders.ts';
import { makeProducts } from './products.ts';
import { makeReviews } from './reviews.ts';
import { makeUser, makeUsers } from './users.ts';

export { admin, type Caller, customer } from './callers.ts';

/** One row of the sample: all properties of a resource, as its schema has them. */
export interface SampleRow {
  /** Key of the resource: `orders.items`. */
  readonly resource: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const SEED = 20_250_101;
const USERS = 200;
const PRODUCTS = 1000;
const ORDERS = 5000;

/**
 * The storefront's sample data, the same rows each time; what a row refers to comes before it.
 * Totals are the sums of the items, `unitsSold` counts what was paid for, and a user reviews a product once.
 * The last user has not ordered anything.
 */
export function* sample(): Iterable<SampleRow> {
  const random = new Random(SEED);
  const products = makeProducts(PRODUCTS, random);
  const users = makeUsers(
    USERS,
    products.map((product) => product.id),
    random,
  );
  const reviews = makeReviews(products, users, random);
  const purchases = makePurchases(ORDERS, products, users, random);
  const sold = countSold(purchases);
  const newcomer = makeUser(USERS, [], random);

  for (const product of products)
    yield { resource: 'products', values: { ...product, unitsSold: String(sold.get(product.id) ?? 0) } };
  for (const values of [...users, newcomer]) yield { resource: 'users', values };
  for (const values of reviews) yield { resource: 'products.reviews', values };
  for (const { order } of purchases) yield { resource: 'orders', values: order };
  for (const { items } of purchases) for (const values of items) yield { resource: 'orders.items', values };
}
