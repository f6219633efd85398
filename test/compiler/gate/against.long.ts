import { describe, expect, test } from 'vitest';
import { oneIn } from '../../support/thorough.ts';
import {
  allowed,
  BREAK,
  breaking,
  breakingBoth,
  errorsOf,
  FILE,
  moreSorts,
  type Repository,
  waived,
  withRepository,
} from './support/branch.ts';

// What docs/releases.md shows is printed here, of another contract.
describe('a baseline that the branch', () => {
  const edits: Readonly<Record<string, (repository: Repository) => Promise<void>>> = {
    'removes as a whole': ({ remove }) => remove('contracts/released'),
    'removes in part': ({ remove }) => remove('contracts/released/v1/openapi.json'),
    empties: ({ write }) => write('contracts/released/releases.json', '[]\n'),
    'makes unreadable': ({ write }) => write('contracts/released/releases.json', '{'),
    'edits, so that it has the break': ({ edit }) =>
      edit('contracts/released/v1/openapi.json', /"maximum": 100/g, '"maximum": 50'),
    'records anew, so that it has the break': async ({ remove, release }) => {
      await remove('contracts/released');
      await release();
    },
    'renames to another version': async ({ edit, move }) => {
      await edit('contracts/released/releases.json', '"v1"', '"v0"');
      await move('contracts/released/v1', 'contracts/released/v0');
    },
  };

  test.each(oneIn(3, Object.entries(edits)))('%s: the verdict is the same, and that is an error itself', (_, tamper) =>
    withRepository(async (repository) => {
      await breakingBoth(repository);
      const untouched = await repository.check();
      await tamper(repository);
      repository.commit();
      const { code, stdout } = await repository.check();
      expect(code).toBe(1);
      expect(errorsOf(stdout).filter((rule) => rule !== 'baseline-changed')).toEqual(errorsOf(untouched.stdout));
      expect(stdout).toMatch(/^released\/\S+:1:1 {2}error {2}baseline-changed/m);
    }),
  );

  test('edits is an error even where the contract is the same, and names what was done to each file', () =>
    withRepository(async ({ remove, write, edit, check }) => {
      await remove('contracts/released/v1/schema.graphql');
      await write('contracts/released/v9/openapi.json', '{}');
      await edit('contracts/released/CHANGELOG.md', 'The first', 'First');
      const { code, stdout } = await check();
      expect(code).toBe(1);
      expect(stdout).toContain('`released/v1/schema.graphql` has been removed since the merge base');
      expect(stdout).toContain('`released/v9/openapi.json` has been added since the merge base');
      expect(stdout).toContain('`released/CHANGELOG.md` has been edited since the merge base');
      expect(stdout).not.toContain('`released/releases.json`');
    }));

  test('removes, with an old version in it, is not lost to the comparison', () =>
    withRepository(
      async (repository) => {
        await breaking(repository);
        await repository.remove('contracts/released');
        const { code, stdout } = await repository.check();
        expect(code).toBe(1);
        expect(stdout).toContain(BREAK);
      },
      {
        before: async ({ edit, release }) => {
          await edit(FILE, '- url: /v1', '- url: /v2');
          await edit(
            FILE,
            'servers:',
            "  x-versions:\n    v1: { deprecated: '2026-01-01', sunset: '2999-01-01' }\nservers:",
          );
          await release();
        },
      },
    ));
});

