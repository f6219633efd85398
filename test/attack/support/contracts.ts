import type { SqlWords } from '../../scale/support/sql-words.ts';

/** A contract whose server is attacked. */
export interface AttackedContract {
  /** Below the root of the project. */
  readonly folder: string;
  /** The module that serves it. */
  readonly entry: string;
  /** What bystanders read by key. */
  readonly read: string;
  /** The statements that fill its tables, the large ones with so many rows. */
  fill(words: SqlWords, rows: number): readonly string[];
}

/** Those whose large lists stand below one parent. */
export type ParentalContract = 'storefront' | 'archive';
export type ContractName = ParentalContract | 'club';

const BOXES = 1_000;
/** One record of the first box in so many has another one in each other box. */
const BOXES_SHARE = 2_500;

const GROUPS = 200;

const COLUMNS = 'id, version, created_at, updated_at';

const managed = ({ id, time }: SqlWords, group: number): string => `${id(group, 'i')}, 1, ${time('i')}, ${time('i')}`;

/** Fewer than SQLite refuses to delete along with a product. */
const HELD_REVIEWS = 9_000;
/** The most that one page has. */
const LONG_REVIEWS = 100;
/** The longest that a review may be. */
const LONG_TEXT = '😀'.repeat(5_000);

/**
 * One product has all reviews, whose ratings rise with time; another is what all users like best. The fourth has many
 * reviews, and one order of it forbids its deletion; what is said of the fifth is long. Each user has an order.
 */
function fillStorefront(words: SqlWords, rows: number): readonly string[] {
  const { id } = words;
  const reviews = (group: number, product: number, most: number, body: string): string =>
    `insert into products_reviews (${COLUMNS}, product_id, user_id, rating, title, body)
     select ${managed(words, group)}, ${id(1, String(product))}, ${id(2, 'i')}, 5, 'Fine', '${body}'
     from ${words.rows(Math.min(rows, most))}`;
  return [
    `insert into products (${COLUMNS}, sku, name, price, currency, tax_rate, stock, tags, status, delivery, units_sold)
     select ${managed(words, 1)}, 'SKU-' || i, 'Blue mug', 1999, 'EUR', '0', 10, '[]', 'ACTIVE',
     '{"kind":"PHYSICAL","weightGrams":410}', 0 from ${words.rows(20)}`,
    `insert into users (${COLUMNS}, email, name, newsletter_opt_in, favourite_product_id)
     select ${managed(words, 2)}, 'u' || i || '@example.com', 'U', false, ${id(1, '2')} from ${words.rows(rows)}`,
    `insert into products_reviews (${COLUMNS}, product_id, user_id, rating, title)
     select ${managed(words, 3)}, ${id(1, '1')}, ${id(2, 'i')}, 1 + (i - 1) * 5 / ${rows}, 'Fine'
     from ${words.rows(rows)}`,
    reviews(4, 4, HELD_REVIEWS, 'Fine'),
    reviews(5, 5, LONG_REVIEWS, LONG_TEXT),
    `insert into orders (${COLUMNS}, user_id, status, total)
     select ${managed(words, 6)}, ${id(2, '1')}, 'PENDING', 0 from ${words.rows(1)}`,
    `insert into orders_items (${COLUMNS}, order_id, product_id, quantity, unit_price)
     select ${managed(words, 7)}, ${id(6, '1')}, ${id(1, '4')}, 1, 1 from ${words.rows(1)}`,
    `insert into orders (${COLUMNS}, user_id, status, total)
     select ${managed(words, 8)}, ${id(2, 'i')}, 'PENDING', i from ${words.rows(rows)}`,
  ];
}

/** The first box has most records, and one keeper keeps all of those; the larger a record is, the earlier is its title. */
function fillArchive(words: SqlWords, rows: number): readonly string[] {
  const { id } = words;
  const record = (n: string): string => `'T' || (1000000000 - ${n}), ${n}`;
  const small = `${id(3, `${rows} + i`)}, 1, ${words.time('i')}, ${words.time('i')}`;
  return [
    `insert into keepers (${COLUMNS}, name)
     select ${managed(words, 1)}, 'K' || (1000000000 + i) from ${words.rows(rows)}`,
    `insert into boxes (${COLUMNS}, label) select ${managed(words, 2)}, 'Box ' || i from ${words.rows(BOXES + 1)}`,
    `insert into boxes_records (${COLUMNS}, box_id, keeper_id, title, size)
     select ${managed(words, 3)}, ${id(2, '1')}, ${id(1, '1')}, ${record('i')} from ${words.rows(rows)}`,
    `insert into boxes_records (${COLUMNS}, box_id, title, size)
     select ${small}, ${id(2, `2 + i % ${BOXES}`)}, ${record('i')} from ${words.rows(BOXES * Math.ceil(rows / BOXES_SHARE))}`,
  ];
}

/** All people are in the first group, each other group has an equal part of them, and all follow the second person. */
function fillClub(words: SqlWords, rows: number): readonly string[] {
  const { id } = words;
  const membership = (n: string, group: string): string =>
    `${id(3, n)}, 1, ${words.time('i')}, ${words.time('i')}, ${id(1, 'i')}, ${id(2, group)}, ${id(1, 'i')}`;
  return [
    `insert into people (${COLUMNS}, name, visibility)
     select ${managed(words, 1)}, 'P' || (1000000000 - i), 'PUBLIC' from ${words.rows(rows)}`,
    `insert into groups (${COLUMNS}, name, visibility, leader_id)
     select ${managed(words, 2)}, 'Group ' || i, 'PUBLIC', ${id(1, '1')} from ${words.rows(GROUPS)}`,
    ...['1', `2 + i % ${GROUPS - 1}`].map(
      (group, n) =>
        `insert into memberships (${COLUMNS}, person_id, group_id, told_to)
         select ${membership(`${n * rows} + i`, group)} from ${words.rows(rows)}`,
    ),
    `insert into follows (${COLUMNS}, follower_id, followed_id, told_to)
     select ${managed(words, 4)}, ${id(1, 'i')}, ${id(1, '2')}, ${id(1, 'i')} from ${words.rows(rows)}`,
  ];
}

export const contracts: Readonly<Record<ContractName, AttackedContract>> = {
  storefront: {
    folder: 'contracts',
    entry: 'src/main.ts',
    read: '/v1/products/00000001-0000-7000-8000-000000000003',
    fill: fillStorefront,
  },
  archive: {
    folder: 'test/fixtures/archive',
    entry: 'test/attack/processes/serve-fixture.ts',
    read: '/v1/keepers/00000001-0000-7000-8000-000000000003',
    fill: fillArchive,
  },
  club: {
    folder: 'test/fixtures/club',
    entry: 'test/attack/processes/serve-fixture.ts',
    read: '/v1/people/00000001-0000-7000-8000-000000000003',
    fill: fillClub,
  },
};
