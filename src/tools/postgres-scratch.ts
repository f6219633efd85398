import type { ResourceDescriptor } from '../descriptor/resource.ts';
import { scratchLayout } from '../runtime/settings/index.ts';
import { standingIn, withOwnTables } from '../runtime/storage/index.ts';
import { migrate } from '../runtime/storage/migration/index.ts';
import { lockedPostgres, openPostgresStore } from '../runtime/storage/postgres/index.ts';
import { administer, makeDatabaseOn, type TemporaryDatabase } from './postgres-database.ts';
import { removable, type ScratchStore } from './scratch-store.ts';

/** A slow disk must not look like a difference between two servers. */
const LIMITS = { connections: 4, statementTimeoutMs: 60_000 } as const;

/** Versions of mapped rows are the same on all copies. */
const SECRET = new Uint8Array(32);

/**
 * On a database beside the one of a Postgres URL, which is not touched. Where the rows of tenants are, and policies bind the
 * role of the URL, they are behind row-level security. Mapped resources have tables of Lockstep, or those of `tables`, which is copied.
 */
export async function postgresScratch(
  purpose: string,
  given: readonly ResourceDescriptor[],
  server: string,
  tables?: TemporaryDatabase,
): Promise<ScratchStore> {
  const resources = tables ? given : withOwnTables(given);
  const hasRowSecurity = !tables && resources.some(({ tenant }) => tenant) && (await isBound(server));
  const { url, drop } = await makeDatabaseOn(server, purpose, tables);
  try {
    const own = resources.filter(({ mapped }) => !mapped);
    const wanted = { resources: own, handWritten: [], hasRowSecurity, layout: scratchLayout(process.env) };
    await lockedPostgres(url, (target) => migrate(target, wanted));
    const secret = tables && SECRET;
    const store = await openPostgresStore({ url, resources, hasRowSecurity, secret, ...LIMITS });
    return removable(tables ? store : standingIn(store, given), drop);
  } catch (error) {
    await drop();
    throw error;
  }
}

const BOUND = 'select not (rolsuper or rolbypassrls) as bound from pg_roles where rolname = current_user';

/** Whether policies bind the role of a URL, as they bind no superuser. */
const isBound = async (url: string): Promise<boolean> => (await administer(url, BOUND))[0]?.['bound'] === true;