describe('a release that the branch records', () => {
  test('passes with a break that is waived, whose reason is told', () =>
    withRepository(async (repository) => {
      await breakingBoth(repository);
      await repository.edit(FILE, 'servers:', `${waived('Nobody asks for more than 30.')}servers:`);
      await repository.release();
      const { code, stdout } = await repository.check();
      expect(stdout).toMatch(/waived {2}rest .* Waived until 2999-12-31: Nobody asks for more than 30\.$/m);
      expect(code).toBe(0);
    }));

  test('passes as the first one', () =>
    withRepository(({ release, check }) => release().then(async () => expect((await check()).code).toBe(0)), {
      isReleased: false,
    }));

  test.each([
    ['not of this contract', (repository: Repository) => repository.edit(FILE, 'List cats', 'All cats')],
    ['of another number', ({ edit }: Repository) => edit('contracts/released/releases.json', '1.1.0', '1.2.0')],
    ['of a day to come', ({ edit }: Repository) => edit('contracts/released/releases.json', /"\d{4}-/, '"2999-')],
    ['of other words', ({ edit }: Repository) => edit('contracts/released/releases.json', 'COLOUR_ASC', 'COLOUR')],
  ])('is an error when it is %s', (_, tamper) =>
    withRepository(async (repository) => {
      await moreSorts(repository);
      await repository.release();
      await tamper(repository);
      const { code, stdout } = await repository.check();
      expect(code).toBe(1);
      expect(stdout).toContain('error  baseline-changed');
      expect(stdout).not.toContain('error  breaking-');
    }),
  );

  test('may be of a new API version that keeps the old one', () =>
    withRepository(async (repository) => {
      await breakingBoth(repository);
      await repository.edit(FILE, '- url: /v1', '- url: /v2');
      expect((await repository.check()).stdout).toContain('error  breaking-versions/version-moved');
      await repository.edit(
        FILE,
        'servers:',
        `${waived('GraphQL has no versions.')}  x-versions:\n    v1: { deprecated: '2026-01-01', sunset: '2999-01-01' }\nservers:`,
      );
      await repository.release();
      const { code, stdout } = await repository.check();
      expect(stdout).toMatch(/: major, which v2 allows, 1 waived\n/);
      expect(code).toBe(0);
    }));
});

describe('the branch', () => {
  test('answers for its own changes alone', () =>
    withRepository(
      async ({ edit, check }) => {
        const none = await check();
        expect(none.stdout).toMatch(/^✓ changes +0 changes since the merge base [0-9a-f]{7}, compared with 1\.0\.0\n$/);
        await edit(FILE, 'List cats', 'All cats');
        const { code, stdout } = await check();
        expect(stdout).toMatch(
          /^✓ changes +1 change since .*: patch\n {4}patch {3}rest .*`summary`.* Touches listCats, Query\.cats\.\n$/,
        );
        expect(code).toBe(0);
      },
      { before: breaking },
    ));

  test('answers for a break that it makes worse, or takes the waiver from', async () => {
    const before = async (repository: Repository) => {
      await breaking(repository);
      await repository.edit(FILE, 'servers:', `${waived('Decided in March.')}servers:`);
    };
    await withRepository(
      async ({ edit, read, write, check }) => {
        expect((await check()).stdout).not.toContain('waived');
        const text = await read(FILE);
        await edit(FILE, 'maximum: 50', 'maximum: 40');
        expect((await check()).stdout).toMatch(
          /1 waived\n {4}waived .* to '<= 40'\. Touches .* Waived until 2999-12-31: Decided in March\.$/m,
        );
        await write(FILE, text.replaceAll('March', 'May'));
        expect((await check()).stdout).toMatch(/1 waived\n {4}waived .* Waived until 2999-12-31: Decided in May\.$/m);
        await write(FILE, text.replace(/ {2}x-waivers:[\s\S]*?(?=servers)/, ''));
        const { code, stdout } = await check();
        expect(stdout).toContain(BREAK);
        expect(code).toBe(1);
      },
      { before },
    );
  });

  test('takes back what no release has', () =>
    withRepository(
      async ({ edit, check }) => {
        await edit(FILE, 'maximum: 200', 'maximum: 100');
        const { code, stdout } = await check();
        expect(stdout).toMatch(/: patch\n {4}patch {3}rest .* No release has it\./);
        expect(code).toBe(0);
      },
      { before: allowed },
    ));

  test('is judged by the merge base, whatever has happened to the other branch since', () =>
    withRepository(async (repository) => {
      const { git, commit } = repository;
      await allowed(repository);
      commit();
      git('checkout', '-q', 'main');
      await breaking(repository);
      commit();
      git('checkout', '-q', 'work');
      const { code, stdout } = await repository.check();
      expect(stdout).toMatch(/1 change since .*: minor\n/);
      expect(code).toBe(0);
    }));

  test('has nothing to be judged by without an earlier release, and its changes are listed', () =>
    withRepository(
      async (repository) => {
        await breaking(repository);
        const { code, stdout } = await repository.check();
        expect(stdout).toMatch(
          /^✓ changes +1 change since the merge base [0-9a-f]{7}, without an earlier release: major, which v1 allows\n {4}major/,
        );
        expect(code).toBe(0);
        await repository.write('contracts/released/releases.json', '[]\n');
        expect((await repository.check()).stdout).toContain('`released/releases.json` has been added');
      },
      { isReleased: false },
    ));

  test('may bring a new contract, with what was released elsewhere', () =>
    withRepository(async ({ git, check }) => {
      git('checkout', '-q', '--orphan', 'empty');
      git('rm', '-rfq', '--cached', '.');
      git('commit', '-q', '--allow-empty', '-m', 'empty');
      git('branch', '-qf', 'main', 'empty');
      const { code, stdout } = await check();
      expect(stdout).toMatch(/^– changes +not run: a contract does not exist at the merge base [0-9a-f]{7}\n$/);
      expect(code).toBe(0);
    }));

  test('may move the folder, which is still compared with what was released', () =>
    withRepository(async (repository) => {
      await repository.move('contracts', 'apis/cats/contracts');
      const moved = await repository.check('apis/cats/contracts');
      expect(moved.stdout).toMatch(/^✓ changes +0 changes since .*, compared with 1\.0\.0\n/);
      await repository.edit('apis/cats/contracts/openapi.yaml', 'maximum: 100', 'maximum: 50');
      await repository.remove('apis/cats/contracts/released');
      const { code, stdout } = await repository.check('apis/cats/contracts');
      expect(stdout).toContain(BREAK);
      expect(stdout).toContain('`released/releases.json` has been removed');
      expect(code).toBe(1);
    }));

  test('moves each of two contracts, by what stays of their paths', () =>
    withRepository(
      async ({ move, check }) => {
        await move('contracts', 'apis/contracts');
        await move('dogs', 'apis/dogs');
        for (const place of ['apis/contracts', 'apis/dogs'])
          expect((await check(place)).stdout).toMatch(/0 changes since .*, compared with 1\.0\.0\n/);
        await move('apis/dogs', 'apis/wolves');
        const { code, stderr } = await check('apis/wolves');
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr:
            '--against: contracts and dogs are gone, and one of them may have become apis/wolves. Move one in a branch.\n',
        });
      },
      {
        before: async ({ read, write }) => {
          for (const file of [
            'openapi.yaml',
            'cats.graphql',
            'released/releases.json',
            'released/CHANGELOG.md',
            'released/v1/openapi.json',
            'released/v1/schema.graphql',
          ])
            await write(`dogs/${file}`, await read(`contracts/${file}`));
        },
      },
    ));
});

