import pg from 'pg';
import { v7 } from 'uuid';
import {
  DEFAULTS,
  type ListOptions,
  type Product,
  type ProductInput,
  type ProductPatch,
  settable,
} from './product-store.ts';
import type { Review, User } from './review-store.ts';

const CONNECTIONS = 10;
const INTEGERS = ['version', 'price', 'stock'];
const PRODUCT = `id, version, created_at as "createdAt", updated_at as "updatedAt", sku, name, description, price,
  currency, tax_rate as "taxRate", stock, tags, status, delivery, image_url as "imageUrl", units_sold as "unitsSold"`;
const REVIEW = 'id, product_id as "productId", user_id as "userId", rating, title, body';

/** A pool of connections, each of which prepares a statement once. */
class Database {
  readonly pool: pg.Pool;
  readonly #names = new Map<string, string>();

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    this.pool.on('error', () => {});
  }

  async query(sql: string, values: unknown[], on: pg.Pool | pg.PoolClient = this.pool): Promise<never[]> {
    return (await on.query({ name: this.#nameOf(sql), text: sql, values })).rows as never[];
  }

  #nameOf(sql: string): string {
    const name = this.#names.get(sql) ?? `s${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }
}

/** The table of products on Postgres. */
export class PostgresProductStore {
  readonly #database: Database;

  constructor(url: string) {
    this.#database = new Database(url);
  }

  async get(id: string): Promise<Product | undefined> {
    const [row] = await this.#database.query(`select ${PRODUCT} from products where id = $1`, [id]);
    return row && toProduct(row);
  }

  async list({ conditions, values, column, direction, after, limit }: ListOptions): Promise<Product[]> {
    const comparison = direction === 'asc' ? '>' : '<';
    const keys = column === 'id' ? ['id'] : [column, 'id'];
    const seek = after ? [`(${keys.join(', ')}) ${comparison} (${keys.map(() => '?').join(', ')})`] : [];
    const where = [...conditions, ...seek];
    const nulls = direction === 'asc' ? 'first' : 'last';
    const order = keys.map((key) => `${key} ${direction}${key === 'id' ? '' : ` nulls ${nulls}`}`).join(', ');
    let i = 0;
    const sql = `select ${PRODUCT} from products ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
      order by ${order} limit ?`
      .replaceAll('instr(', 'strpos(')
      .replace(/\?/g, () => `$${++i}`);
    return (await this.#database.query(sql, [...values, ...(after ?? []), limit])).map(toProduct);
  }

  async create(input: ProductInput): Promise<Product> {
    const sql = `insert into products (id, version, created_at, updated_at, sku, name, description, price, currency,
        tax_rate, stock, tags, status, delivery, image_url, units_sold)
      values ($1, 1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0) returning ${PRODUCT}`;
    const product = { ...DEFAULTS, ...input };
    const values = [v7(), new Date().toISOString(), product.sku, ...settable(product)];
    const [row] = await this.#database.query(sql, values);
    return toProduct(row!);
  }

  /** `change` receives the row inside the transaction and returns the values to set. */
  async update(id: string, change: (current: Product) => ProductPatch): Promise<Product | undefined> {
    const client = await this.#database.pool.connect();
    try {
      await client.query('begin');
      const select = `select ${PRODUCT} from products where id = $1 for update`;
      const [row] = await this.#database.query(select, [id], client);
      const current = row && toProduct(row);
      const next = current && (await this.#set(client, current, change(current)));
      await client.query('commit');
      return next;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  async #set(client: pg.PoolClient, current: Product, patch: ProductPatch): Promise<Product> {
    const next = { ...current, ...patch };
    const sql = `update products set version = version + 1, updated_at = $2, name = $3, description = $4, price = $5,
        currency = $6, tax_rate = $7, stock = $8, tags = $9, status = $10, delivery = $11, image_url = $12
      where id = $1 returning ${PRODUCT}`;
    const values = [next.id, new Date().toISOString(), ...settable(next)];
    const [row] = await this.#database.query(sql, values, client);
    return toProduct(row!);
  }
}

/** `pg` returns dates as objects and 64-bit integers as text. */
function toProduct(row: Record<string, unknown>): Product {
  for (const name of INTEGERS) row[name] = Number(row[name]);
  row['createdAt'] = (row['createdAt'] as Date).toISOString();
  row['updatedAt'] = (row['updatedAt'] as Date).toISOString();
  return row as unknown as Product;
}

/** Reviews and users for the loaders: one statement for all parents of a level. */
export class PostgresReviewStore {
  readonly #database: Database;

  constructor(url: string) {
    this.#database = new Database(url);
  }

  async ofEach(productIds: readonly string[], first: number): Promise<ReadonlyMap<string, readonly Review[]>> {
    const sql = `select ${REVIEW} from (
        select *, row_number() over (partition by product_id order by created_at desc, id desc) as place
        from products_reviews where product_id = any($1)
      ) numbered where place <= $2 order by product_id, place`;
    const rows: Review[] = await this.#database.query(sql, [productIds, first]);
    return Map.groupBy(rows, ({ productId }) => productId);
  }

  async users(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    const sql = 'select id, name, email from users where id = any($1)';
    const rows: User[] = await this.#database.query(sql, [[...new Set(ids)]]);
    return new Map(rows.map((user) => [user.id, user]));
  }
}
