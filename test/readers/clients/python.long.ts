import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { pythonSamples } from '../../../src/readers/clients/samples.ts';
import { withFolder } from '../../support/folder.ts';
import { oneIn } from '../../support/thorough.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import {
  expectEvents,
  guideSamples,
  makeClient,
  quickStart,
  type Surroundings,
  sh,
  startMock,
  startSurroundings,
} from './support.ts';

const MYPY = 'mypy==2.4.1';
const PROGRAMS = ['storefront_test.py', 'graphql_test.py'];
/**
 * Contracts with what the storefront lacks: keys in place of ids and below each other, 64-bit ids, joins, tenants, custom
 * operations alone, no GraphQL, names in snake_case or that are no identifiers.
 */
const OTHERS = ['widgets', 'conservatory', 'depot', 'exchange', 'custom', 'clinic', 'orchard', 'trade'];

/** What mypy has found of the packages that all clients stand on. */
const cached = (folder: string) => ({ MYPY_CACHE_DIR: join(folder, '.mypy_cache') });

/** The passage about Python in `docs/clients.md`. */
const DOCUMENTED = /^```python\n(client = connect.+?)^```$/ms;
const NAMES = 'OrderInput, OrderItemInput, OrderPatch, ProductSort, ProductStatus';

const IF_MATCH = '{ name: If-Match, in: header, required: true, schema: { type: string } }';
const SEARCH = `  /search:
    get:
      operationId: search
      summary: Search
      security: []
      parameters: [{ name: search, in: query, required: true, schema: { type: string, maxLength: 20 } }]
      responses:
        '200': { description: Found., content: { application/json: { schema: { $ref: '#/components/schemas/ListPage' } } } }
`;

/**
 * Writes the samples of a contract and of its guides, each in a file of its own; the operations without one, the files of those that
 * read, and those of guides.
 */
async function writeSamples(
  contract: string,
  base: string,
  folder: string,
): Promise<{
  readonly left: readonly string[];
  readonly reading: readonly string[];
  readonly guides: readonly string[];
}> {
  const { model } = await modelContract(contract);
  const write = pythonSamples(model!, base);
  const left: string[] = [];
  const reading: string[] = [];
  const guides: string[] = [];
  await mkdir(folder);
  for (const [index, source] of (await guideSamples('Python', model!, base)).entries()) {
    guides.push(`guide_${index}.py`);
    await writeFile(join(folder, `guide_${index}.py`), source);
  }
  for (const [index, request] of sampleRequests(model!).entries()) {
    const source = write(request);
    const name = `sample_${index}.py`;
    if (source === undefined) left.push(request.operationId);
    else await writeFile(join(folder, name), source);
    if (source !== undefined && request.method === 'GET') reading.push(name);
  }
  return { left, reading, guides };
}

