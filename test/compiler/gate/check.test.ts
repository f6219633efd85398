import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Piece } from '../../../src/compiler/pieces.ts';
import { runHere } from '../../support/command.ts';
import { filledFolders, withFolder } from '../../support/folder.ts';
import { type Judged, judged } from './support/branch.ts';

const CATS_SDL = readFileSync('test/fixtures/cats/cats.graphql', 'utf8');

/** A fixture as it was released, with what is generated from it. */
const released = filledFolders(async (folder, fixture) => {
  const contracts = join(folder, 'contracts');
  await cp(`test/fixtures/${fixture}`, contracts, { recursive: true });
  const places = ['--contracts', contracts, '--out', join(folder, 'generated')];
  expect(await runHere('scripts/release.ts', places)).toMatchObject({ code: 0 });
});

type Edit = (contracts: string, out: string) => Promise<unknown>;

/** What `npm run contract` says of a copy after an edit. */
const afterEdit = (edit: Edit, judge: (check: (...args: string[]) => ReturnType<typeof runHere>) => Promise<void>) =>
  withFolder({}, async (folder) => {
    const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
    await cp(await released('cats'), folder, { recursive: true });
    await edit(contracts, out);
    await judge((...args) => runHere('scripts/contract.ts', ['--contracts', contracts, '--out', out, ...args]));
  });

/** The verdicts on a copy after an edit, in each format. */
const printedAfter = (edit: Edit, piece: Piece, judge: (printed: Judged['printed']) => void) =>
  withFolder({}, async (folder) => {
    await cp(await released('cats'), folder, { recursive: true });
    await edit(join(folder, 'contracts'), join(folder, 'generated'));
    judge((await judged(folder, [piece])).printed);
  });

const replace = (file: string, from: string, to: string) => async (contracts: string) => {
  const path = join(contracts, file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`no ${from} in ${file}`);
  await writeFile(path, text.replace(from, to));
};

/** The mark of each check. */
const pieces = (stdout: string): Record<string, string> =>
  Object.fromEntries([...stdout.matchAll(/^([✓✗–]) (\w+)/gm)].map(([, mark, piece]) => [piece, mark]));

