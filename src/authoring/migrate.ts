import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemFault } from '../descriptor/config-error.ts';
import { childPointer } from '../descriptor/json-pointer.ts';
import type { NewerContract } from '../descriptor/migration/contract-record.ts';
import { type Difference, proposedFile, type Step } from '../descriptor/migration/step.ts';
import { wantedBy } from '../runtime/judged-contract.ts';
import { hasNoOwnTables } from '../runtime/open-database.ts';
import { type Config, databaseWishes } from '../runtime/settings/index.ts';
import { driftIn, migrateDatabase, nameOf, planDatabase, type Wanted } from '../runtime/storage/database/index.ts';
import {
  type HandWritten,
  type MigrationPlan,
  type OldInstances,
  orderOf,
  type Unpaired,
  unpairedIn,
  whyRecorded,
} from '../runtime/storage/migration/index.ts';
import { commandConfig } from '../tools/command-config.ts';
import { contractFor } from '../tools/served-contract.ts';
import { OWN_CONTRACTS } from '../tools/start-options.ts';
import { createStatusLine } from '../tools/status-line.ts';
import { databaseFor } from './start/database-for.ts';

export interface MigrateOptions {
  /** Prints what there is to do, and changes nothing. */
  readonly check?: boolean | undefined;
  /** Prints all SQL of the plan, however long. */
  readonly sql?: boolean | undefined;
  /** Migrates to a contract that is older than the one the database belongs to. */
  readonly evenIfOlder?: boolean | undefined;
  /** Forgets by which clock ids have been made. */
  readonly resetClock?: boolean | undefined;
  /** Folder of the contract; undefined: the generated one. */
  readonly contracts?: string | undefined;
}

/** Brings a database to the shape of the contract. Resolves with the exit code: 1 when `check` finds something to do. */
export async function migrate(given: MigrateOptions): Promise<number> {
  const { check, sql, evenIfOlder = false, contracts } = given;
  const options = { contracts, handlers: undefined, sample: undefined };
  const config = databaseFor(options, commandConfig());
  const wanted = { ...wantedBy(await contractFor(options), config.database.kind), ...databaseWishes(config) };
  try {
    return check ? await printPlan(config, wanted, { evenIfOlder, sql, contracts }) : await run(config, wanted, given);
  } catch (error) {
    throw systemFault('DATABASE_URL', nameOf(config.database), error);
  }
}

async function run(
  { database, migrationsDir }: Config,
  wanted: Wanted,
  { evenIfOlder = false, resetClock = false }: MigrateOptions,
): Promise<number> {
  const line = createStatusLine(process.stderr);
  const migrated = migrateDatabase(database, wanted, migrationsDir, {
    mayDrop: true,
    evenIfOlder,
    resetClock,
    sparesInstances: true,
    report: (what, estimate) => {
      line.end();
      if (estimate) console.log(`${what}: ${estimate}`);
      line.show(`${what} …`);
    },
  });
  const { done, remarks, olderThan } = await migrated.finally(line.end);
  await printUnpaired(migrationsDir);
  if (olderThan !== undefined) {
    printOlder(olderThan);
    return 0;
  }
  console.log(done.length === 0 ? `${nameOf(database)} is up to date.` : `Done on ${nameOf(database)}:`);
  for (const what of done) console.log(`  ${what}`);
  printRemarks(remarks);
  return 0;
}

async function printPlan(
  config: Config,
  wanted: Wanted,
  { evenIfOlder, sql, contracts }: MigrateOptions,
): Promise<number> {
  const { database, migrationsDir } = config;
  const line = createStatusLine(process.stderr);
  const isNew = database.kind === 'sqlite' && !existsSync(database.file);
  // A look at what is not there makes nothing.
  const looked = isNew ? ({ kind: 'sqlite', file: ':memory:' } as const) : database;
  const drift = await driftIn(database, wanted.resources);
  const placeOf = await placesIn(contracts ?? OWN_CONTRACTS, drift.length > 0);
  const parted = drift.filter(({ isError }) => isError);
  const printDrift = (): void => {
    if (parted.length > 0) console.log('The contract and the tables that it maps part:');
    for (const one of parted) console.log(`  ${placeOf(one)}${one.what}`);
    for (const one of drift) if (!one.isError) console.log(`Note: ${placeOf(one)}${one.what}`);
  };
  const printCount = (count: number): void =>
    console.log(count === 0 ? `${nameOf(database)} is up to date.` : `To do on ${nameOf(database)}:`);
  if (hasNoOwnTables(config, wanted.resources)) {
    printCount(parted.length);
    printDrift();
    return parted.length === 0 ? 0 : 1;
  }
  const plan = await planDatabase(looked, wanted, migrationsDir, (what) => line.show(`${what} …`)).finally(line.end);
  if (plan.olderThan && !evenIfOlder) {
    printOlder(plan.olderThan);
    return 0;
  }
  await printUnpaired(migrationsDir);
  const { own, pending, steps, isPartial } = plan;
  const harmful = plan.differences.filter(({ isHarmless }) => !isHarmless);
  const count = own.length + pending.length + steps.length + harmful.length + parted.length;
  printCount(count);
  printSteps(plan, sql);
  if (isPartial)
    console.log(
      'Files that run outside a transaction are not tried. The following plan assumes that they have not run.',
    );
  if (harmful.length > 0) console.log('Refused, because data could be lost or rows do not meet the contract:');
  for (const difference of harmful) print(difference, plan.isNew);
  printRemarks(plan.differences.filter(({ isHarmless }) => isHarmless));
  printDrift();
  return count === 0 ? 0 : 1;
}

