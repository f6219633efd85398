import { DatabaseSync, type StatementSync } from 'node:sqlite';

export interface Review {
  readonly id: string;
  readonly productId: string;
  readonly userId: string;
  readonly rating: number;
  readonly title: string;
  readonly body: string | null;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const COLUMNS = 'id, product_id as productId, user_id as userId, rating, title, body';

/** Reviews and users for the loaders: one statement for all parents of a level. */
export class ReviewStore {
  readonly #reviews: StatementSync;
  readonly #users: StatementSync;

  constructor(file: string) {
    const database = new DatabaseSync(file);
    database.exec('pragma cache_size = -65536; pragma mmap_size = 268435456');
    this.#reviews = database.prepare(
      `select ${COLUMNS} from (
        select *, row_number() over (partition by product_id order by created_at desc, id desc) as place
        from products_reviews where product_id in (select value from json_each(?))
      ) where place <= ? order by product_id, place`,
    );
    this.#users = database.prepare('select id, name, email from users where id in (select value from json_each(?))');
  }

  ofEach(productIds: readonly string[], first: number): ReadonlyMap<string, readonly Review[]> {
    const rows = this.#reviews.all(JSON.stringify(productIds), first) as unknown as Review[];
    return Map.groupBy(rows, ({ productId }) => productId);
  }

  users(ids: readonly string[]): ReadonlyMap<string, User> {
    const rows = this.#users.all(JSON.stringify([...new Set(ids)])) as unknown as User[];
    return new Map(rows.map((user) => [user.id, user]));
  }
}
