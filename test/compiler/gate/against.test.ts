import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { allowed, BREAK, breaking, breakingBoth, errorsOf, moreSorts, withRepository } from './support/branch.ts';

describe('a baseline that the branch', () => {
  test('leaves alone: a break is an error, with the operations and fields that it touches', () =>
    withRepository(async (repository) => {
      await breaking(repository);
      const { code, stdout } = await repository.check();
      expect(code).toBe(1);
      expect(stdout).toMatch(/✗ changes +1 change since the merge base [0-9a-f]{7}, compared with 1\.0\.0: major\n/);
      expect(stdout).toContain(BREAK);
      expect(stdout).toContain('Touches listCats, Query.cats. This breaks clients of 1.0.0.');
    }));

  test('removes: the verdict is the same, and that is an error itself', () =>
    withRepository(async (repository) => {
      await breakingBoth(repository);
      const untouched = errorsOf((await repository.check()).stdout);
      await repository.remove('contracts/released');
      repository.commit();
      const { code, stdout } = await repository.check();
      expect(code).toBe(1);
      expect(errorsOf(stdout).filter((rule) => rule !== 'baseline-changed')).toEqual(untouched);
      expect(stdout).toMatch(/^released\/releases\.json:1:1 {2}error {2}baseline-changed/m);
    }));
});

test('a release that the branch records passes as `npm run release` writes it, and is judged by the one before', () =>
  withRepository(async (repository) => {
    await moreSorts(repository);
    await repository.release();
    const { code, stdout } = await repository.check();
    expect(stdout).toMatch(/^✓ changes +\d+ changes since the merge base [0-9a-f]{7}, compared with 1\.0\.0: minor\n/);
    expect(stdout).toContain("Enum value 'COLOUR_ASC' was added to enum 'CatSort'. Touches Query.cats.");
    expect(code).toBe(0);
  }));

test('what git does not have is exit 2, with what to do', () =>
  withRepository(async (repository) => {
    const { git, folder, commit, check } = repository;
    await allowed(repository);
    commit();
    expect(await check('contracts', '--against', 'origin/nothing')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--against: git has no commit origin\/nothing\. Fetch it first/),
    });
    git('checkout', '-q', '--orphan', 'alone');
    commit();
    expect(await check()).toMatchObject({ code: 2, stderr: '--against: main and HEAD have no commit in common.\n' });
    git('checkout', '-q', 'work');
    git('clone', '-q', '--depth', '1', '--no-single-branch', `file://${folder}`, 'shallow');
    const shallow = await check('shallow/contracts', '--against', 'origin/main');
    expect(shallow.code).toBe(2);
    expect(shallow.stderr).toContain('this clone is shallow and does not have the merge base with origin/main.');
    expect(shallow.stderr).toContain('`fetch-depth: 0` of actions/checkout, or `git fetch --unshallow`');
    git('-C', 'shallow', 'fetch', '-q', '--unshallow');
    expect(await check('shallow/contracts', '--against', 'origin/main')).toMatchObject({ code: 0 });
  }));

test('programs get the operations and fields of each change, too', () =>
  withRepository(async (repository) => {
    await allowed(repository);
    const { stdout } = await repository.check('contracts', '--format', 'json');
    expect(JSON.parse(stdout)[0].changes).toMatchObject([
      { impact: 'minor', operations: ['listCats'], fields: ['Query.cats'] },
    ]);
  }));

test('where the check of changes is left out, there is nothing to compare', async () => {
  const { code, stderr } = await runHere('scripts/contract.ts', ['--only', 'drift', '--against', 'main']);
  expect(code).toBe(2);
  expect(stderr).toContain('error: --against is of the check changes, which --only leaves out');
});
