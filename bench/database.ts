import { DatabaseSync } from 'node:sqlite';
import { resources } from '../generated/resources.ts';
import { makeProducts, type Product } from '../samples/storefront/products.ts';
import { Random } from '../samples/storefront/random.ts';
import { makeReviews } from '../samples/storefront/reviews.ts';
import { makeUsers } from '../samples/storefront/users.ts';
import { uuidAt } from '../samples/storefront/uuid.ts';
import { createRowCodec } from '../src/engine/row-codec.ts';
import { openSqliteStore } from '../src/storage/sqlite/sqlite-store.ts';
import type { Store } from '../src/storage/store.ts';
import { SHELF } from './graphql-scenarios.ts';
import type { Shelf } from './scenario.ts';

const descriptor = (name: string) => resources.find(({ key }) => key === name)!;
const PRODUCTS = descriptor('products');
const USERS = descriptor('users');
const REVIEWS = descriptor('products.reviews');
const SEED = 20_250_101;
const MODELS = 1_000;
const OPENED_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
/** Above this, rows go in faster without indexes, which are then made at once. */
const INDEXED_ROWS = 50_000;

/** Makes a database with the tables of the contract and `rows` products, the same each time. */
export async function fillDatabase(file: string, rows: number): Promise<void> {
  const store = openSqliteStore({ file, resources });
  if (rows > INDEXED_ROWS) dropIndexes(file);
  await insertProducts(store, rows);
  if (rows <= INDEXED_ROWS) await insertReviews(store, file);
  await store.close();
  // Opening makes the indexes that are missing.
  await openSqliteStore({ file, resources }).close();
  checkpoint(file);
}

/** Up to `limit` products of the database, spread over all of them. */
export function productsIn(file: string, rows: number, limit: number): { id: string; version: number }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const step = Math.max(1, Math.floor(rows / limit));
  const products = database.prepare('select id, version from products where rowid % ? = 0 limit ?').all(step, limit);
  database.close();
  return products as { id: string; version: number }[];
}

/** The first products, and who wrote their newest reviews. */
export function shelfIn(file: string): Shelf {
  const database = new DatabaseSync(file, { readOnly: true });
  const productIds = idsOf(database, 'select id from products order by id limit ?', SHELF.products);
  const newest =
    'select user_id as id from products_reviews where product_id = ? order by created_at desc, id desc limit ?';
  const userIds = productIds.flatMap((id) => idsOf(database, newest, id, SHELF.reviews));
  database.close();
  return { productIds, userIds: [...new Set(userIds)] };
}

const idsOf = (database: DatabaseSync, sql: string, ...values: (string | number)[]): string[] =>
  database
    .prepare(sql)
    .all(...values)
    .map(({ id }) => id as string);

async function insertProducts(store: Store, rows: number): Promise<void> {
  const random = new Random(SEED);
  const models = makeProducts(MODELS, random);
  const codec = createRowCodec(PRODUCTS.properties);
  await store.transaction(async (transaction) => {
    for (let i = 0; i < rows; i++) {
      await transaction.insert(PRODUCTS.key, codec.toRow(variant(models[i % MODELS]!, i, random)));
    }
  });
}

/** Users, and their reviews of the products. */
async function insertReviews(store: Store, file: string): Promise<void> {
  const random = new Random(SEED);
  const products = productsIn(file, 1, Number.MAX_SAFE_INTEGER).map(({ id }) => ({ id, status: 'ACTIVE' }) as Product);
  const users = makeUsers(
    200,
    products.map(({ id }) => id),
    random,
  );
  const rows = [
    ...users.map((user) => [USERS, user] as const),
    ...makeReviews(products, users, random).map((review) => [REVIEWS, review] as const),
  ];
  await store.transaction(async (transaction) => {
    for (const [{ key, properties }, values] of rows)
      await transaction.insert(key, createRowCodec(properties).toRow(values));
  });
}

function variant(model: Product, i: number, random: Random): Product {
  const createdMs = OPENED_MS + i * MINUTE_MS;
  return {
    ...model,
    id: uuidAt(createdMs, random),
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(createdMs).toISOString(),
    sku: `SKU-${i}`,
    price: random.integer(100, 10_000),
  };
}

function dropIndexes(file: string): void {
  const database = new DatabaseSync(file);
  const indexes = database.prepare(
    "select name from sqlite_master where type = 'index' and tbl_name = 'products' and sql is not null",
  );
  for (const { name } of indexes.all()) database.exec(`drop index "${name}"`);
  database.close();
}

/** So that a copy of the file alone is whole. */
function checkpoint(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}
