import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient, quickStart, type Surroundings, sh, startSurroundings } from './support.ts';

const MYPY = 'mypy==2.4.1';
const PROGRAM = join(import.meta.dirname, 'python', 'storefront_test.py');
/** Contracts with what the storefront lacks: keys in place of ids, 64-bit ids, names that are no identifiers. */
const OTHERS = ['widgets'];

describe.runIf(hasToolchain('python'))('the Python client', () => {
  let folder: string;
  let surroundings: Surroundings;

  beforeAll(async () => {
    [folder, surroundings] = await Promise.all([makeClient('python'), startSurroundings()]);
    const { install } = await quickStart(folder);
    await sh(`${install}\n.venv/bin/pip install --quiet ${MYPY}`, folder);
    await copyFile(PROGRAM, join(folder, 'storefront_test.py'));
  });

  test('meets the strict checks of mypy', async () => {
    expect(await sh('.venv/bin/mypy --strict lockstep_storefront_client storefront_test.py', folder)).toContain(
      'no issues',
    );
  });

  test('does all that the storefront does', async () => {
    const written = await sh('.venv/bin/python storefront_test.py', folder, { ...surroundings });
    expect(written.match(/^passed /gm)).toHaveLength(14);
  });

  test('runs the first example of its README', async () => {
    const { example } = await quickStart(folder);
    await writeFile(join(folder, 'example.py'), example.replace(/http:[^"]*/, surroundings.API_URL));
    expect(await sh('.venv/bin/python example.py', folder)).toMatch(/^Product\(/);
  });

  test('of other contracts meets them, too', async () => {
    const packages: string[] = [];
    for (const name of OTHERS) packages.push(join(await makeClient('python', `test/fixtures/${name}`, name), name));
    expect(await sh(`.venv/bin/mypy --strict ${packages.join(' ')}`, folder)).toContain('no issues');
  });
});
