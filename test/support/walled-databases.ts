import { type Layout, nameOfLayout, PLAIN } from '../../src/descriptor/layout.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { citus } from './citus.ts';
import { endedByTests } from './clean-up.ts';
import {
  type DatabaseKind,
  databases,
  postgresIn,
  type SharedDatabaseKind,
  STATEMENT_TIMEOUT_MS,
} from './databases.ts';
import { ownedDatabase } from './owned-database.ts';
import { borrowDatabase, hasPostgres } from './postgres.ts';

const walledIn = (layout: Layout): DatabaseKind => ({
  name: `Postgres, ${nameOfLayout(layout)}, with row-level security`,
  layout,
  async open(resources) {
    const { url, giveBack } = await borrowDatabase(
      JSON.stringify(['row-level security', layout, resources]),
      (owned) =>
        lockedPostgres(owned, (target) =>
          migrate(target, { resources, handWritten: [], hasRowSecurity: true, layout }),
        ),
      ownedDatabase,
    );
    const limits = { connections: 5, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const store = await openPostgresStore({ url, resources, hasRowSecurity: true, ...limits });
    const close = endedByTests(async () => {
      await store.close();
      await giveBack();
    });
    return { store, close };
  },
});

const PARTITIONED: Layout = { kind: 'tenants', partitions: 8 };
const partitioned = postgresIn(PARTITIONED);

/** Every database, and Postgres once more with keys that begin with the tenant. */
export const tenantDatabases: readonly SharedDatabaseKind[] = hasPostgres ? [...databases, partitioned] : databases;

/** The same, and Citus, or what stands in for it. */
export const layoutDatabases: readonly DatabaseKind[] = hasPostgres ? [...tenantDatabases, citus] : databases;

/** The same, and Postgres once more with policies between tenants. */
export const walledDatabases: readonly DatabaseKind[] = hasPostgres
  ? [...tenantDatabases, walledIn(PLAIN), walledIn(PARTITIONED)]
  : databases;
