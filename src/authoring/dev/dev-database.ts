import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { wantedBy } from '../../runtime/judged-contract.ts';
import { type Config, databaseWishes } from '../../runtime/settings/index.ts';
import { nameOf, planDatabase } from '../../runtime/storage/database/index.ts';
import type { MigrationPlan } from '../../runtime/storage/migration/index.ts';
import { liveTables } from '../../runtime/storage/sqlite/index.ts';
import { CommandFailure } from '../../tools/command-failure.ts';
import { fitTables } from './fit-tables.ts';

type Contract = Parameters<typeof wantedBy>[0];

/** How often a database is looked at. */
const LOOK_MS = 1_000;

/** The database that is developed with. A file that no setting names is dev's own: this alone is ever reset. */
export class DevDatabase {
  readonly #config: Config;
  readonly #own: string | undefined;
  /** Of the latest look; a later start or reset ends it. */
  #looking = new AbortController();

  constructor(config: Config) {
    const { database } = config;
    this.#config = config;
    this.#own = database.kind === 'sqlite' && !process.env['DATABASE_URL'] ? database.file : undefined;
  }

  get name(): string {
    return nameOf(this.#config.database);
  }

  /** Gives tables the shape that the contract needs, where no row stands against it, and returns their names. */
  async fit(contract: Contract): Promise<readonly string[]> {
    const { database, isProduction, migrateAtBoot } = this.#config;
    if (isProduction || !migrateAtBoot) return [];
    const plan = await this.#plan(contract).catch(() => undefined);
    if (plan?.pending.length !== 0 || !isRefused(plan)) return [];
    return fitTables(database, contract.resources, this.#own !== undefined).catch(() => []);
  }

  /** Whether the server cannot start for the sake of the database. */
  async refuses(contract: Contract): Promise<boolean> {
    return this.#plan(contract).then(isRefused, () => true);
  }

  /** What a reset would lose, and how to ask for it; empty for a database that is not dev's own. */
  offer(): string {
    if (this.#own === undefined || !existsSync(this.#own)) return '';
    const rows = countRows(this.#own).map(([table, count]) => `${table} (${count.toLocaleString('en')})`);
    const lost = rows.length === 0 ? 'It has no rows' : `All rows are lost: ${rows.join(', ')}`;
    const key = process.stdin.isTTY ? 'press r and Enter, or ' : '';
    return `To reset ${this.#own}, ${key}start with --reset. ${lost}.`;
  }

  /** Deletes dev's own database. Throws `CommandFailure` for any other. */
  reset(): void {
    if (this.#own === undefined)
      throw new CommandFailure(`--reset: ${this.name} is named by DATABASE_URL, and not reset.`);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.#own}${suffix}`, { force: true });
  }

  /** Calls back once the file of a database that is served is gone, or another one. */
  watchFile(changed: () => void): void {
    const file = this.#own;
    if (file === undefined) return;
    const served = identityOf(file);
    void this.#watch(() => identityOf(file) !== served, changed);
  }

  /** Calls back once the database no longer stands against the contract, with no file left to run, or is new. */
  watchShape(contract: Contract, mended: () => void): void {
    const isMended = async (): Promise<boolean> => {
      const plan = await this.#plan(contract).catch(() => undefined);
      return plan !== undefined && (plan.isNew || plan.pending.length === 0) && !isRefused(plan);
    };
    void this.#watch(isMended, mended);
  }

  /** Ends whatever is watched. */
  leave(): void {
    this.#looking.abort();
  }

  async #watch(holds: () => boolean | Promise<boolean>, then: () => void): Promise<void> {
    this.leave();
    this.#looking = new AbortController();
    const { signal } = this.#looking;
    do {
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    } while (!(await holds()));
    if (!signal.aborted) then();
  }

  #plan(contract: Contract): Promise<MigrationPlan> {
    const { database, migrationsDir } = this.#config;
    return planDatabase(
      database,
      { ...wantedBy(contract, database.kind), ...databaseWishes(this.#config) },
      migrationsDir,
    );
  }
}

const isRefused = ({ differences }: MigrationPlan): boolean => differences.some(({ isHarmless }) => !isHarmless);

const identityOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

/** The tables that have rows, without Lockstep's own. */
function countRows(file: string): readonly (readonly [table: string, rows: number])[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = [...liveTables(database).keys()].filter((name) => !/^(?:lockstep|sqlite)_|_row$/.test(name));
    return tables
      .map((name) => [name, database.prepare(`select count(*) as n from "${name}"`).get()!['n'] as number] as const)
      .filter(([, rows]) => rows > 0);
  } finally {
    database.close();
  }
}
