import { parseArgs } from 'node:util';
import { systemFault } from '../src/descriptor/config-error.ts';
import { databaseUrl } from '../src/runtime/settings/setting-kinds.ts';
import { copyRows } from '../src/runtime/storage/database/copy.ts';
import {
  type DatabaseLocation,
  migrateDatabase,
  nameOf,
  openStore,
  planDatabase,
} from '../src/runtime/storage/database/database.ts';
import { checkMigrated } from '../src/runtime/storage/migration/migrator.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { UsageError } from '../src/tools/command/start-options.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';
import { contractFor } from '../src/tools/start/served-contract.ts';

const USAGE = `Usage: npm run copy -- --from URL --to URL [--contracts DIR]

Copies all rows of a database into an empty one, and compares them row by row. URLs are those of DATABASE_URL:
sqlite:data/lockstep.db, postgres://user:password@host/database. Stop the servers that write to either meanwhile.`;

helpIfAsked(USAGE);

const MIGRATIONS = 'migrations';
const SETTINGS = { sqliteSynchronous: 'full', databaseConnections: 4, statementTimeoutMs: 600_000 } as const;

interface Flags {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  readonly contracts: string | undefined;
}

function readFlags(): Flags {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ options: { from: text, to: text, contracts: text } });
    return { from: location('--from', values.from), to: location('--to', values.to), contracts: values.contracts };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function location(flag: string, url: string | undefined): DatabaseLocation {
  if (url === undefined) throw new Error(`${flag} is missing.`);
  try {
    return databaseUrl.read(url);
  } catch {
    throw new Error(`${flag} accepts ${databaseUrl.accepts}.`);
  }
}

async function opened<T>(flag: string, place: DatabaseLocation, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw systemFault(flag, nameOf(place), error);
  }
}

async function run({ from, to, contracts }: Flags): Promise<void> {
  const { resources } = await contractFor({ contracts, handlers: undefined, sample: undefined });
  const source = await opened('--from', from, async () => {
    checkMigrated(await planDatabase(from, resources, MIGRATIONS));
    return openStore(from, resources, SETTINGS);
  });
  const target = await opened('--to', to, async () => {
    await migrateDatabase(to, resources, MIGRATIONS);
    return openStore(to, resources, SETTINGS);
  });
  try {
    const counts = await copyRows(source, target, resources);
    for (const [resource, count] of counts)
      console.log(`${resource}: ${count.toLocaleString('en')} rows, all the same`);
  } finally {
    await source.close();
    await target.close();
  }
}

try {
  await run(readFlags());
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}
