import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { v7 } from 'uuid';

export interface Product {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sku: string;
  readonly name: string;
  readonly description: string | null;
  readonly price: number;
  readonly currency: string;
  readonly taxRate: string;
  readonly stock: number;
  readonly tags: readonly string[];
  readonly status: string;
  readonly delivery: object;
  readonly imageUrl: string | null;
  readonly unitsSold: string;
}

export type ProductInput = Pick<Product, 'sku' | 'name' | 'price' | 'currency' | 'delivery'> & Partial<Product>;
export type ProductPatch = Partial<Omit<Product, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'sku' | 'unitsSold'>>;

/** A list request: SQL conditions with their values, and the position where the page starts. */
export interface ListOptions {
  readonly conditions: readonly string[];
  readonly values: readonly SQLInputValue[];
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly after: readonly SQLInputValue[] | undefined;
  readonly limit: number;
}

const COLUMNS = `id, version, created_at as createdAt, updated_at as updatedAt, sku, name, description, price, currency,
  tax_rate as taxRate, stock, tags, status, delivery, image_url as imageUrl, cast(units_sold as text) as unitsSold`;

/** Values of a product for properties that the input leaves out. */
export const DEFAULTS = {
  description: null,
  taxRate: '0',
  stock: 0,
  tags: [],
  status: 'DRAFT',
  imageUrl: null,
} satisfies Partial<Product>;

/** Values of the columns that callers may set, except `sku`: from `name` to `image_url`. */
export const settable = (
  product: Omit<Product, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'sku' | 'unitsSold'>,
): SQLInputValue[] => [
  product.name,
  product.description,
  product.price,
  product.currency,
  product.taxRate,
  product.stock,
  JSON.stringify(product.tags),
  product.status,
  JSON.stringify(product.delivery),
  product.imageUrl,
];

/** The table of products, accessed by prepared statements. */
export class ProductStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
    this.#database.exec('pragma cache_size = -65536; pragma mmap_size = 268435456');
  }

  get(id: string): Product | undefined {
    const row = this.#prepare(`select ${COLUMNS} from products where id = ?`).get(id);
    return row && toProduct(row);
  }

  list({ conditions, values, column, direction, after, limit }: ListOptions): Product[] {
    const comparison = direction === 'asc' ? '>' : '<';
    const keys = column === 'id' ? ['id'] : [column, 'id'];
    const seek = after ? [`(${keys.join(', ')}) ${comparison} (${keys.map(() => '?').join(', ')})`] : [];
    const where = [...conditions, ...seek];
    const sql = `select ${COLUMNS} from products
      ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
      order by ${keys.map((key) => `${key} ${direction}`).join(', ')} limit ?`;
    return this.#prepare(sql)
      .all(...values, ...(after ?? []), limit)
      .map(toProduct);
  }

  create(input: ProductInput): Product {
    const now = new Date().toISOString();
    const product: Product = {
      ...DEFAULTS,
      ...input,
      id: v7(),
      version: 1,
      createdAt: now,
      updatedAt: now,
      unitsSold: '0',
    };
    this.#prepare(
      `insert into products (id, version, created_at, updated_at, sku, name, description, price, currency, tax_rate,
        stock, tags, status, delivery, image_url, units_sold) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(product.id, product.version, product.createdAt, product.updatedAt, product.sku, ...settable(product), 0);
    return product;
  }

  /** `change` receives the row inside the transaction and returns the values to set. */
  update(id: string, change: (current: Product) => ProductPatch): Product | undefined {
    this.#prepare('begin immediate').run();
    try {
      const current = this.get(id);
      const next = current && this.#set(current, change(current));
      this.#prepare('commit').run();
      return next;
    } catch (error) {
      this.#prepare('rollback').run();
      throw error;
    }
  }

  #set(current: Product, patch: ProductPatch): Product {
    const next = { ...current, ...patch, version: current.version + 1, updatedAt: new Date().toISOString() };
    this.#prepare(
      `update products set version = ?, updated_at = ?, name = ?, description = ?, price = ?, currency = ?,
        tax_rate = ?, stock = ?, tags = ?, status = ?, delivery = ?, image_url = ? where id = ?`,
    ).run(next.version, next.updatedAt, ...settable(next), next.id);
    return next;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function toProduct(row: Record<string, unknown>): Product {
  row['tags'] = JSON.parse(row['tags'] as string);
  row['delivery'] = JSON.parse(row['delivery'] as string);
  return row as unknown as Product;
}
