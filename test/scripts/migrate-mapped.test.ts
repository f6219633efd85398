import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../../src/tools/postgres-database.ts';
import { runHere } from '../support/command.ts';
import { hasPostgres } from '../support/postgres.ts';
import { tradeTables } from '../support/trade.ts';

const CONTRACTS = 'test/fixtures/trade';

/** The line of the contract that has a text, as reports write it. */
async function lineOf(text: string): Promise<string> {
  const lines = (await readFile(`${CONTRACTS}/openapi.yaml`, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.startsWith(text));
  expect(at).toBeGreaterThan(0);
  return `${CONTRACTS}/openapi.yaml:${at + 1}: `;
}

describe.runIf(hasPostgres)('on tables of others', () => {
  let database: Awaited<ReturnType<typeof tradeTables>>;
  beforeAll(async () => {
    database = await tradeTables();
  });
  afterAll(() => database.giveBack());

  const migrate = (...flags: string[]) =>
    runHere('scripts/migrate.ts', ['--contracts', CONTRACTS, ...flags], { DATABASE_URL: database.url });
  const schema = () =>
    execFileSync('pg_dump', ['-s', '-n', 'shop', '--restrict-key=x', database.url], { encoding: 'utf8' });

  it('migrate makes the tables of Lockstep alone, and its check names drift by file and line', async () => {
    const before = schema();
    expect(await migrate()).toMatchObject({ code: 0 });
    expect(schema()).toBe(before);
    const fits = await migrate('--check');
    expect(fits).toMatchObject({ code: 0, stdout: expect.stringContaining('is up to date.') });
    const line = await lineOf('    Customer:');
    expect(fits.stdout).toContain(`Note: ${line}shop.customers (Customer) has columns that the contract lacks`);

    await administer(database.url, 'alter table shop.customers alter tier drop not null; drop table shop.notes');
    const { code, stdout } = await migrate('--check');
    expect(code).toBe(1);
    expect(stdout).toContain('The contract and the tables that it maps part:');
    expect(stdout).toContain(`  ${await lineOf('        tier:')}shop.customers: Customer.tier is required, but`);
    expect(stdout).toContain(`  ${await lineOf('    Note:')}shop.notes (Note) is not there`);
  });

  it('the check asks for no tables of Lockstep where a server needs none', async () => {
    const { url, giveBack } = await tradeTables();
    const settings = { DATABASE_URL: url, SERVE_READS_ONLY: 'true', LOCKSTEP_SECRET: '01'.repeat(32) };
    const found = await runHere('scripts/migrate.ts', ['--contracts', CONTRACTS, '--check'], settings);
    await giveBack();
    expect(found).toMatchObject({ code: 0, stdout: expect.stringMatching(/is up to date\.\nNote: /) });
  });

  it('copy refuses the contract, from and into any database', async () => {
    const { code, stderr } = await runHere('scripts/copy.ts', [
      ...['--contracts', CONTRACTS, '--from', database.url, '--to', 'sqlite:/nowhere/copy.db'],
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('A contract with tables that x-table maps is not copied');
  });
});
