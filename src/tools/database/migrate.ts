import { systemFault } from '../../descriptor/config-error.ts';
import type { Difference } from '../../descriptor/migration/plan.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { type Config, readConfig } from '../../runtime/settings/config.ts';
import { migrateDatabase, nameOf, planDatabase } from '../../runtime/storage/database/database.ts';
import type { MigrationPlan } from '../../runtime/storage/migration/migrator.ts';
import { databaseFor } from '../start/database-for.ts';
import { contractFor } from '../start/served-contract.ts';

export interface MigrateOptions {
  /** Prints what there is to do, and changes nothing. */
  readonly check?: boolean | undefined;
  /** Folder of the contract; undefined: the generated one. */
  readonly contracts?: string | undefined;
}

/** Brings a database to the shape of the contract. Resolves with the exit code: 1 when `check` finds something to do. */
export async function migrate({ check, contracts }: MigrateOptions): Promise<number> {
  const options = { contracts, handlers: undefined, sample: undefined };
  const config = databaseFor(options, readConfig({ JWT_SECRET: undefined, ...process.env, NODE_ENV: 'development' }));
  const { resources } = await contractFor(options);
  try {
    return check ? await printPlan(config, resources) : await run(config, resources);
  } catch (error) {
    throw systemFault('DATABASE_URL', nameOf(config.database), error);
  }
}

async function run({ database, migrationsDir }: Config, resources: readonly ResourceDescriptor[]): Promise<number> {
  const { done, remarks } = await migrateDatabase(database, resources, migrationsDir);
  console.log(done.length === 0 ? `${nameOf(database)} is up to date.` : `Done on ${nameOf(database)}:`);
  for (const what of done) console.log(`  ${what}`);
  printRemarks(remarks);
  return 0;
}

async function printPlan(
  { database, migrationsDir }: Config,
  resources: readonly ResourceDescriptor[],
): Promise<number> {
  const plan = await planDatabase(database, resources, migrationsDir);
  const { pending, steps } = plan;
  const harmful = plan.differences.filter(({ isHarmless }) => !isHarmless);
  const count = pending.length + steps.length + harmful.length;
  console.log(count === 0 ? `${nameOf(database)} is up to date.` : `To do on ${nameOf(database)}:`);
  printSteps(plan);
  if (harmful.length > 0) console.log('Refused, because data could be lost:');
  for (const difference of harmful) print(difference);
  printRemarks(plan.differences.filter(({ isHarmless }) => isHarmless));
  return count === 0 ? 0 : 1;
}

function printSteps({ pending, steps }: MigrationPlan): void {
  for (const { name } of pending) console.log(`  migrations/${name}`);
  for (const { what, sql } of steps) console.log(`  ${what}\n    ${sql};`);
}

function printRemarks(remarks: readonly Difference[]): void {
  if (remarks.length > 0) console.log('Left alone, for it does no harm:');
  for (const remark of remarks) print(remark);
}

function print({ what, byHand }: Difference): void {
  console.log(`  ${what}`);
  for (const sql of byHand) console.log(`    ${sql};`);
}
