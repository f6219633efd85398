import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient, quickStart, type Surroundings, sh, startSurroundings } from './support.ts';

const PROGRAM = join(import.meta.dirname, 'java', 'StorefrontTest.java');
const CLASSES = 'target/classes:target/dependency/*';
/** Contracts with what the storefront lacks: keys in place of ids, 64-bit ids, names that are no identifiers. */
const OTHERS = ['widgets'];

describe.runIf(hasToolchain('java'))('the Java client', () => {
  let folder: string;
  let surroundings: Surroundings;

  beforeAll(async () => {
    [folder, surroundings] = await Promise.all([makeClient('java', 'contracts', 'com.acme.shop'), startSurroundings()]);
    const { install } = await quickStart(folder);
    await sh(install, folder);
    await copyFile(PROGRAM, join(folder, 'StorefrontTest.java'));
  });

  test('meets the checks of javac', async () => {
    const own = 'src/main/java/com/acme/shop/*.java StorefrontTest.java';
    expect(await sh(`javac -encoding UTF-8 -Xlint:all -Werror -cp '${CLASSES}' -d target/test ${own}`, folder)).toBe(
      '',
    );
  });

  test('does all that the storefront does, whatever charset the platform has', async () => {
    const command = `java -Dfile.encoding=US-ASCII -cp 'target/test:${CLASSES}' StorefrontTest`;
    const written = await sh(command, folder, { ...surroundings });
    expect(written.match(/^passed /gm)).toHaveLength(13);
  });

  test('runs the first example of its README', async () => {
    const { example } = await quickStart(folder);
    await writeFile(join(folder, 'Example.java'), example.replace(/http:[^"]*/, surroundings.API_URL));
    expect(await sh(`java -cp '${CLASSES}' Example.java`, folder)).toMatch(/^class Product \{/);
  });

  test('of other contracts meets them, too', async () => {
    const sources: string[] = [];
    for (const name of OTHERS) sources.push(await makeClient('java', `test/fixtures/${name}`, `com.acme.${name}`));
    const files = sources.map((source) => `$(find ${source}/src -name '*.java')`).join(' ');
    await sh(`javac -encoding UTF-8 -nowarn -proc:none -cp '${CLASSES}' -d target/others ${files}`, folder);
  });
});
