import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockOf } from '../support/documents.ts';
import { withFolder } from '../support/folder.ts';
import { byFetch, paste } from './support/paste.ts';
import { cats, started } from './support/started.ts';

async function pasteAll(calls: readonly string[]) {
  const replies = [];
  for (const call of calls) replies.push(await paste(call));
  return replies;
}

const statuses = (replies: readonly { readonly status: number }[]): number[] => replies.map(({ status }) => status);

describe('npm start', () => {
  it.each([
    ['the storefront', [], ['CUSTOMER', 'ADMIN']],
    ['a contract without access rules', cats, []],
    ['a contract with operations that have no handler', ['--contracts', 'test/fixtures/foreign/zoo'], []],
  ])('prints %s in at most twenty lines that can be read, and no line of the log between them', (_, args, callers) =>
    withFolder({}, async (folder) => {
      const { command, tokens } = await started(folder, args, { LOG_LEVEL: 'info' });
      const { stdout } = await command.stop();
      expect(stdout).toContain('Server listening');
      const banner = /^.* is served at [\s\S]*^Ctrl-C stops it.*$/m.exec(stdout)![0].split('\n');
      expect(banner.filter((line) => line.startsWith('{'))).toEqual([]);
      expect(banner.length).toBeLessThanOrEqual(20);
      const isToken = (line: string): boolean => Object.values(tokens).some((token) => line.endsWith(`=${token}`));
      for (const line of banner.filter((line) => !isToken(line))) expect(line.length).toBeLessThanOrEqual(250);
      expect(Object.keys(tokens)).toEqual(callers);
    }),
  );

  it.each([
    ['cats', [200, 201, 200]],
    ['library', [200, 200, 201]],
  ])('serves %s without code, and prints three lines for it', (contract, expected) =>
    withFolder({}, async (folder) => {
      const { command, base, curls } = await started(folder, ['--contracts', `test/fixtures/${contract}`]);
      const replies = await pasteAll(curls);
      expect(statuses(replies)).toEqual(expected);
      const created = replies[expected.indexOf(201)]!.body;
      const collection = /'(\S+\/(?:cats|authors))/.exec(curls[0]!)![1]!;
      expect(collection.startsWith(base)).toBe(true);
      expect((await byFetch(`curl '${collection}'`)).body.data).toEqual([created]);
      await command.stop();
    }),
  );

  it.each([
    ['alone', {}],
    ['and the SDL of docs/graphql.md', { 'schema.graphql': blockOf('graphql.md', 'graphql contract') }],
  ])('serves the contract that docs/contract.md says to copy, %s', (_, files) =>
    withFolder({ 'openapi.yaml': blockOf('contract.md', 'yaml contract'), ...files }, async (folder) => {
      const { command, curls, output } = await started(join(folder, 'data'), ['--contracts', folder]);
      expect(output).toContain('Library 1.0.0 is served at');
      expect(new Set(statuses(await pasteAll(curls)))).toEqual(new Set([200, 201]));
      await command.stop();
    }),
  );
});
