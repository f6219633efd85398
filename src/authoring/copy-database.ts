import { existsSync } from 'node:fs';
import { ConfigError, systemFault } from '../descriptor/config-error.ts';
import { wantedBy } from '../runtime/judged-contract.ts';
import { type Config, databaseWishes } from '../runtime/settings/index.ts';
import {
  copyRows,
  type DatabaseLocation,
  migrateDatabase,
  nameOf,
  openStore,
  planDatabase,
} from '../runtime/storage/database/index.ts';
import { checkMigrated } from '../runtime/storage/migration/index.ts';
import { commandConfig } from '../tools/command-config.ts';
import { createProgress } from '../tools/progress.ts';
import { contractFor } from '../tools/served-contract.ts';

const SETTINGS = { sqliteSynchronous: 'full', databaseConnections: 4, statementTimeoutMs: 600_000 } as const;

export interface CopyOptions {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  /** Folder of the contract; undefined: the generated one. */
  readonly contracts?: string | undefined;
}

/**
 * Copies all rows of a database of the contract into an empty one, compares them, and prints the counts. On Postgres, the tables are in
 * `LOCKSTEP_SCHEMA` unless the URL names another schema by `lockstep_schema`.
 */
export async function copyDatabase({ contracts, ...places }: CopyOptions): Promise<void> {
  const contract = await contractFor({ contracts, handlers: undefined, sample: undefined });
  const { resources } = contract;
  if (resources.some(({ mapped }) => mapped))
    throw new ConfigError([
      'A contract with tables that x-table maps is not copied: another application has their rows.',
    ]);
  const from = places.from.kind === 'postgres' ? settingsFor(places.from).database : places.from;
  const config = settingsFor(places.to);
  const { database: to, migrationsDir } = config;
  if (from.kind === 'sqlite' && !existsSync(from.file))
    throw new ConfigError([`--from: file not found: ${from.file}.`]);
  const source = await opened('--from', from, async () => {
    checkMigrated(await planDatabase(from, { resources }, migrationsDir));
    return openStore(from, resources, SETTINGS);
  });
  const target = await opened('--to', to, async () => {
    const wanted = { ...wantedBy(contract, to.kind), ...databaseWishes(config) };
    await migrateDatabase(to, wanted, migrationsDir, { isFilledByCopy: true });
    return openStore(to, resources, SETTINGS);
  });
  const progress = createProgress('rows');
  try {
    const counts = await copyRows(source, target, resources, progress.report);
    progress.end();
    for (const [resource, count] of counts)
      console.log(`${resource}: ${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}, all the same`);
    console.log('Jobs of the copy are held until `npm run jobs -- release`.');
  } finally {
    await source.close();
    await target.close();
  }
}

/** Those of a server of a database. */
function settingsFor(place: DatabaseLocation): Config {
  if (place.kind === 'postgres') return commandConfig({ DATABASE_URL: place.url });
  return { ...commandConfig({ LOCKSTEP_SCHEMA: '' }), database: place };
}

async function opened<T>(option: string, place: DatabaseLocation, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw systemFault(option, nameOf(place), error);
  }
}
