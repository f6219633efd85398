import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeText } from '../../src/clients/common/layer.ts';
import { hasToolchain } from '../support/toolchains.ts';
import { makeClient, quickStart, type Surroundings, sh, startSurroundings } from './support.ts';

const PROGRAMS = ['storefront_test.go', 'graphql_test.go'];
/** Contracts with what the storefront lacks: keys in place of ids, 64-bit ids, names that are no identifiers. */
const OTHERS = ['widgets'];

describe.runIf(hasToolchain('go'))('the Go client', () => {
  let folder: string;
  let surroundings: Surroundings;

  beforeAll(async () => {
    [folder, surroundings] = await Promise.all([
      makeClient('go', 'contracts', 'example.com/acme/shop'),
      startSurroundings(),
    ]);
    const { install, example, overGraphql } = await quickStart(folder);
    await sh(install, folder);
    for (const name of PROGRAMS) await copyFile(join(import.meta.dirname, 'go', name), join(folder, name));
    for (const [name, code] of Object.entries({ example, graphql: overGraphql }))
      await writeText(join(folder, 'cmd', name, 'main.go'), code.replace(/http:[^"]*/, surroundings.API_URL));
  });

  test('meets the checks of go vet', async () => {
    expect(await sh('go vet ./... && gofmt -l .', folder)).toBe('');
  });

  test('does all that the storefront does, over GraphQL, too', async () => {
    const written = await sh('go test -count=1 -v .', folder, { ...surroundings });
    expect(written.match(/^--- PASS/gm)).toHaveLength(22);
  });

  test('runs the examples of its README', async () => {
    expect(await sh('go run ./cmd/example', folder)).toMatch(/^\{CreatedAt:/);
    expect(await sh('go run ./cmd/graphql', folder)).toMatch(/^\{Id:/);
  });

  test.each(OTHERS)(
    'of %s meets them, too',
    async (name) => {
      expect(
        await sh('go vet ./...', await makeClient('go', `test/fixtures/${name}`, `example.com/acme/${name}`)),
      ).toBe('');
    },
    600_000,
  );
});
