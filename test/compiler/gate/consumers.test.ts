import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import {
  BREAK,
  breaking,
  breakingBoth,
  errorsOf,
  FILE,
  type Repository,
  waived,
  withRepository,
} from './support/branch.ts';

const KIOSK = 'contracts/consumers/kiosk/cats.graphql';
const ADMIN = 'contracts/consumers/admin/operations.yaml';

const register = async ({ write }: Repository) => {
  await write(KIOSK, '{ cats(first: 10) { nodes { id name } } }\n');
  await write(ADMIN, 'calls:\n  - operation: listCats\n    parameters: [limit]\n    reads: [/data/0/name]\n');
};

/** All checks but those that serve the contract. */
const checked = ({ folder }: Repository, ...args: string[]) =>
  runHere('scripts/contract.ts', [
    ...['--contracts', `${folder}/contracts`, '--out', `${folder}/generated`],
    ...['--only', 'contract,drift,changes,consumers', ...args],
  ]);

test('a break names the consumers that it hurts, with file and line, or says that it hurts none', () =>
  withRepository(
    async (repository) => {
      await breaking(repository);
      await repository.edit(FILE, '[name, -name, bornOn, -bornOn]', '[name, -name]');
      const { code, stdout } = await repository.check('contracts', '--format', 'json');
      expect(code).toBe(1);
      const [{ findings }] = JSON.parse(stdout);
      expect(findings).toMatchObject([
        {
          subject: 'listCats.limit',
          message: expect.stringContaining(
            ' Touches listCats, Query.cats. Hurts admin (`consumers/admin/operations.yaml:2`). This breaks clients of 1.0.0.',
          ),
          consumers: [{ consumer: 'admin', location: { file: 'consumers/admin/operations.yaml', line: 2, column: 5 } }],
        },
        {
          subject: 'listCats.sort',
          message: expect.stringContaining(' Hurts no registered consumer. This breaks clients of 1.0.0.'),
          consumers: [],
        },
      ]);
      const sarif = await repository.check('contracts', '--format', 'sarif');
      expect(JSON.parse(sarif.stdout).runs[0].results[0].relatedLocations).toMatchObject([
        {
          physicalLocation: {
            artifactLocation: { uri: expect.stringMatching(/\/contracts\/consumers\/admin\/operations\.yaml$/) },
            region: { startLine: 2 },
          },
        },
      ]);
      for (const format of ['human', 'github', 'markdown', 'junit']) {
        const { stdout: text } = await repository.check('contracts', '--format', format);
        expect(text).toContain('Hurts admin (`consumers/admin/operations.yaml:2`)');
      }
    },
    { before: register },
  ));

test('a break of the contract as a whole names them, too, and the verdict is the same with and without them', () =>
  withRepository(async (repository) => {
    await breakingBoth(repository);
    const alone = await checked(repository);
    expect(alone.stdout).toContain('– consumers   not run: nobody is registered in consumers/\n');
    expect(alone.stdout).toContain(BREAK);
    expect(alone.stdout).not.toContain('Hurts');
    await register(repository);
    const registered = await checked(repository);
    expect(registered.stdout).toContain('Hurts admin (`consumers/admin/operations.yaml:2`)');
    expect(registered.stdout).toContain('✓ consumers   documents and calls of admin, kiosk\n');
    expect([registered.code, errorsOf(registered.stdout)]).toEqual([alone.code, errorsOf(alone.stdout)]);
  }));

test('a break that is waived names them, and stays waived', () =>
  withRepository(
    async (repository) => {
      await breaking(repository);
      await repository.edit(FILE, 'servers:', `${waived('Nobody asks for more than 30.')}servers:`);
      const { stdout } = await repository.check();
      expect(stdout).toMatch(
        / {4}waived {2}rest .* Hurts admin \(`consumers\/admin\/operations\.yaml:2`\)\. Waived until 2999-12-31: Nobody/,
      );
    },
    { before: register },
  ));

test('what consumers send and the contract no longer has is an error, with its place', () =>
  withRepository(
    async (repository) => {
      const { write } = repository;
      expect((await checked(repository)).code).toBe(0);
      await write(KIOSK, '{\n  cats(first: 10) {\n    nodes { id age }\n  }\n}\n');
      await write('contracts/consumers/kiosk/more/broken.graphql', 'query {');
      await write(
        ADMIN,
        [
          'calls:',
          '  - operation: fetchCats',
          '  - operation: GET /cats/{id}',
          '    parameters: [catId, size]',
          '    reads:',
          '      - /name',
          '      - /age',
          '    sends: [/name]',
        ].join('\n'),
      );
      await write('contracts/consumers/shop/operations.yaml', 'calls:\n  - operation: getCat\n    writes: [/name]\n');
      const { code, stdout } = await checked(repository, '--format', 'json');
      expect(code).toBe(1);
      const { findings, status } = JSON.parse(stdout).find(({ piece }: { piece: string }) => piece === 'consumers');
      const places = findings.map(
        ({ rule, message, location }: { rule: string; message: string; location: { file: string; line: number } }) =>
          `${location.file}:${location.line} ${rule} ${message}`,
      );
      expect([status, places]).toEqual([
        'failed',
        [
          'consumers/kiosk/more/broken.graphql:1 consumer-document Syntax Error: Expected Name, found <EOF>.',
          'consumers/shop/operations.yaml:2 consumer-shape `/calls/0` must not have `writes`.',
          'consumers/admin/operations.yaml:2 consumer-name There is no operation `fetchCats`.',
          'consumers/admin/operations.yaml:4 consumer-name There is no `size` in the parameters of `getCat`.',
          'consumers/admin/operations.yaml:7 consumer-name There is no `/age` in the answers of `getCat`.',
          'consumers/admin/operations.yaml:8 consumer-name There is no `/name` in the body of `getCat`.',
          'consumers/kiosk/cats.graphql:3 consumer-document Cannot query field "age" on type "Cat". Did you mean "name"?',
        ],
      ]);
    },
    { before: register },
  ));

test('a break hurts no registered consumer only where all of them have been read', () =>
  withRepository(
    async (repository) => {
      await repository.edit(FILE, '[name, -name, bornOn, -bornOn]', '[name, -name]');
      expect((await checked(repository)).stdout).toContain('Hurts no registered consumer.');
      await repository.write('contracts/consumers/shop/operations.yml', 'calls: []\n');
      const { stdout } = await checked(repository);
      expect(stdout).toContain("lost values: 'bornOn', '-bornOn'. This breaks clients of 1.0.0.");
      expect(stdout).not.toContain('Hurts');
    },
    { before: register },
  ));

test('the folder is not of the contract: what is generated and released of it is the same', () =>
  withRepository(async (repository) => {
    const before = await repository.read('contracts/released/v1/schema.graphql');
    await register(repository);
    await repository.release();
    expect(await repository.read('contracts/released/v1/schema.graphql')).toBe(before);
    const { code, stdout } = await checked(repository);
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ drift')]);
  }));

test('documents of a contract without GraphQL are errors', () =>
  withRepository(
    async (repository) => {
      await repository.write('contracts/consumers/kiosk/pets.graphql', '{ pets { id } }\n');
      const { stdout } = await repository.check('contracts', '--only', 'consumers');
      expect(stdout).toContain('Cannot query field "pets" on type "Query".');
    },
    { fixture: 'valid/ordinary', isReleased: false },
  ));
