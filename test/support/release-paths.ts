import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sample } from '../../contracts/samples/index.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { wantedBy } from '../../src/runtime/judged-contract.ts';
import type { DatabaseLocation } from '../../src/runtime/storage/database/database.ts';
import { openStore } from '../../src/runtime/storage/database/database.ts';
import { readMigrations } from '../../src/runtime/storage/migration/hand-written.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import type { MigrationTarget } from '../../src/runtime/storage/migration/target.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { lockedSqlite } from '../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { load, type SampleRow } from '../../src/tools/sample.ts';
import { contractOf } from './service.ts';

const SETTINGS = { sqliteSynchronous: 'normal', databaseConnections: 2, statementTimeoutMs: 60_000 } as const;

/** One release of a contract, with the files that it comes with. */
interface Release {
  readonly contract: string;
  /** Names of its files begin so. */
  readonly files: RegExp;
  /** The same rows in each release, as that one has them. */
  readonly rows: readonly SampleRow[];
}

/** A contract with all of its releases, the last of which is the present one. */
export interface Released {
  readonly name: string;
  /** Folder with the files of all releases. */
  readonly migrations: string;
  readonly releases: readonly Release[];
}

const products = [...sample()].filter(({ resource }) => resource === 'products').slice(0, 20);

const asTitled = ({ resource, values: { name, ...values } }: SampleRow): SampleRow => ({
  resource,
  values: { ...values, title: name },
});

const managed = (number: number) => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});

const vessel = (values: object): SampleRow => ({
  resource: 'vessels',
  values: { ...managed(1), name: 'Aurora', ...values },
});

/** The third release writes it where it is absent. */
const helsinki: SampleRow = { resource: 'harbours', values: { ...managed(101), code: 'HEL', name: 'Helsinki' } };

export const releasedContracts: readonly Released[] = [
  {
    name: 'the storefront',
    migrations: 'test/fixtures/storefront-migrations',
    releases: [
      { contract: 'contracts/released/v0', files: /^0000/, rows: products.map(asTitled) },
      { contract: 'contracts/released/v1', files: /^0001/, rows: products },
      { contract: 'contracts', files: /^0002/, rows: products },
    ],
  },
  {
    name: 'the ferry',
    migrations: 'test/fixtures/ferry/migrations',
    releases: [
      {
        contract: 'test/fixtures/ferry/1.0.0.yaml',
        files: /^0001/,
        rows: [vessel({ capacity: 120, status: 'SOLD' }), helsinki],
      },
      {
        contract: 'test/fixtures/ferry/2.0.0.yaml',
        files: /^0002/,
        rows: [vessel({ seats: 120, status: 'SOLD' }), helsinki],
      },
      { contract: 'test/fixtures/ferry/3.0.0.yaml', files: /^0003/, rows: [vessel({ seats: 120, status: 'LAID_UP' })] },
      {
        contract: 'test/fixtures/ferry/4.0.0.yaml',
        files: /^000[45]/,
        rows: [vessel({ seats: 120, status: 'LAID_UP', operator: 'unknown' })],
      },
    ],
  },
];

export const presentContract = ({ releases }: Released): Promise<CompiledContract> =>
  contractOf(releases.at(-1)!.contract);

/**
 * Migrates to a release, counted from 1, with the files that there were then, which are copied into `folder`. Throws `Killed`
 * in the place of the change after so many.
 */
export async function migrateTo(
  released: Released,
  number: number,
  location: DatabaseLocation,
  folder: string,
  changes = Number.POSITIVE_INFINITY,
): Promise<void> {
  const known = released.releases.slice(0, number);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(released.migrations))
    if (known.some(({ files }) => files.test(name))) await cp(join(released.migrations, name), join(folder, name));
  const contract = await contractOf(known.at(-1)!.contract);
  const migration = { ...wantedBy(contract), handWritten: await readMigrations(folder, location.kind) };
  await locked(location, (target) => migrate(mortal(target, changes), migration, { mayDrop: true }));
}

/** Inserts the rows as the release has them, counted from 1. */
export async function fill(released: Released, number: number, location: DatabaseLocation): Promise<void> {
  const { contract, rows } = released.releases[number - 1]!;
  const { resources } = await contractOf(contract);
  const store = await openStore(location, resources, SETTINGS);
  await load(store, resources, rows);
  await store.close();
}

/** Tables, rows and records of a database, whatever the order in which its columns were made. */
export function stateOf(released: Released, location: DatabaseLocation): Promise<unknown> {
  return locked(location, async (target) => {
    const { resources } = await presentContract(released);
    const live = await target.liveTables();
    const tables = await Promise.all(
      resources.map(async ({ table }) => {
        const { columns, indexes } = live.get(table)!;
        const names = [...columns.keys()].sort();
        const rows = await target.run(
          `select ${names.map(target.dialect.quote).join(', ')} from ${target.dialect.quote(table)} order by id`,
        );
        const shapes = names.map((name) => ({ name, ...columns.get(name)!, hasDefault: undefined }));
        return { table, shapes, indexes: [...indexes].sort(), rows };
      }),
    );
    return {
      tables,
      files: await target.run('select name from lockstep_migration order by name'),
      made: await target.run('select name from lockstep_object order by name'),
      contract: await target.run('select version, hash from lockstep_contract order by number desc limit 1'),
    };
  });
}

const locked = <T>(location: DatabaseLocation, work: (target: MigrationTarget) => Promise<T>): Promise<T> =>
  location.kind === 'sqlite' ? lockedSqlite(location.file, work) : lockedPostgres(location.url, work);

/** A migration was killed. */
export class Killed extends Error {}

/** A target that dies when so many of its changes are done; each step is a change of its own. */
function mortal(target: MigrationTarget, limit: number): MigrationTarget {
  let changes = 0;
  const live = (): void => {
    changes += 1;
    if (changes > limit) throw new Killed();
  };
  return {
    ...target,
    run: async (sql, values) => {
      if (!sql.startsWith('select')) live();
      return target.run(sql, values);
    },
    async make(steps, report) {
      for (const step of steps) {
        live();
        await target.make([step], report);
      }
    },
    async apply(file) {
      live();
      await target.apply(file);
    },
  };
}
