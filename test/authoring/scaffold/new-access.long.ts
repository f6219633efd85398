import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { readSuite } from '../../../src/proving/access-tests/read-suite.ts';
import { runSuite } from '../../../src/proving/access-tests/run-suite.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { withInvalidContract } from '../../support/invalid-contracts.ts';

const newAccess = (contracts: string) =>
  runHere('scripts/new.ts', ['access', '--contracts', contracts, '--out', join(contracts, '..', 'generated')]);

interface Written {
  readonly callers: Readonly<Record<string, object>>;
  readonly tests: readonly { who: string | string[]; action: string; expect: unknown; row?: string }[];
}

/** The file that is written for a copy of a contract, which its own tests pass, and what they say of an action. */
async function written(from: string, work: (file: Written, text: string, path: string) => Promise<void> | void) {
  await withFolder({}, async (folder) => {
    const contracts = join(folder, 'contracts');
    await cp(from, contracts, { recursive: true });
    const path = join(contracts, 'access.yaml');
    await rm(path, { force: true });
    const { code, stdout } = await newAccess(contracts);
    expect(code).toBe(0);
    expect(stdout).toContain(`Wrote ${path}\n`);
    const text = await readFile(path, 'utf8');
    const { model } = await modelContract(contracts);
    const { suite, findings } = readSuite(text, model!);
    expect(findings).toEqual([]);
    expect((await runSuite(model!, suite!)).findings).toEqual([]);
    await work(parse(text), text, contracts);
  });
}

const said = ({ tests }: Written, action: string, row?: string) =>
  Object.fromEntries(
    tests
      .filter((test) => test.action === action && (row === undefined || test.row === row))
      .flatMap(({ who, expect: answer }) => [who].flat().map((one) => [one, answer])),
  );

it('tests of access for the storefront: owners, scopes that exempt from rules, those without a scope and anonymous ones', () =>
  written('contracts', async (file, text, contracts) => {
    expect(Object.keys(file.callers)).toEqual([
      ...['somebody', 'other', 'usersAdmin', 'reviewsAdmin', 'ordersAdmin', 'unscoped'],
    ]);
    expect(said(file, 'orders.get')).toEqual({
      ...{ anonymous: 'unauthenticated', unscoped: 'forbidden' },
      ...{ somebody: 'allowed', ordersAdmin: 'allowed' },
      ...{ other: 'not found', usersAdmin: 'not found', reviewsAdmin: 'not found' },
    });
    expect(said(file, 'products.reviews.create')).toMatchObject({
      anonymous: 'unauthenticated',
      unscoped: 'forbidden',
    });
    expect(said(file, 'orders.items.get')).toMatchObject({ somebody: 'allowed', other: 'not found' });
    expect(said(file, 'products.get')).toEqual({});
    expect(text).toContain(
      '  # Review\n  # Belongs to the caller whose `sub` is its `userId`. Others may read it. Callers with the scope',
    );
    const { code, stdout } = await runHere('scripts/contract.ts', ['--contracts', contracts, '--only', 'access']);
    expect(code).toBe(0);
    expect(stdout).toContain('✓ access');
  }));

it('tests of access for rules of tenants, of other rows, of states and of properties', () =>
  written('test/fixtures/tracker', (file) => {
    expect(said(file, 'teams.create')).toMatchObject({
      anonymous: 'unauthenticated',
      other: 'forbidden',
      teamsWrite: 'allowed',
    });
    expect(said(file, 'projects.get', 'project')).toMatchObject({
      ...{ somebody: 'allowed', other: { null: ['budget'] } },
      ...{ foreigner: 'not found', anonymous: 'not found' },
    });
    expect(said(file, 'projects.get', 'otherProject')).toMatchObject({ somebody: 'allowed', other: 'not found' });
    expect(said(file, 'issues.list')).toMatchObject({ other: { listed: ['issue'] }, foreigner: { hidden: ['issue'] } });
    expect(said(file, 'teams.members.update')).toMatchObject({ somebody: 'allowed', trackerOperate: 'forbidden' });
  }));

it.each(['practice', 'payroll', 'workshop', 'atlas', 'depot'])('tests of access that pass as they are: %s', (fixture) =>
  written(`test/fixtures/${fixture}`, ({ tests }) => {
    expect(tests.length).toBeGreaterThan(4);
  }),
);

it('tests of access are not written over others', () =>
  withFolder({}, async (folder) => {
    await cp('test/fixtures/practice', folder, { recursive: true });
    const path = join(folder, 'access.yaml');
    const before = await readFile(path, 'utf8');
    const { code, stderr } = await newAccess(folder);
    expect([code, stderr]).toEqual([1, `${path} exists already. Nothing was written.\n`]);
    expect(await readFile(path, 'utf8')).toBe(before);
  }));

it('there are no tests of access for a contract without rules, or with errors', () =>
  withFolder({}, async (folder) => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const { code, stderr } = await newAccess(folder);
    expect(code).toBe(1);
    expect(stderr).toContain('No resource of this contract has access rules');
    const faulty = await withInvalidContract('access-unknown', newAccess);
    expect(faulty.code).toBe(1);
    expect(faulty.stderr).toContain('Nothing was written.');
  }));

it('`new access` takes no name, and everything else that is new has one', async () => {
  const named = await runHere('scripts/new.ts', ['access', 'books']);
  expect([named.code, named.stderr]).toMatchObject([2, expect.stringContaining('takes no books')]);
  const unnamed = await runHere('scripts/new.ts', ['field']);
  expect([unnamed.code, unnamed.stderr]).toMatchObject([
    2,
    expect.stringContaining("missing required argument 'name'"),
  ]);
});
