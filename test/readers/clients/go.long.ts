import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { withFolder } from '../../support/folder.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { makeClient, quickStart, type Surroundings, sh, startSurroundings } from './support.ts';

const PROGRAMS = ['storefront_test.go', 'graphql_test.go', 'events_test.go'];
/** Contracts with what the storefront lacks: keys in place of ids, 64-bit ids, names that are no identifiers, versions that are texts. */
const OTHERS = ['widgets', 'tracker', 'trade'];

describe.runIf(hasToolchain('go'))('the Go client', () => {
  let folder: string;
  let surroundings: Surroundings;

  beforeAll(async () => {
    [folder, surroundings] = await Promise.all([
      makeClient('go', 'contracts', 'example.com/acme/shop'),
      startSurroundings(),
    ]);
    await writeText(join(folder, 'cmd', 'documented', 'main.go'), await documented());
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
    expect(written.match(/^--- PASS/gm)).toHaveLength(37);
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

  test('gives resources that are called as an action, a word of its own or a number names of theirs', async () => {
    const contract = await readFile('test/fixtures/clinic/openapi.yaml', 'utf8');
    const renamed = contract
      .replaceAll('/notes', '/page')
      .replaceAll('/rooms', '/3d-rooms')
      .replaceAll('/doctors', '/client-with-responses')
      .replaceAll('patientId', 'options')
      .replaceAll('doctorId', 'read');
    await withFolder({ 'openapi.yaml': renamed }, async (contracts) => {
      const client = await makeClient('go', contracts);
      expect(await sh('go vet ./...', client)).toBe('');
      const text = await readFile(join(client, 'resources.go'), 'utf8');
      for (const name of ['PageResource: &', 'X3DRooms', 'ClientWithResponsesResource: &'])
        expect(text).toContain(name);
      expect(text).toContain('Get(ctx context.Context, readValue ');
    });
  });
});

/** The blocks in Go of the documents, which have a client, a context and an id. */
async function documented(): Promise<string> {
  const text = await readFile('docs/clients.md', 'utf8');
  const blocks = [...text.matchAll(/^```go\n(.+?)^```$/gms)].map(
    ([, block], index) =>
      `func block${index}(ctx context.Context, client *shop.Client, id uuid.UUID) error {\n${block!.replace(/^(?=.)/gm, '\t')}\treturn err\n}\n`,
  );
  const calls = blocks.map((_, index) => `\t_ = block${index}\n`).join('');
  return `package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"example.com/acme/shop"
	"example.com/acme/shop/api"
)

${blocks.join('\n')}
func main() {
${calls}}
`;
}
