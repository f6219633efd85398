import { expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import {
  BREAK,
  breaking,
  breakingBoth,
  errorsOf,
  FILE,
  type Judged,
  judged,
  type Repository,
  waived,
  withBranch,
  withRepository,
} from './support/branch.ts';

const KIOSK = 'contracts/consumers/kiosk/cats.graphql';
const ADMIN = 'contracts/consumers/admin/operations.yaml';

const register = async ({ write }: Pick<Repository, 'write'>) => {
  await write(KIOSK, '{ cats(first: 10) { nodes { id name } } }\n');
  await write(ADMIN, 'calls:\n  - operation: listCats\n    parameters: [limit]\n    reads: [/data/0/name]\n');
};

const PIECES = ['contract', 'drift', 'changes', 'consumers'] as const;

const statusOf = ({ verdicts }: Judged) => verdicts.map(({ status }) => status);
const PASSED = PIECES.map(() => 'passed');

test('a break names the consumers that it hurts, with file and line, or says that it hurts none', () =>
  withBranch(
    async (branch) => {
      await breaking(branch);
      await branch.edit(FILE, '[name, -name, bornOn, -bornOn]', '[name, -name]');
      const { printed } = await branch.judge('changes');
      const [{ status, findings }] = JSON.parse(printed('json'));
      expect(status).toBe('failed');
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
      expect(JSON.parse(printed('sarif')).runs[0].results[0].relatedLocations).toMatchObject([
        {
          physicalLocation: {
            artifactLocation: { uri: expect.stringMatching(/\/contracts\/consumers\/admin\/operations\.yaml$/) },
            region: { startLine: 2 },
          },
        },
      ]);
      for (const format of ['human', 'github', 'markdown', 'junit'] as const)
        expect(printed(format)).toContain('Hurts admin (`consumers/admin/operations.yaml:2`)');
    },
    { before: register },
  ));

test('a break of the contract as a whole names them, too, and the verdict is the same with and without them', () =>
  withRepository(async (repository) => {
    const { folder } = repository;
    await breakingBoth(repository);
    const alone = await judged(folder, PIECES);
    expect(alone.printed()).toContain('– consumers   not run: no consumer is registered in consumers/');
    expect(alone.printed()).toContain(BREAK);
    expect(alone.printed()).not.toContain('Hurts');
    await register(repository);
    const args = ['--contracts', `${folder}/contracts`, '--out', `${folder}/generated`, '--only', PIECES.join()];
    const { code, stdout } = await runHere('scripts/contract.ts', args);
    expect(stdout).toContain('Hurts admin (`consumers/admin/operations.yaml:2`)');
    expect(stdout).toContain('✓ consumers   documents and calls of admin, kiosk\n');
    expect([code, errorsOf(stdout)]).toEqual([1, errorsOf(alone.printed())]);
  }));

test('a break that is waived names them, and stays waived', () =>
  withBranch(
    async (branch) => {
      await breaking(branch);
      await branch.edit(FILE, 'servers:', `${waived('Nobody asks for more than 30.')}servers:`);
      expect((await branch.judge('changes')).printed()).toMatch(
        / {4}waived {2}rest .* Hurts admin \(`consumers\/admin\/operations\.yaml:2`\)\. Waived until 2999-12-31: Nobody/,
      );
    },
    { before: register },
  ));

test('what consumers send and the contract no longer has is an error, with its place', () =>
  withBranch(
    async ({ write, judgeWhole }) => {
      expect(statusOf(await judgeWhole(...PIECES))).toEqual(PASSED);
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
      const { printed } = await judgeWhole(...PIECES);
      const { findings, status } = JSON.parse(printed('json')).find(
        ({ piece }: { piece: string }) => piece === 'consumers',
      );
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
  withBranch(
    async ({ edit, write, judgeWhole }) => {
      await edit(FILE, '[name, -name, bornOn, -bornOn]', '[name, -name]');
      expect((await judgeWhole('changes')).printed()).toContain('Hurts no registered consumer.');
      await write('contracts/consumers/shop/operations.yml', 'calls: []\n');
      const { printed } = await judgeWhole('changes');
      expect(printed()).toContain("lost values: 'bornOn', '-bornOn'. This breaks clients of 1.0.0.");
      expect(printed()).not.toContain('Hurts');
    },
    { before: register },
  ));

test('the folder is not of the contract: what is generated and released of it is the same', () =>
  withBranch(async (branch) => {
    const before = await branch.read('contracts/released/v1/schema.graphql');
    await register(branch);
    await branch.release();
    expect(await branch.read('contracts/released/v1/schema.graphql')).toBe(before);
    expect(statusOf(await branch.judgeWhole(...PIECES))).toEqual(PASSED);
  }));

test('documents of a contract without GraphQL are errors', () =>
  withBranch(
    async ({ write, judgeWhole }) => {
      await write('contracts/consumers/kiosk/pets.graphql', '{ pets { id } }\n');
      expect((await judgeWhole('consumers')).printed()).toContain('Cannot query field "pets" on type "Query".');
    },
    { fixture: 'valid/ordinary', isReleased: false },
  ));
