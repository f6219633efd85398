import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBlocks } from '../../docs/support/blocks.ts';
import { withFolder } from '../../support/folder.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { type EventsServer, startEvents } from './events.ts';
import { JAVAC, makeClient, quickStart, type Surroundings, sh, startSurroundings } from './support.ts';

const PROGRAMS = ['Program.java', 'StorefrontTest.java', 'GraphqlTest.java', 'EventsTest.java', 'Documented.java'];
/** Its program in Java is one of those that are checked. */
const DOCUMENT = 'docs/clients.md';
const CLASSES = 'target/classes:target/dependency/*';
/** Contracts with what the storefront lacks: keys in place of ids, 64-bit ids, names that are no identifiers, an enum in a union. */
const OTHERS = ['widgets', 'library', 'trade'];
const IF_MATCH = '{ name: If-Match, in: header, required: true, schema: { type: string } }';

describe.runIf(hasToolchain('java'))('the Java client', () => {
  let folder: string;
  let surroundings: Surroundings;
  let events: EventsServer;

  beforeAll(async () => {
    [folder, surroundings, events] = await Promise.all([
      makeClient('java', 'contracts', 'com.acme.shop'),
      startSurroundings(),
      startEvents(),
    ]);
    const { install } = await quickStart(folder);
    await sh(install, folder);
    for (const name of PROGRAMS) await copyFile(join(import.meta.dirname, 'java', name), join(folder, name));
    const documented = readBlocks().filter(({ document, language }) => document === DOCUMENT && language === 'java');
    const program = await readFile(join(folder, 'Documented.java'), 'utf8');
    const text = program.replace('// The program', documented.map((block) => block.text).join('\n'));
    await writeFile(join(folder, 'Documented.java'), text);
  });

  test('meets the checks of javac', async () => {
    const own = [
      'src/main/java/com/acme/shop/*.java',
      'src/main/java/com/acme/shop/resources/*.java',
      ...PROGRAMS,
    ].join(' ');
    expect(await sh(`${JAVAC} -Xlint:all -Werror -cp '${CLASSES}' -d target/test ${own}`, folder)).toBe('');
  });

  test.each([
    ['StorefrontTest', 17],
    ['GraphqlTest', 7],
    ['EventsTest', 9],
  ])('does all that the storefront does, whatever charset the platform has: %s', async (program, steps) => {
    const command = `java -Dfile.encoding=US-ASCII -cp 'target/test:${CLASSES}' ${program}`;
    const written = await sh(command, folder, { ...surroundings, EVENTS_URL: events.url });
    expect(written.match(/^passed /gm)).toHaveLength(steps);
  });

  test('asks for the token anew for each connection of a subscription', () => {
    expect(events.asked.get('/losing')).toEqual([1, 2, 3, 4, 5].map((number) => `Bearer token-${number}`));
  });

  test('runs the examples of its README', async () => {
    const { example, overGraphql } = await quickStart(folder);
    await writeFile(join(folder, 'Example.java'), example.replace(/http:[^"]*/, surroundings.API_URL));
    await writeFile(join(folder, 'GraphqlExample.java'), overGraphql.replace(/http:[^"]*/, surroundings.API_URL));
    expect(await sh(`java -cp '${CLASSES}' Example.java`, folder)).toMatch(/^class Product \{/);
    expect(await sh(`java -cp '${CLASSES}' GraphqlExample.java`, folder)).toMatch(/^Product\{/);
  });

  test('of a contract that asks for a version gives it where it changes what it has read', async () => {
    const contract = await readFile('test/fixtures/clinic/openapi.yaml', 'utf8');
    const asking = contract.replace(/(operationId: updatePatient\n.*\n)/, `$1      parameters: [${IF_MATCH}]\n`);
    await withFolder({ 'openapi.yaml': asking }, async (contracts) => {
      const source = await makeClient('java', contracts, 'com.acme.clinic');
      const files = `$(find ${source}/src -name '*.java')`;
      await sh(`${JAVAC} -nowarn -proc:none -cp '${CLASSES}' -d target/clinic ${files}`, folder);
      const text = await readFile(
        join(source, 'src/main/java/com/acme/clinic/resources/PatientsResource.java'),
        'utf8',
      );
      expect(text).toContain('update(patientId, "\\"" + current.getVersion() + "\\"", patch)');
    });
  });

  test('of other contracts meets them, too, and reads what a newer server answers', async () => {
    const sources: string[] = [];
    for (const name of OTHERS) sources.push(await makeClient('java', `test/fixtures/${name}`, `com.acme.${name}`));
    const files = sources.map((source) => `$(find ${source}/src -name '*.java')`).join(' ');
    const programs = `${join(import.meta.dirname, 'java')}/{Program,LibraryTest}.java`;
    await sh(`${JAVAC} -nowarn -proc:none -cp '${CLASSES}' -d target/others ${files} ${programs}`, folder);
    expect(await sh(`java -cp 'target/others:target/dependency/*' LibraryTest`, folder)).toContain('passed');
  });
});
