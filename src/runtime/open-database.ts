import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { systemFault } from '../descriptor/config-error.ts';
import type { Difference } from '../descriptor/migration/plan.ts';
import type { ResourceDescriptor } from '../descriptor/resource.ts';
import type { Config } from './settings/config.ts';
import { migrateDatabase, nameOf, openStore, planDatabase } from './storage/database/database.ts';
import { checkMigrated } from './storage/migration/migrator.ts';
import type { Store } from './storage/store.ts';

/** A database may start at the same time as its servers. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 250;
/** Nobody listens yet, the name is not known yet, the database is starting. */
const NOT_YET = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03']);

/**
 * Opens the database of the settings with the contract's tables, which it makes if it may.
 * Throws `ConfigError`, `MigrationError`, `PendingMigrationError`.
 */
export async function openDatabase(
  config: Config,
  resources: readonly ResourceDescriptor[],
  log: Logger,
): Promise<Store> {
  const { database, migrationsDir } = config;
  try {
    await withPatience(log, nameOf(database), async () => {
      if (config.migrateAtBoot) tell(log, await migrateDatabase(database, resources, migrationsDir));
      else checkMigrated(await planDatabase(database, resources, migrationsDir));
    });
    return await openStore(database, resources, config);
  } catch (error) {
    throw systemFault(database.kind === 'sqlite' ? 'DATABASE_URL, DATA_DIR' : 'DATABASE_URL', nameOf(database), error);
  }
}

function tell(
  log: Logger,
  { done, remarks }: { readonly done: readonly string[]; readonly remarks: readonly Difference[] },
): void {
  for (const what of done) log.debug({ migration: what }, 'migrated');
  for (const { what } of remarks) log.warn(what);
}

async function withPatience(log: Logger, place: string, work: () => Promise<void>): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!NOT_YET.has(code ?? '') || waitedMs >= PATIENCE_MS) throw error;
      if (waitedMs === 0) log.warn({ err: error }, `waiting for ${place}`);
    }
    await delay(RETRY_MS);
  }
}
