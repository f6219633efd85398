import type { DatabaseKind, Query } from './bare-database.ts';
import { sqlWords } from './sql-words.ts';

const GROUP = 1;

/** Inserts copies of a product that is there, with the numbers from `first` to `last`: ids and times rise with them. */
export async function copyProducts(
  kind: DatabaseKind['name'],
  query: Query,
  first: number,
  last: number,
): Promise<void> {
  const { id, rows, time } = sqlWords[kind];
  const n = `(i + ${first - 1})`;
  const changed: Readonly<Record<string, string>> = {
    id: id(GROUP, n),
    sku: `'SKU-' || ${n}`,
    name: `'Blue mug ' || ${n}`,
    price: `${n} * 7919 % 100000`,
    status: "'ACTIVE'",
    created_at: time(n),
  };
  const columns = await query(
    kind === 'SQLite'
      ? "select name from pragma_table_info('products')"
      : "select column_name from information_schema.columns where table_name = 'products' and table_schema = 'public' order by ordinal_position",
  );
  const names = columns.map(([name]) => name!);
  await query(
    `insert into products (${names.map((name) => `"${name}"`).join()}) select ${names.map((name) => changed[name] ?? `p."${name}"`).join()}
     from (select * from products order by id desc limit 1) p, ${rows(last - first + 1)}`,
  );
}

/** Deletes those that the API has made. */
export const deleteMade = (query: Query): Promise<unknown> =>
  query(`delete from products where id > '0000000${GROUP}-ffff-7000-8000-000000000000'`);
