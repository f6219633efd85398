import type { Layout } from '../../../descriptor/layout.ts';
import { quotedText } from '../../../descriptor/migration/literal.ts';
import type { MappedTable } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { Query } from './answer.ts';
import { given } from './values.ts';

const SIZES = `
  select relname, pg_relation_size(oid) from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
/** The partitions of a table together. */
const SIZES_OF_PARTITIONED = `
  select coalesce(p.relname, c.relname), sum(pg_relation_size(c.oid)) from pg_class c
  left join (pg_inherits i join pg_class p on p.oid = i.inhparent) on i.inhrelid = c.oid and c.relispartition
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace group by 1`;
/** On the coordinator, what is on other nodes has no size. */
const SIZES_OF_DISTRIBUTED = `
  select c.relname, citus_relation_size(logicalrel) from pg_dist_partition join pg_class c on c.oid = logicalrel
  where c.relnamespace = current_schema()::regnamespace`;

/** The query for the sizes of tables in a layout. */
export const sizesIn = (layout: Layout, tables: readonly Table[] = []): string => {
  const others = tables.flatMap(({ name, relation }) => (relation ? [sizeOf(name, relation)] : []));
  return [ownSizesIn(layout), ...others].join(' union all ');
};

/** A table of others, by the name that statements have for it. Views have no size, and may read much. */
const sizeOf = (name: string, { schema, name: table }: MappedTable): string => `
  select ${quotedText(name)}, pg_table_size(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = ${quotedText(schema)} and c.relname = ${quotedText(table)} and c.relkind = 'r'`;

const ownSizesIn = (layout: Layout): string => {
  if (layout.kind === 'citus') return SIZES_OF_DISTRIBUTED;
  return layout.kind === 'tenants' && layout.partitions > 0 ? SIZES_OF_PARTITIONED : SIZES;
};

const REFRESH_MS = 10_000;
/** A scan of so much takes about a millisecond. */
const SMALL_BYTES = 2 ** 20;

/** Which tables are so small that no read of them takes long. */
export class TableSizes {
  readonly #query: Query;
  readonly #sizes: string;
  #small: ReadonlySet<string> = new Set();
  #until = 0;

  constructor(query: Query, sizes = SIZES) {
    this.#query = query;
    this.#sizes = sizes;
  }

  /** As it was at most ten seconds ago, or while a table was locked as a whole, before that. */
  isSmall(table: string): boolean {
    if (performance.now() >= this.#until) this.refresh().catch(() => {});
    return this.#small.has(table);
  }

  async refresh(): Promise<void> {
    this.#until = performance.now() + REFRESH_MS;
    const { rows } = await this.#query(this.#sizes);
    this.#small = new Set(rows.filter(([, bytes]) => Number(bytes) <= SMALL_BYTES).map(([name]) => given(name)));
  }
}
