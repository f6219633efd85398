import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { reasonOf, systemFault } from '../descriptor/config-error.ts';
import { wantedBy } from './judged-contract.ts';
import { type Config, databaseWishes } from './settings/config.ts';
import { admitServer, type MigrateOptions, migrateDatabase, nameOf, openStore } from './storage/database/database.ts';
import { refuseMapped } from './storage/mapped.ts';
import type { MigrationReport } from './storage/migration/migrator.ts';
import type { Report } from './storage/migration/target.ts';
import type { Store } from './storage/store.ts';
import { StoreError } from './storage/store-error.ts';

/** How long to wait for a database that starts at the same time as the server. */
const START_TIMEOUT_MS = 15_000;
const RETRY_MS = 250;
/**
 * Errors of a database that is starting: nobody listens, the name is unknown, it does not accept connections, all that it
 * accepts are taken, or no host of several has the role that is asked for.
 */
const STARTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03', '53300', 'NO_SUITABLE_HOST']);

type BootOptions = Pick<MigrateOptions, 'mayDrop' | 'resetClock' | 'sparesInstances'>;

/**
 * Opens the configured database, and migrates it to the contract if the settings allow. In production, a contract that is
 * older than the one that the database was last served by changes nothing. A server drops nothing; a command that migrates
 * may (`mayDrop`). Throws `ConfigError`, `MigrationError`,
 * `PendingMigrationError`, `OlderContractError`.
 */
export async function openDatabase(
  config: Config,
  contract: CompiledContract,
  log: Logger,
  options: BootOptions = {},
): Promise<Store> {
  await admitDatabase(config, contract, log, options);
  return openAdmitted(config, contract, log);
}

/** Migrates the database, or checks that it fits, and leaves it closed. Throws what `openDatabase` does. */
export async function admitDatabase(
  config: Config,
  contract: CompiledContract,
  log: Logger,
  options: BootOptions = {},
): Promise<void> {
  const { database, migrationsDir, isProduction } = config;
  const isReadOnly = config.serveReadsOnly;
  if (isProduction && database.kind === 'sqlite') refuseMapped(contract.resources);
  if (hasNoOwnTables(config, contract.resources)) return;
  const wanted = { ...wantedBy(contract, database.kind), ...databaseWishes(config), isReadOnly };
  const report: Report = (change, estimate) => estimate && log.info({ change, estimate }, 'migrating');
  const admit = (): Promise<MigrationReport> =>
    config.migrateAtBoot && !isReadOnly
      ? migrateDatabase(database, wanted, migrationsDir, {
          evenIfOlder: !isProduction,
          sparesInstances: isProduction,
          sparesStrangers: config.migratesUnasked,
          refusesDrift: true,
          report,
          ...options,
        })
      : admitServer(database, wanted, migrationsDir);
  try {
    await retryWhileStarting(log, nameOf(database), async () => {
      logMigration(log, await admit());
    });
  } catch (error) {
    throw databaseFault(config, error);
  }
}

/** Whether a server needs no table of Lockstep, because it only reads tables of others and has a secret. */
export const hasNoOwnTables = (
  { database, serveReadsOnly, lockstepSecret }: Config,
  resources: CompiledContract['resources'],
): boolean =>
  database.kind === 'postgres' &&
  serveReadsOnly &&
  lockstepSecret !== undefined &&
  resources.length > 0 &&
  resources.every(({ mapped }) => mapped);

/** Opens the database that this contract has been admitted to. Throws `ConfigError`. */
export async function openAdmitted(config: Config, contract: CompiledContract, log: Logger): Promise<Store> {
  const { database } = config;
  try {
    return await retryWhileStarting(log, nameOf(database), () => openStore(database, contract.resources, config, log));
  } catch (error) {
    throw databaseFault(config, error);
  }
}

function databaseFault({ database }: Config, error: unknown): unknown {
  const variables = database.kind === 'sqlite' ? 'DATABASE_URL, DATA_DIR' : 'DATABASE_URL';
  return systemFault(variables, nameOf(database), error instanceof StoreError ? error.cause : error);
}

function logMigration(log: Logger, { done, remarks, olderThan }: MigrationReport): void {
  for (const what of done) log.debug({ migration: what }, 'migrated');
  for (const { what } of remarks) log.warn(what);
  if (olderThan !== undefined)
    log.warn(
      { version: olderThan.olderName, newer: olderThan.name },
      `the database belongs to a newer contract: this one is served, and changes nothing${olderThan.difference}`,
    );
}

/** A Unix-domain socket is there when its server is; a pooler says that it has no server yet. */
const isStarting = ({ code, syscall, message }: NodeJS.ErrnoException): boolean =>
  STARTING.has(code ?? '') || (code === 'ENOENT' && syscall === 'connect') || message.includes('server_login_retry');

async function retryWhileStarting<T>(log: Logger, database: string, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + START_TIMEOUT_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isStarting(error as NodeJS.ErrnoException) || performance.now() > until) throw error;
      if (attempt === 1) log.warn({ why: reasonOf(error) }, `waiting for ${database}`);
    }
    await delay(RETRY_MS);
  }
}
