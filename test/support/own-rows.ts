import type { Store, StoredValue } from '../../src/runtime/storage/store.ts';

/** What a copy takes along of one of the server's own tables, with keys as texts. */
export const ownRowsOf = (store: Store, table: string): Promise<readonly (readonly StoredValue[])[]> =>
  store.snapshot(async (snapshot) => {
    const rows: (readonly StoredValue[])[] = [];
    for await (const page of snapshot.ownRows()) if (page.table === table) rows.push(...page.rows);
    return rows;
  });