describe.runIf(hasToolchain('python'))('the Python client', () => {
  let folder: string;
  let surroundings: Surroundings;

  beforeAll(async () => {
    [folder, surroundings] = await Promise.all([makeClient('python'), startSurroundings()]);
    const { install } = await quickStart(folder);
    await sh(`${install}\n.venv/bin/pip install --quiet ${MYPY}`, folder);
    for (const name of PROGRAMS) await copyFile(join(import.meta.dirname, 'python', name), join(folder, name));
  });

  test('has nothing that the tools keep for themselves', async () => {
    expect(await readdir(folder)).not.toContain('.ruff_cache');
  });

  test('meets the strict checks of mypy', async () => {
    const checked = ['lockstep_storefront_client', ...PROGRAMS].join(' ');
    expect(await sh(`.venv/bin/mypy --strict ${checked}`, folder)).toContain('no issues');
  });

  test('does all that the storefront does', async () => {
    const written = await sh('.venv/bin/python storefront_test.py', folder, { ...surroundings });
    expect(written.match(/^passed /gm)).toHaveLength(18);
  });

  test('does it over GraphQL, too', async () => {
    const written = await sh('.venv/bin/python graphql_test.py', folder, { ...surroundings });
    expect(written.match(/^passed /gm)).toHaveLength(17);
  });

  test('does both with the lowest versions that it takes', async () => {
    const declared = await readFile(join(folder, 'pyproject.toml'), 'utf8');
    const lowest = [...declared.matchAll(/^(\w+) = ">=([\d.]+)[,"]/gm)].map(
      ([, name, version]) => `${name}==${version}`,
    );
    expect(lowest.map((one) => one.split('==')[0])).toEqual(['httpx', 'attrs', 'pydantic']);
    await sh(`python3 -m venv .lowest\n.lowest/bin/pip install --quiet . ${lowest.join(' ')}`, folder);
    const fresh = await startSurroundings();
    for (const [program, steps] of [
      ['storefront_test.py', 18],
      ['graphql_test.py', 17],
    ] as const) {
      const written = await sh(`.lowest/bin/python ${program}`, folder, { ...fresh });
      expect(written.match(/^passed /gm)).toHaveLength(steps);
    }
  });

  test('runs the examples of its README', async () => {
    const { example, overGraphql } = await quickStart(folder);
    await writeFile(join(folder, 'example.py'), example.replace(/http:[^"]*/, surroundings.API_URL));
    await writeFile(join(folder, 'graphql_example.py'), overGraphql.replace(/http:[^"]*/, surroundings.API_URL));
    expect(await sh('.venv/bin/python example.py', folder)).toMatch(/^Product\(/);
    expect(await sh('.venv/bin/python graphql_example.py', folder)).toMatch(/^id='/);
    expect(await sh('.venv/bin/mypy --strict graphql_example.py', folder)).toContain('no issues');
  });

  test('does what the documents show', async () => {
    const shown = DOCUMENTED.exec(await readFile('docs/clients.md', 'utf8'))![1]!;
    const program = `import os\n\nfrom lockstep_storefront_client.connection import connect
from lockstep_storefront_client.models import ${NAMES}\n\n${shown.replace(/"https:[^"]*"/, 'os.environ["API_URL"]')}`;
    await writeFile(join(folder, 'documented.py'), program);
    expect(await sh('.venv/bin/mypy --strict documented.py', folder)).toContain('no issues');
    const environment = { ...surroundings, TOKEN: surroundings.CUSTOMER_TOKEN };
    expect(await sh('.venv/bin/python documented.py', folder, environment)).not.toBe('');
  });

  test('is what the samples of the documentation use, and those that read run on the mock', async () => {
    const mock = await startMock();
    const { left, reading, guides } = await writeSamples('contracts', `${mock.origin}/v1`, join(folder, 'samples'));
    expect(left).toEqual([]);
    expect(reading.length).toBeGreaterThan(9);
    expect(guides.length).toBeGreaterThan(8);
    expect(await sh('.venv/bin/mypy --strict samples/*.py', folder)).toContain('no issues');
    const all = [...reading, ...guides.slice(0, -1)].map((name) => `samples/${name}`);
    await writeFile(
      join(folder, 'all.py'),
      'import runpy, sys\n\nfor path in sys.argv[1:]:\n    runpy.run_path(path)\n',
    );
    await sh(`.venv/bin/python all.py ${all.join(' ')}`, folder, mock);
    await expectEvents(`.venv/bin/python -u samples/${guides.at(-1)}`, folder, mock);
  });

  test('of a contract whose names are those of the client, and that asks for a version, meets them, too', async () => {
    const contract = await readFile('test/fixtures/clinic/openapi.yaml', 'utf8');
    const renamed = contract
      .replaceAll('Doctor', 'List')
      .replaceAll('Room', 'Resource')
      .replace(/(operationId: updatePatient\n.*\n)/, `$1      parameters: [${IF_MATCH}]\n`)
      .replace('paths:\n', `paths:\n${SEARCH}`);
    await withFolder({ 'openapi.yaml': renamed }, async (contracts) => {
      const made = await makeClient('python', contracts);
      await writeSamples(contracts, surroundings.API_URL, join(made, 'samples'));
      const python = join(folder, '.venv/bin/python');
      expect(await sh(`MYPYPATH=. ${python} -m mypy --strict *_client samples/*.py`, made, cached(folder))).toContain(
        'no issues',
      );
    });
  });

  test('of other contracts meets them, too, and their samples do', async () => {
    for (const name of oneIn(3, OTHERS)) {
      const contract = `test/fixtures/${name}`;
      const made = await makeClient('python', contract);
      const { left } = await writeSamples(contract, surroundings.API_URL, join(made, 'samples'));
      expect(left).toEqual([]);
      const python = join(folder, '.venv/bin/python');
      expect(await sh(`MYPYPATH=. ${python} -m mypy --strict *_client samples/*.py`, made, cached(folder))).toContain(
        'no issues',
      );
    }
  });
});
