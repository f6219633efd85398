import { expect, test } from 'vitest';
import type { Node } from '../../../src/compiler/read/grammar.ts';
import type { ClientInput } from '../../../src/readers/clients/common/client-language.ts';
import { generateMost } from '../../../src/readers/clients/common/generate-most.ts';
import { ToolFailure } from '../../../src/readers/clients/common/run-tool.ts';
import { withFolder } from '../../support/folder.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const document = {
  paths: Object.fromEntries(NAMES.map((name) => [`/${name}`, { get: { operationId: name, responses: {} } }])),
};

const leftOutOf = (generate: (document: Node) => Promise<void>) =>
  withFolder({}, async (folder) => {
    const input = { document, folder, leftOut: [], resources: [], example: undefined } as Partial<ClientInput>;
    const { leftOut } = await generateMost(input as ClientInput, generate);
    return leftOut.map(({ operationId, reason }) => `${operationId}: ${reason}`);
  });

const pathsOf = (part: Node) => Object.keys(part['paths'] as Node);

test('generateMost finds the operations without which a generator succeeds', async () => {
  const found = leftOutOf(async (part) => {
    const bad = pathsOf(part).filter((path) => path === '/b' || path === '/e');
    if (bad.length > 0) throw new ToolFailure('tool', `\tat frame\nno ${bad[0]}\n`);
  });
  expect(await found).toEqual(['b: no /b', 'e: no /e']);
});

test('generateMost reads the operations that openapi-python-client names', async () => {
  let runs = 0;
  const found = leftOutOf(async (part) => {
    runs += 1;
    if (!pathsOf(part).includes('/c')) return;
    throw new ToolFailure(
      'tool',
      'WARNING parsing GET /c within c. Endpoint will not be generated.\n\nNo such type.\n',
    );
  });
  expect(await found).toEqual(['c: No such type.']);
  expect(runs).toBe(2);
});

test('generateMost reports a failure that is no operation’s as it is', async () => {
  const found = leftOutOf(() => Promise.reject(new ToolFailure('tool', 'disk full')));
  await expect(found).rejects.toThrow('disk full');
});
