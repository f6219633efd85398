import { expect, it } from 'vitest';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const offering = (...groups: readonly string[]): Edit => [
  'openapi.yaml',
  /^info: \{/gm,
  `info: { x-mcp: { offer: [${groups}] },`,
];
const GET: Edit = ['openapi.yaml', 'operationId: getDiary', 'operationId: getDiary\n      x-mcp: { name: readDiary }'];
const NOT_LIST: Edit = ['openapi.yaml', 'operationId: listDiaries', 'operationId: listDiaries\n      x-mcp: false'];

async function changes(before: readonly Edit[], after: readonly Edit[]): Promise<readonly string[]> {
  const editions = [before, after].map(async (edits) => {
    const { edition, findings } = await editedFolder('journal', edits, readEdition);
    if (!edition) throw new Error(findings.map(({ message }) => message).join('\n'));
    return edition;
  });
  const [old, now] = await Promise.all(editions);
  const found = await changesBetween(old!, now!);
  return found
    .filter(({ area }) => area === 'mcp')
    .map(({ impact, rule, subject, message, location }) => {
      expect(location.file).toBe('openapi.yaml');
      return `${impact} ${rule} ${subject}: ${message}`;
    });
}

it('what is offered no longer, or under another name, breaks agents', async () => {
  expect(await changes([offering('read')], [offering('read'), GET, NOT_LIST])).toEqual([
    'major tool-withdrawn listDiaries: Tool `listDiaries` is no longer offered.',
    'major tool-renamed readDiary: Tool `getDiary` is called `readDiary`.',
  ]);
});

it('what is offered from now on breaks nobody', async () => {
  const added = await changes([], [offering('read')]);
  expect(added.length).toBeGreaterThan(2);
  expect(added.filter((change) => !change.startsWith('minor tool-added'))).toEqual([]);
});

it('a tool that asks for more breaks those who do not know of it', async () => {
  const required: Edit = [
    'openapi.yaml',
    '- { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }',
    '- { name: limit, in: query, required: true, schema: { type: integer, minimum: 1, maximum: 50 } }',
  ];
  const found = await changes([offering('read')], [offering('read'), required]).catch((error: Error) => [
    error.message,
  ]);
  expect(found).toContain('major tool-argument-required listDiaries: Tool `listDiaries` asks for `limit`.');
});
