import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { systemFault } from '../descriptor/config-error.ts';
import type { Difference } from '../descriptor/migration/plan.ts';
import type { ResourceDescriptor } from '../descriptor/resource.ts';
import type { Config } from './settings/config.ts';
import { migrateDatabase, nameOf, openStore, planDatabase } from './storage/database/database.ts';
import { checkMigrated } from './storage/migration/migrator.ts';
import type { Store } from './storage/store.ts';

/** How long to wait for a database that starts at the same time as the server. */
const START_TIMEOUT_MS = 15_000;
const RETRY_MS = 250;
/**
 * Errors of a database that is starting: nobody listens, the name is unknown, it does not accept connections, or no host of
 * several has the role that is asked for.
 */
const STARTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03', 'NO_SUITABLE_HOST']);

/**
 * Opens the configured database, and migrates it to the contract if the settings allow. Throws `ConfigError`,
 * `MigrationError`, `PendingMigrationError`.
 */
export async function openDatabase(
  config: Config,
  resources: readonly ResourceDescriptor[],
  log: Logger,
): Promise<Store> {
  const { database, migrationsDir } = config;
  try {
    await retryWhileStarting(log, nameOf(database), async () => {
      if (config.migrateAtBoot) logMigration(log, await migrateDatabase(database, resources, migrationsDir));
      else checkMigrated(await planDatabase(database, resources, migrationsDir));
    });
    return await openStore(database, resources, config);
  } catch (error) {
    throw systemFault(database.kind === 'sqlite' ? 'DATABASE_URL, DATA_DIR' : 'DATABASE_URL', nameOf(database), error);
  }
}

function logMigration(
  log: Logger,
  { done, remarks }: { readonly done: readonly string[]; readonly remarks: readonly Difference[] },
): void {
  for (const what of done) log.debug({ migration: what }, 'migrated');
  for (const { what } of remarks) log.warn(what);
}

/** A Unix-domain socket is there when its server is. */
const isStarting = ({ code, syscall }: NodeJS.ErrnoException): boolean =>
  STARTING.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect');

async function retryWhileStarting(log: Logger, database: string, migrate: () => Promise<void>): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await migrate();
    } catch (error) {
      if (!isStarting(error as NodeJS.ErrnoException) || waitedMs >= START_TIMEOUT_MS) throw error;
      if (waitedMs === 0) log.warn({ err: error }, `waiting for ${database}`);
    }
    await delay(RETRY_MS);
  }
}
