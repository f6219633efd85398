import { parseArgs } from 'node:util';
import { systemFault } from '../src/descriptor/config-error.ts';
import type { Difference } from '../src/descriptor/migration/plan.ts';
import type { ResourceDescriptor } from '../src/descriptor/resource.ts';
import { type Config, readConfig } from '../src/runtime/settings/config.ts';
import { migrateDatabase, nameOf, planDatabase } from '../src/runtime/storage/database/database.ts';
import type { MigrationPlan } from '../src/runtime/storage/migration/migrator.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { UsageError } from '../src/tools/command/start-options.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';
import { databaseFor } from '../src/tools/start/database-for.ts';
import { contractFor } from '../src/tools/start/served-contract.ts';

const USAGE = `Usage: npm run migrate -- [--check] [--contracts DIR]

Runs the files of migrations/ that have not run on the database of DATABASE_URL, each once, in the order of their
names; then makes the tables, columns and indexes that the contract needs. What could lose data is refused.

  --check          changes nothing; exits with 1 when there is something to do
  --contracts DIR  for this contract instead of contracts/`;

helpIfAsked(USAGE);

interface Flags {
  readonly check: boolean;
  readonly contracts: string | undefined;
}

function readFlags(): Flags {
  try {
    const { values } = parseArgs({ options: { check: { type: 'boolean' }, contracts: { type: 'string' } } });
    return { check: values.check ?? false, contracts: values.contracts };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

async function run({ check, contracts }: Flags): Promise<number> {
  const options = { contracts, handlers: undefined, sample: undefined };
  const config = databaseFor(options, readConfig({ JWT_SECRET: undefined, ...process.env, NODE_ENV: 'development' }));
  const { resources } = await contractFor(options);
  try {
    return check ? await tellPlan(config, resources) : await migrate(config, resources);
  } catch (error) {
    throw systemFault('DATABASE_URL', nameOf(config.database), error);
  }
}

async function migrate({ database, migrationsDir }: Config, resources: readonly ResourceDescriptor[]): Promise<number> {
  const { done, remarks } = await migrateDatabase(database, resources, migrationsDir);
  console.log(done.length === 0 ? `${nameOf(database)} is up to date.` : `Done on ${nameOf(database)}:`);
  for (const what of done) console.log(`  ${what}`);
  tellRemarks(remarks);
  return 0;
}

async function tellPlan(
  { database, migrationsDir }: Config,
  resources: readonly ResourceDescriptor[],
): Promise<number> {
  const plan = await planDatabase(database, resources, migrationsDir);
  const { pending, steps } = plan;
  const harmful = plan.differences.filter(({ isHarmless }) => !isHarmless);
  const count = pending.length + steps.length + harmful.length;
  console.log(count === 0 ? `${nameOf(database)} is up to date.` : `To do on ${nameOf(database)}:`);
  tellSteps(plan);
  if (harmful.length > 0) console.log('Refused, because data could be lost:');
  for (const difference of harmful) tell(difference);
  tellRemarks(plan.differences.filter(({ isHarmless }) => isHarmless));
  return count === 0 ? 0 : 1;
}

function tellSteps({ pending, steps }: MigrationPlan): void {
  for (const { name } of pending) console.log(`  migrations/${name}`);
  for (const { what, sql } of steps) console.log(`  ${what}\n    ${sql};`);
}

function tellRemarks(remarks: readonly Difference[]): void {
  if (remarks.length > 0) console.log('Left alone, for it does no harm:');
  for (const remark of remarks) tell(remark);
}

function tell({ what, byHand }: Difference): void {
  console.log(`  ${what}`);
  for (const sql of byHand) console.log(`    ${sql};`);
}

try {
  process.exitCode = await run(readFlags());
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
}