const SOUND = { contract: '✓', drift: '✓', changes: '✓' };
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

  test('tells what the other rules say where Redocly gives up', async () => {
    const itself = replace(
      'openapi.yaml',
      '    Colour:\n',
      "    Hue: { $ref: '#/components/schemas/Hue' }\n    Colour:\n",
    );
    await afterEdit(itself, async (check) => {
      const { code, stdout, stderr } = await check('--only', 'lint,contract');
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toMatch(/lint-failed\n {2}Redocly cannot read this document: Self-referencing circular/);
      expect(pieces(stdout)['contract']).toMatch(/[✓✗]/);
    });
    const twice = replace('openapi.yaml', '  - url: /v1', '  - url: /v1\n    url: /v2');
    await afterEdit(twice, async (check) => {
      const { code, stdout, stderr } = await check('--only', 'lint');
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toMatch(/openapi\.yaml:11:\d+ {2}error {2}duplicate-key/);
    });
  });

  test('downloads nothing that a contract refers to', async () => {
    const asked: unknown[] = [];
    const host = createServer(({ url }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'application/yaml').end('type: string\n');
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const written = (text: string) => replace('openapi.yaml', '    Colour:\n', `${text}    Colour:\n`);
    await afterEdit(written(`    Hue: { $ref: '${url}/hue.yaml' }\n`), async (check) => {
      const { code, stdout } = await check('--only', 'lint');
      expect([code, stdout.match(/error {2}\S+/g)]).toEqual([1, ['error  reference-remote']]);
    });
    const data = `    Hue: { type: object, x-shade: { $ref: '${url}/shade.yaml' } }\n`;
    await afterEdit(written(data), async (check) => {
      const { code, stdout } = await check('--only', 'lint');
      expect([code, stdout.match(/error {2}\S+\n.*/g)]).toEqual([
        1,
        ["error  redocly/no-unresolved-refs\n  Can't resolve $ref: nothing is downloaded, keep a copy"],
      ]);
    });
    const example = `application/json:\n              examples: { a: { externalValue: '${url}/a.json' } }\n`;
    await afterEdit(replace('openapi.yaml', 'application/json:\n', example), async (check) => {
      expect(await check('--only', 'lint,changes')).toMatchObject({ code: 0 });
    });
    const rules = async (contracts: string) =>
      writeFile(join(contracts, 'redocly.yaml'), `extends:\n  - recommended\n  - ${url}/rules.yaml\n`);
    await afterEdit(rules, async (check) => {
      const { code, stdout } = await check('--only', 'lint');
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/lint-failed\n.*configuration names a URL: nothing is down/),
      ]);
    });
    expect(asked).toEqual([]);
    host.close();
  });

  test('reads nothing outside of the project', () =>
    afterEdit(
      replace('openapi.yaml', '    Colour:\n', '    Hue: { $ref: ../../passwd }\n    Colour:\n'),
      async (check) => {
        const { code, stdout } = await check('--only', 'lint,contract');
        expect([code, stdout.match(/error {2}\S+/g)]).toEqual([1, Array(2).fill('error  reference-outside')]);
      },
    ));

  test('leaves a document of others to the compiler where that reads it', () =>
    withFolder({}, async (contracts) => {
      const get = (id: string) => `get: { operationId: ${id}, responses: { '200': { description: ok } } }`;
      const schemas = 'components: { schemas: { A: { type: object, required: [a, a], nullable: true } } }';
      const paths = `paths:\n  /a: { ${get('a')} }\n  /b: { ${get('a')} }\n${schemas}\n`;
      await writeFile(join(contracts, 'openapi.yaml'), `openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n${paths}`);
      const { code, stdout } = await runHere('scripts/contract.ts', ['--contracts', contracts, '--only', 'lint']);
      expect(stdout).toMatch(/warning {2}redocly\/operation-operationId-unique\n[\s\S]*warning {2}redocly\/struct\n/);
      expect([code, stdout.match(/error {2}\S+/g)]).toEqual([0, null]);
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
        expect(pieces(stdout)).toEqual({ ...SOUND, drift: '✗' });
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
      expect(stdout).toContain('  Query parameter `limit` of operation `listCats`: upper bound changed from');
      expect(stdout).toContain('hint: Keep the parts that clients use, or start a new API version');
      expect(stdout).toContain('is waived in `info.x-waivers`, subject `listCats.limit`.');
      expect(stdout).toContain('  see docs/rules.md#breaking-restschema-constraint-changed\n');
      const json = await check('--only', 'changes', '--format', 'json');
      expect(JSON.parse(json.stdout)[0].findings).toMatchObject([
        { rule: 'breaking-rest/schema-constraint-changed', subject: 'listCats.limit' },
      ]);
    }));

  test('lists what breaks nobody', () =>
    afterEdit(replace('openapi.yaml', 'maximum: 100', 'maximum: 200'), async (check) => {
      const { code, stdout } = await check('--only', 'changes');
      expect(stdout).toContain('✓ changes     1 change since 1.0.0: minor\n');
      expect(stdout).toContain(
        '    minor   rest      `maximum` of query parameter `limit` of operation `listCats` changed from 100 to 200.\n',
      );
      expect(code).toBe(0);
    }));

  const waiver = (until: string, subject = 'listCats.limit') =>
    `  x-waivers:\n    - rule: breaking-rest/schema-constraint-changed\n      subject: ${subject}\n      reason: Nobody asks for more than 30.\n      until: ${until}\nservers:`;
  const waived = (until: string, subject?: string) => async (contracts: string) => {
    await replace('openapi.yaml', 'maximum: 100', 'maximum: 50')(contracts);
    await replace('openapi.yaml', 'servers:', waiver(until, subject))(contracts);
  };

  test('lets a contract waive a break, with a reason, until a day', () =>
    afterEdit(waived('2999-12-31'), async (check) => {
      const { code, stdout } = await check('--only', 'changes');
      expect(stdout).toContain('✓ changes     1 change since 1.0.0: major, 1 waived\n');
      expect(stdout).toMatch(
        /^ {4}waived {2}rest {6}Query parameter `limit` .* Waived until 2999-12-31: Nobody asks for more than 30\.$/m,
      );
      expect(code).toBe(0);
      const sarif = await check('--only', 'changes', '--format', 'sarif');
      expect(JSON.parse(sarif.stdout).runs[0].results).toMatchObject([
        {
          ruleId: 'breaking-rest/schema-constraint-changed',
          suppressions: [{ kind: 'inSource', justification: 'Nobody asks for more than 30. (until 2999-12-31)' }],
        },
      ]);
    }));

  test('lets one waiver name several breaks of a change, and warns of each that there is not', () => {
    const breaks = ['listCats.limit', 'Cat.name'].map(
      (subject) => `        - { rule: breaking-rest/schema-constraint-changed, subject: ${subject} }\n`,
    );
    const several = `  x-waivers:\n    - breaks:\n${breaks.join('')}      reason: Nobody does.\n      until: 2999-12-31\nservers:`;
    return afterEdit(
      async (contracts) => {
        await replace('openapi.yaml', 'maximum: 100', 'maximum: 50')(contracts);
        await replace('openapi.yaml', 'servers:', several)(contracts);
      },
      async (check) => {
        const { code, stdout } = await check('--only', 'changes');
        expect(stdout).toContain('✓ changes     1 change since 1.0.0: major, 1 waived\n');
        expect(stdout.match(/warning {2}waiver-unused\n.*/g)).toEqual([
          'warning  waiver-unused\n  No finding matches the waiver of breaking-rest/schema-constraint-changed for `Cat.name`: the contract does not break it since the last release.',
        ]);
        expect(stdout).toContain('at /info/x-waivers/0/breaks/1');
        expect(code).toBe(0);
      },
    );
  });

  test('holds neither by a waiver that has expired nor by one of something else', () =>
    afterEdit(waived('2020-01-01'), async (check) => {
      const { code, stdout } = await check('--only', 'changes');
      expect(stdout).toContain(
        'error  waiver-expired\n  The waiver of breaking-rest/schema-constraint-changed for `listCats.limit` held until 2020-01-01.',
      );
      expect(stdout).toContain('error  breaking-rest/schema-constraint-changed');
      expect(code).toBe(1);
    }));

  test('warns of a waiver that waives nothing', () =>
    afterEdit(replace('openapi.yaml', 'servers:', waiver('2999-12-31', 'Cat.name')), async (check) => {
      const { code, stdout } = await check('--only', 'changes');
      expect(stdout).toContain('warning  waiver-unused');
      expect(code).toBe(0);
    }));

  test('says what it could not check, and does not pass then', () =>
    afterEdit(replace('openapi.yaml', 'operationId: getCat', 'operationId: listCats'), async (check) => {
      const whole = await check(...only);
      expect(pieces(whole.stdout)).toEqual({ contract: '✗', drift: '–', changes: '–' });
      expect(whole.stdout).toContain('– drift       not run: the contract has errors\n');
      expect(whole.code).toBe(1);
    }));

  test('says so in every format', () =>
    printedAfter(replace('openapi.yaml', 'operationId: getCat', 'operationId: listCats'), 'drift', (printed) => {
      expect(JSON.parse(printed('json'))).toEqual([
        { piece: 'drift', status: 'not-run', isBlocked: true, summary: 'the contract has errors', findings: [] },
      ]);
      expect(JSON.parse(printed('sarif')).runs[0].invocations).toEqual([
        {
          executionSuccessful: false,
          toolExecutionNotifications: [
            { level: 'error', message: { text: 'The check `drift` was not run: the contract has errors.' } },
          ],
        },
      ]);
      expect(printed('github')).toBe('::notice title=drift::Not run: the contract has errors.');
    }));

  test('has nothing to compare before the first release, and says so', () =>
    afterEdit(
      (contracts) => rm(join(contracts, 'released'), { recursive: true }),
      async (check) => {
        const { code, stdout } = await check('--only', 'changes');
        expect(stdout).toBe('– changes     not run: nothing has been released yet\n');
        expect(code).toBe(0);
      },
    ));

  test('lets a new API version break what an earlier one promised', () =>
    afterEdit(
      async (contracts) => {
        await replace('openapi.yaml', 'maximum: 100', 'maximum: 50')(contracts);
        await replace('openapi.yaml', 'url: /v1', 'url: /v2')(contracts);
        await replace(
          'openapi.yaml',
          'servers:',
          '  x-versions: { v1: { deprecated: 2026-11-21 } }\nservers:',
        )(contracts);
      },
      async (check) => {
        const { code, stdout } = await check('--only', 'changes');
        expect(stdout).toContain('major, which v2 allows');
        expect(stdout).toMatch(
          /^ {4}major {3}rest {6}Query parameter `limit` of operation `listCats`: upper bound changed /m,
        );
        expect(stdout).toContain('    minor   versions  The version `v1` stays served beside `v2`.');
        expect(code).toBe(0);
      },
    ));

  describe('a new API version', () => {
    const moved = async (contracts: string) => {
      await replace('openapi.yaml', 'url: /v1', 'url: /v2')(contracts);
      await replace(
        'openapi.yaml',
        'servers:',
        '  x-versions: { v1: { deprecated: 2026-11-21 } }\nservers:',
      )(contracts);
    };
    const release = (contracts: string, out: string) =>
      runHere('scripts/release.ts', ['--contracts', contracts, '--out', out]);
    const field = 'type Query {';
    const deprecated = `${field}\n  oldCat: OldCat @deprecated(reason: "Use cat.") @parity(rest: ABSENT, because: "old")`;
    const type = '\ntype OldCat { name: String!, tail: Tail }\ntype Tail { length: Int! }\n';

    test('breaks nothing of GraphQL, which has no versions', () =>
      afterEdit(
        async (contracts) => {
          await moved(contracts);
          await replace('cats.graphql', 'assumedSize: 100', 'assumedSize: 50')(contracts);
        },
        async (check) => {
          const { code, stdout } = await check('--only', 'changes');
          expect(stdout).toContain('error  breaking-graphql/listsize-changed');
          expect(stdout).not.toContain('which v2 allows');
          expect(code).toBe(1);
        },
      ));

    test('may leave out what the last release had deprecated, and what was reached through it alone', () =>
      afterEdit(
        async (contracts, out) => {
          await replace('cats.graphql', field, deprecated)(contracts);
          await appendFile(join(contracts, 'cats.graphql'), type);
          expect(await release(contracts, out)).toMatchObject({ code: 0 });
          await replace('cats.graphql', deprecated, field)(contracts);
          await replace('cats.graphql', type, '')(contracts);
          await moved(contracts);
        },
        async (check) => {
          const { code, stdout } = await check('--only', 'changes');
          expect(stdout).toMatch(/major +graphql .*OldCat/);
          expect(stdout).toContain('major, which v2 allows');
          expect(code).toBe(0);
        },
      ));
  });

  test('speaks JSON, SARIF and the language of GitHub', () =>
    printedAfter(
      (_, out) => appendFile(join(out, 'errors.ts'), '// 100 %\n'),
      'drift',
      (printed) => {
        expect(JSON.parse(printed('json'))).toMatchObject([
          {
            piece: 'drift',
            status: 'failed',
            findings: [{ rule: 'generated-drift', severity: 'error', page: 'docs/rules.md#generated-drift' }],
          },
        ]);
        expect(JSON.parse(printed('sarif'))).toMatchObject({
          version: '2.1.0',
          runs: [
            {
              tool: {
                driver: {
                  name: 'Lockstep',
                  rules: [
                    {
                      id: 'generated-drift',
                      shortDescription: { text: 'The output matches the contract.' },
                      fullDescription: { text: expect.stringContaining('npm run generate') },
                      help: { markdown: expect.stringContaining('(docs/rules.md#generated-drift)') },
                    },
                  ],
                },
              },
              results: [{ ruleId: 'generated-drift', ruleIndex: 0, level: 'error' }],
            },
          ],
        });
        expect(printed('github')).toMatch(
          /^::error file=\S+\/generated\/errors\.ts,line=1,col=1,title=generated-drift::`errors\.ts` is out of date with the contract\.%0ARun `npm run generate`\.%0ASee docs\/rules\.md#generated-drift$/,
        );
      },
    ));

  test('has in SARIF the edits that --fix writes', () =>
    afterEdit(replace('cats.graphql', 'first: Int = 20', 'first: Int = 2'), async (check) => {
      const sarif = await check('--only', 'contract', '--format', 'sarif');
      const [{ ruleId, fixes }] = JSON.parse(sarif.stdout).runs[0].results;
      expect(ruleId).toBe('parity-page-default');
      const line = 1 + CATS_SDL.split('\n').findIndex((text) => text.includes('first: Int = 20'));
      const startColumn = 1 + CATS_SDL.split('\n')[line - 1]!.indexOf(' = 20');
      expect(fixes).toEqual([
        {
          description: { text: 'The edit of `lockstep contract --fix`.' },
          artifactChanges: [
            {
              artifactLocation: { uri: expect.stringMatching(/\/contracts\/cats\.graphql$/) },
              replacements: [
                {
                  deletedRegion: {
                    startLine: line,
                    startColumn,
                    endLine: line,
                    endColumn: startColumn + ' = 2'.length,
                  },
                  insertedContent: { text: ' = 20' },
                },
              ],
            },
          ],
        },
      ]);
    }));

  test.each([
    [
      ['--only', 'drift,shift'],
      'It must be lint, contract, drift, changes, consumers, access or migrations.\n(Did you mean drift?)',
    ],
    [['--format', 'xml'], 'It must be human, json, sarif, github, markdown or junit.\nRun'],
    [['--formats', 'json'], "unknown option '--formats'\n(Did you mean --format?)"],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runHere('scripts/contract.ts', args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