describe('a contract of several files', () => {
  test('is read at the merge base with the files that it refers to, in its folder and beside it', () =>
    withRepository(
      async (repository) => {
        expect((await repository.check()).stdout).toMatch(/0 changes since/);
        await repository.edit('shared/limit.yaml', 'maximum: 100', 'maximum: 50');
        const { code, stdout } = await repository.check();
        expect(stdout).toContain(BREAK);
        expect(stdout).toMatch(/shared\/limit\.yaml:\d+:\d+ {2}error/);
        expect(code).toBe(1);
      },
      {
        isReleased: false,
        before: async ({ edit, write, release }) => {
          await write('shared/limit.yaml', 'type: integer\nminimum: 1\nmaximum: 100\ndefault: 20\n');
          await edit(
            FILE,
            /schema: \{ type: integer, minimum: 1, maximum: 100, default: \d+ \}/,
            'schema: { $ref: ../shared/limit.yaml }',
          );
          await release();
        },
      },
    ));

  test('may be split by the branch', () =>
    withRepository(async ({ edit, write, check }) => {
      await write('contracts/parameters/limit.yaml', 'type: integer\nminimum: 1\nmaximum: 100\ndefault: 20\n');
      await edit(
        FILE,
        /schema: \{ type: integer, minimum: 1, maximum: 100, default: \d+ \}/,
        'schema: { $ref: ./parameters/limit.yaml }',
      );
      expect((await check()).stdout).not.toContain('error');
    }));
});

test('a contract without GraphQL has operations alone', () =>
  withRepository(
    async ({ edit, check }) => {
      await edit(FILE, 'description: Pets', 'description: All pets');
      const { code, stdout } = await check('contracts', '--format', 'json');
      expect(code).toBe(0);
      const [{ changes }] = JSON.parse(stdout);
      expect(changes).toHaveLength(1);
      expect(changes[0]).toMatchObject({ impact: 'patch', operations: [expect.any(String)], fields: [] });
    },
    { fixture: 'valid/ordinary' },
  ));