/** The line of a property or schema in the files of a contract; empty if they are not there. */
async function placesIn(
  folder: string,
  isNeeded: boolean,
): Promise<(one: { readonly resource: string; readonly property?: string }) => string> {
  const nowhere = () => '';
  if (!isNeeded) return nowhere;
  const { hasContract } = await import('../compiler/read/index.ts');
  if (!(await hasContract(folder))) return nowhere;
  const { readEdition } = await import('../compiler/gate/index.ts');
  const { edition } = await readEdition(folder);
  return ({ resource, property }) => {
    const member = property === undefined ? [] : ['properties', property];
    const place = edition?.at(['components', 'schemas', resource, ...member].reduce(childPointer, ''));
    return place ? `${join(folder, place.file)}:${place.line}: ` : '';
  };
}

const printOlder = ({ name, olderName, difference }: NewerContract): void =>
  console.log(
    `The database belongs to a newer contract (${name}); this one (${olderName}) is served in addition, and changes nothing${difference}. ` +
      'To go back to it, add --even-if-older.',
  );

/** In the SQL of rows that are done some at a time. */
const ROWS_SHOWN = 100;
/** Longer SQL lists characters of all scripts, for a search by words: a plan has its beginning. */
const MAX_SQL = 2_000;
const beginning = (sql: string): string =>
  `${/^.{0,100}(?=\s)/.exec(sql)![0]} … (${sql.length.toLocaleString('en')} characters of SQL; --sql prints them)`;

function printSteps(plan: MigrationPlan, isWhole = false): void {
  const { own, pending, steps, isNew, old } = plan;
  const { before, after, recorded } = orderOf(pending, isNew);
  const effectOn = ({ name, marks }: HandWritten) =>
    old ? `: ${effectOf(plan.effects?.find((effect) => effect.name === name)?.breaks, old, marks)}` : '';
  if (own.length > 0) console.log("  bring Lockstep's own tables up to date");
  for (const file of before) console.log(`  migrations/${file.name}${effectOn(file)}`);
  const isFirst = ({ isShape }: Step): boolean => isShape === true && !isNew && after.length > 0;
  const printAfter = (): void => {
    for (const file of after) console.log(`  migrations/${file.name}${effectOn(file)}`);
  };
  const inOrder = [...steps.filter(isFirst), ...steps.filter((step) => !isFirst(step))];
  const afterAt = isNew ? steps.length : steps.filter(isFirst).length;
  for (const [at, { what, sql, rows, estimate }] of inOrder.entries()) {
    if (at === afterAt) printAfter();
    const text = [sql, ...(rows?.pieces?.next(ROWS_SHOWN, undefined) ?? [])].filter((one) => one !== '').join(';\n');
    console.log(`  ${estimate ? `${what}: ${estimate}` : what}`);
    const breaks = plan.effects?.find((effect) => effect.name === what)?.breaks ?? [];
    if (old && breaks.length > 0) console.log(`    ${effectOf(breaks, old)}`);
    console.log(`    ${isWhole || text.length <= MAX_SQL ? `${text};` : beginning(text)}`);
  }
  if (afterAt >= inOrder.length) printAfter();
  for (const file of recorded) console.log(`  ${whyRecorded(file)}`);
  const isBroken = plan.effects?.some(
    ({ name, breaks = [] }) => breaks.length > 0 && steps.some(({ what }) => what === name),
  );
  if (old && steps.length > 0 && !isBroken)
    console.log(`  Instances of ${old.version} go on with the changes of the contract.`);
}

/** What a file or a step does to running instances, in words. `marks`: of the file. */
function effectOf(
  breaks: readonly string[] | undefined,
  { version }: OldInstances,
  marks?: HandWritten['marks'],
): string {
  if (!breaks) return `not tried; whether instances of ${version} go on is not known`;
  if (breaks.length === 0) return `instances of ${version} go on`;
  const isUnmarked = marks && !marks.has('breaks old instances');
  const todo = isUnmarked ? '; it is refused without a line at its top: -- lockstep: breaks old instances' : '';
  return `breaks instances of ${version} (${breaks.join('; ')})${todo}`;
}

/** The other database lacks what a file for one of them does, unless that is intended. */
async function printUnpaired(folder: string): Promise<void> {
  for (const one of await unpairedIn(folder)) console.log(`Warning: ${unpairedWords(one)}`);
}

const unpairedWords = ({ name, counterpart }: Unpaired): string =>
  `migrations/${name} has no ${counterpart}. Write it, or add the line \`-- lockstep: this database alone\`.`;

function printRemarks(remarks: readonly Difference[]): void {
  if (remarks.length > 0) console.log('Left alone, for it does no harm:');
  for (const remark of remarks) print(remark);
}

function print(difference: Difference, isNew = false): void {
  console.log(`  ${difference.what}`);
  for (const line of proposedFile(difference, isNew)) console.log(`    ${line}`);
}
