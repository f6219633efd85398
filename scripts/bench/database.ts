import { DatabaseSync } from 'node:sqlite';
import { makeProducts, type Product } from '../../contracts/samples/products.ts';
import { makeReviews } from '../../contracts/samples/reviews.ts';
import { makeUsers } from '../../contracts/samples/users.ts';
import { resources } from '../../generated/resources.ts';
import { createRowCodec } from '../../src/runtime/engine/resource/index.ts';
import { generatedContract } from '../../src/runtime/generated-contract.ts';
import { wantedBy } from '../../src/runtime/judged-contract.ts';
import { type DatabaseLocation, migrateDatabase, openStore } from '../../src/runtime/storage/database/index.ts';
import type { Store } from '../../src/runtime/storage/index.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { Random } from '../../src/tools/random.ts';
import { uuidAt } from '../../src/tools/uuid.ts';
import { SHELF } from './graphql-scenarios.ts';
import type { Shelf } from './scenario.ts';

const descriptor = (name: string) => resources.find(({ key }) => key === name)!;
const PRODUCTS = descriptor('products');
const USERS = descriptor('users');
const REVIEWS = descriptor('products.reviews');
const SEED = 20_250_101;
const MODELS = 1_000;
const CHUNK = 1_000;
const OPENED_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
/** Larger tables are filled without indexes, which are created afterwards, because that is faster. */
const INDEXED_ROWS = 50_000;

export const STORE = { sqliteSynchronous: 'normal', databaseConnections: 4, statementTimeoutMs: 60_000 } as const;
const NO_MIGRATIONS = '/nonexistent';

/** Creates the contract's tables with `rows` products, always the same. */
export async function fillDatabase(location: DatabaseLocation, rows: number): Promise<void> {
  // Recorded while the tables are empty: the servers need not read the rows first.
  const contract = await generatedContract(new URL('../../generated/', import.meta.url));
  await migrateDatabase(location, wantedBy(contract), NO_MIGRATIONS);
  const isLarge = rows > INDEXED_ROWS && location.kind === 'sqlite';
  if (isLarge) dropIndexes(location.file);
  const store = await openStore(location, resources, STORE);
  const products = await insertProducts(store, rows);
  if (!isLarge) await insertReviews(store, products);
  await store.close();
  // Creates the indexes that were dropped.
  await migrateDatabase(location, { resources }, NO_MIGRATIONS);
  if (location.kind === 'sqlite') checkpoint(location.file);
}

/** Up to `limit` products, spread over the whole table. */
export async function productsIn(
  location: DatabaseLocation,
  rows: number,
  limit: number,
): Promise<{ id: string; version: number }[]> {
  const step = Math.max(1, Math.floor(rows / limit));
  const products = await queryIn(
    location,
    `select id, version from (select id, version, row_number() over (order by id) as place from products) numbered
     where place % ${step} = 0 limit ${limit}`,
  );
  return products as { id: string; version: number }[];
}

/** The first products, and the authors of their newest reviews. */
export async function shelfIn(location: DatabaseLocation): Promise<Shelf> {
  const productIds = idsOf(await queryIn(location, `select id from products order by id limit ${SHELF.products}`));
  const userIds: string[] = [];
  for (const id of productIds)
    userIds.push(
      ...idsOf(
        await queryIn(
          location,
          `select user_id as id from products_reviews where product_id = '${id}'
           order by created_at desc, id desc limit ${SHELF.reviews}`,
        ),
      ),
    );
  return { productIds, userIds: [...new Set(userIds)] };
}

const idsOf = (rows: readonly Record<string, unknown>[]): string[] => rows.map(({ id }) => id as string);

async function queryIn(location: DatabaseLocation, sql: string): Promise<Record<string, unknown>[]> {
  if (location.kind === 'sqlite') {
    const database = new DatabaseSync(location.file, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  }
  return administer(location.url, sql);
}

async function insertProducts(store: Store, rows: number): Promise<Product[]> {
  const random = new Random(SEED);
  const models = makeProducts(MODELS, random);
  const codec = createRowCodec(PRODUCTS.properties);
  const products: Product[] = [];
  for (let from = 0; from < rows; from += CHUNK) {
    const chunk = Array.from({ length: Math.min(CHUNK, rows - from) }, (_, i) =>
      variant(models[(from + i) % MODELS]!, from + i, random),
    );
    await store.transaction((transaction) => transaction.insertAll(PRODUCTS.key, chunk.map(codec.toRow)));
    if (rows <= INDEXED_ROWS) products.push(...chunk);
  }
  return products;
}

/** Inserts users and their reviews of the products. */
async function insertReviews(store: Store, made: readonly Product[]): Promise<void> {
  const random = new Random(SEED);
  const products = made.map(({ id }) => ({ id, status: 'ACTIVE' }) as Product);
  const ids = products.map(({ id }) => id);
  const users = makeUsers(200, ids, random);
  const reviews = makeReviews(products, users, random);
  await store.transaction(async (transaction) => {
    await transaction.insertAll(USERS.key, users.map(createRowCodec(USERS.properties).toRow));
    await transaction.insertAll(REVIEWS.key, reviews.map(createRowCodec(REVIEWS.properties).toRow));
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
  // Without its triggers, a search index is made anew.
  const triggers = database.prepare("select name from sqlite_master where type = 'trigger' and tbl_name = 'products'");
  for (const { name } of triggers.all()) database.exec(`drop trigger "${name}"`);
  database.close();
}

/** Moves the write-ahead log into the file, so that the file can be copied by itself. */
function checkpoint(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}
