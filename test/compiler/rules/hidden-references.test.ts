import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixContract } from '../../../src/authoring/fix-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { conventionChanges } from '../../../src/compiler/gate/changes/convention-changes.ts';
import { readEdition } from '../../../src/compiler/gate/changes/edition.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';

const edit = (text: string | RegExp, by: string): Edit => ['openapi.yaml', text, by];
const UNSAID = edit(/, x-reference-hidden: \w+/g, '');

const named = async (folder: string): Promise<readonly string[]> =>
  (await modelContract(folder)).findings
    .filter(({ rule }) => rule === 'reference-hidden')
    .map(
      ({ severity, message, location }) => `${severity} ${location.pointer.split('/').at(-2)}: ${message.slice(0, 30)}`,
    );

const DOES_NOT_SAY = ['diaryId', 'pageId', 'readerId', 'quotedId'].map(
  (name) => `warning ${name}: ${`\`Entry.${name}\` cannot refer to a`.slice(0, 30)}`,
);

it('each reference to rows that `x-owner` hides is named, but for the owner of a row and its parent', async () => {
  expect(await editedFolder('journal', [UNSAID], named)).toEqual(DOES_NOT_SAY);
  expect(await editedFolder('journal', [edit('allow', 'refuse')], named)).toEqual([]);
});

it('what all may read, or `x-access` or a tenant has always kept, is not', async () => {
  const [accounts, diaries] = ['{ property: id }', "{ property: writerId, scope: 'diaries:admin' }"];
  const open = [accounts, diaries].map((rule) => edit(rule, rule.replace(' }', ', reads: anyone }')));
  expect(await editedFolder('journal', [UNSAID, ...open], named)).toEqual([]);
  const ruled = [accounts, diaries].map((rule) =>
    edit(rule, `${rule}\n      x-access: { read: [{ where: { version: { gt: 0 } } }] }`),
  );
  expect(await editedFolder('journal', [UNSAID, ...ruled], named)).toEqual([]);
  const tenants = edit('servers:', 'x-tenant: { property: writerId, claim: tenant }\nservers:');
  const kept = await editedFolder('journal', [UNSAID, tenants], named);
  expect(kept).toEqual([DOES_NOT_SAY[2]]);
});

it('the edit of the finding lets callers name such rows again', () =>
  editedFolder('journal', [UNSAID], async (folder) => {
    await fixContract(folder);
    expect(await named(folder)).toEqual([]);
    const text = await readFile(join(folder, 'openapi.yaml'), 'utf8');
    expect(text.match(/Id: \{ x-reference-hidden: allow, /g)).toHaveLength(4);
    const { model } = await modelContract(folder);
    const entries = model!.resources.find(({ key }) => key === 'entries')!;
    const allowing = entries.properties.filter(({ references }) => references?.allowsHidden);
    expect(allowing.map(({ name }) => name)).toEqual(['diaryId', 'pageId', 'readerId', 'quotedId']);
  }));

it('the word on anything else has no effect, which is told', async () => {
  const elsewhere = edit(
    'x-references: Account, x-on-delete: cascade',
    'x-references: Account, x-reference-hidden: allow',
  );
  const found = await editedFolder('journal', [elsewhere], named);
  expect(found).toEqual(['warning writerId: `x-reference-hidden` of `Diary']);
});

it('a word less breaks callers, and one more does not', async () => {
  const edition = async (edits: readonly Edit[]) => (await editedFolder('journal', edits, readEdition)).edition!;
  const [allowing, refusing] = [
    await edition([]),
    await edition([edit('x-reference-hidden: allow', 'x-reference-hidden: refuse')]),
  ];
  const told = (from: typeof allowing, to: typeof allowing) =>
    conventionChanges(from, to).map(({ impact, rule, subject, message }) => [impact, rule, subject, message]);
  expect(told(allowing, refusing)).toEqual([
    [
      'major',
      'reference-hidden-refused',
      'Entry.quotedId',
      'Entry.quotedId can no longer refer to rows that `x-owner` hides from the caller.',
    ],
  ]);
  expect(told(refusing, allowing)).toEqual([
    ['minor', 'reference-hidden-allowed', 'Entry.quotedId', expect.stringContaining('can now refer')],
  ]);
  expect(
    told(refusing, await edition([edit(', x-reference-hidden: refuse', ''), edit(', x-reference-hidden: allow', '')])),
  ).toEqual([]);
});
