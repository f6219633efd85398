import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const CATS = 'test/fixtures/cats';

/** The cats as they were released, with what is generated from them. */
let released = '';
beforeAll(async () => {
  released = await mkdtemp(join(tmpdir(), 'lockstep-released-'));
  const places = ['--contracts', join(released, 'contracts'), '--out', join(released, 'generated')];
  await cp(CATS, join(released, 'contracts'), { recursive: true });
  for (const script of ['scripts/generate.ts', 'scripts/release.ts'])
    expect(await runHere(script, places)).toMatchObject({ code: 0 });
});
afterAll(() => rm(released, { recursive: true }));

/** What `npm run contract` says of a copy after an edit. */
const afterEdit = (
  edit: (contracts: string, out: string) => Promise<unknown>,
  judge: (check: (...args: string[]) => ReturnType<typeof runHere>) => Promise<void>,
) =>
  withFolder({}, async (folder) => {
    const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
    await cp(released, folder, { recursive: true });
    await edit(contracts, out);
    await judge((...args) => runHere('scripts/contract.ts', ['--contracts', contracts, '--out', out, ...args]));
  });

const replace = (file: string, from: string, to: string) => async (contracts: string) => {
  const path = join(contracts, file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`no ${from} in ${file}`);
  await writeFile(path, text.replace(from, to));
};

const pieces = (stdout: string): Record<string, boolean> =>
  Object.fromEntries([...stdout.matchAll(/^([✓✗]) (\w+)/gm)].map(([, mark, piece]) => [piece, mark === '✓']));

const SOUND = { contract: true, drift: true, changes: true };
const only = ['--only', 'contract,drift,changes'];

describe.concurrent('npm run contract', () => {
  test('passes what is as it should be', () =>
    afterEdit(
      async () => undefined,
      async (check) => {
        const { code, stdout } = await check(...only);
        expect(pieces(stdout)).toEqual(SOUND);
        expect(stdout).toContain('0 changes since 1.0.0');
        expect(code).toBe(0);
      },
    ));

  test('tells what the rules of OpenAPI say, with the place', () =>
    afterEdit(replace('openapi.yaml', 'summary: List cats', 'sumary: List cats'), async (check) => {
      const { code, stdout } = await check('--only', 'lint');
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /openapi\.yaml:19:\d+ {2}error {2}redocly\/struct\n {2}Property `sumary` is not expected here/,
      );
    }));

  test('tells where the protocols differ', () =>
    afterEdit(replace('cats.graphql', '  bornOn: Date\n}', '}'), async (check) => {
      const { code, stdout } = await check('--only', 'contract');
      expect(code).toBe(1);
      expect(stdout).toMatch(/error {2}parity-/);
    }));

  test('tells of output that is not up to date', () =>
    afterEdit(
      (_, out) => appendFile(join(out, 'resources.ts'), '// by hand\n'),
      async (check) => {
        const { code, stdout } = await check(...only);
        expect(pieces(stdout)).toEqual({ ...SOUND, drift: false });
        expect(stdout).toContain('`resources.ts` is out of date with the contract.');
        expect(code).toBe(1);
      },
    ));

  test('tells of what breaks callers, with the place', () =>
    afterEdit(replace('openapi.yaml', 'maximum: 100', 'maximum: 50'), async (check) => {
      const { code, stdout } = await check('--only', 'changes');
      expect(code).toBe(1);
      expect(stdout).toMatch(/openapi\.yaml:25:\d+ {2}error {2}breaking-rest\//);
      expect(stdout).toContain('This breaks clients of 1.0.0.');
      expect(stdout).toContain('hint: Keep what clients rely on, or start a new API version');
    }));

  test('lets a new API version break what an earlier one promised', () =>
    afterEdit(
      async (contracts) => {
        await replace('openapi.yaml', 'maximum: 100', 'maximum: 50')(contracts);
        await replace('openapi.yaml', 'url: /v1', 'url: /v2')(contracts);
      },
      async (check) => {
        const { code, stdout } = await check('--only', 'changes');
        expect(stdout).toContain('major, which v2 allows');
        expect(code).toBe(0);
      },
    ));

  test('speaks JSON, SARIF and the language of GitHub', () =>
    afterEdit(
      (_, out) => appendFile(join(out, 'errors.ts'), '// 100 %\n'),
      async (check) => {
        const json = await check('--only', 'drift', '--format', 'json');
        expect(JSON.parse(json.stdout)).toMatchObject([
          { piece: 'drift', findings: [{ rule: 'generated-drift', severity: 'error', location: { line: 1 } }] },
        ]);
        const sarif = await check('--only', 'drift', '--format', 'sarif');
        expect(JSON.parse(sarif.stdout)).toMatchObject({
          version: '2.1.0',
          runs: [
            {
              tool: { driver: { name: 'Lockstep', rules: [{ id: 'generated-drift' }] } },
              results: [{ ruleId: 'generated-drift', ruleIndex: 0, level: 'error' }],
            },
          ],
        });
        const github = await check('--only', 'drift', '--format', 'github');
        expect(github.stdout).toMatch(
          /^::error file=\S+\/generated\/errors\.ts,line=1,col=1,title=generated-drift::`errors\.ts` is out of date with the contract\.%0ARun `npm run generate`\.\n$/,
        );
        expect([json.code, sarif.code, github.code]).toEqual([1, 1, 1]);
      },
    ));

  test.each([
    [['--only', 'drift,shift'], 'It must be lint, contract, drift or changes.\n(Did you mean drift?)'],
    [['--format', 'xml'], 'It must be human, json, sarif or github.\nRun'],
    [['--formats', 'json'], "unknown option '--formats'\n(Did you mean --format?)"],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runHere('scripts/contract.ts', args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
