import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addTo } from '../../../src/authoring/scaffold/addition.ts';
import { readAddition } from '../../../src/authoring/scaffold/read-addition.ts';
import { removeFrom } from '../../../src/authoring/scaffold/removal.ts';
import { readRemoval } from '../../../src/authoring/scaffold/removals.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

const add = (target: string, ...words: string[]) => addTo(folder, readAddition('links', target, words, {}));
async function remove(target: string, ...words: string[]) {
  const outcome = await removeFrom(folder, readRemoval('links', target, words));
  if (outcome.kind === 'removed') await outcome.files.save();
  return outcome.kind;
}
const texts = () => Promise.all(['openapi.yaml', 'schema.graphql'].map((name) => readFile(join(folder, name), 'utf8')));

it.each([
  ['tracker', 'issues', 'labels', '/issues/{issueId}/labels/{labelId}', 'linkIssueLabel(issueId: ID!, labelId: ID!)'],
  ['posts', 'posts', 'posts', '/posts/{post_id}/posts/{next_id}', 'linkSequel(postId: ID!, nextId: ID!)'],
])('new links writes both halves of %s, and takes them away', async (fixture, one, other, path, field) => {
  await cp(`test/fixtures/${fixture}`, folder, { recursive: true });
  expect(await remove(one, other)).toBe('removed');
  const bare = await texts();
  expect(bare.join()).not.toMatch(new RegExp(field.replace(/\(.*/, '')));
  expect(await add(one, other)).toMatchObject({ kind: 'written' });
  const [openapi, schema] = await texts();
  expect(openapi).toContain(`  ${path}:`);
  expect(schema).toContain(field);
  await expect(add(one, other)).rejects.toThrow('already exists');
  expect(await remove(one, other)).toBe('removed');
  expect(await texts()).toEqual(bare);
  await expect(remove(one, other)).rejects.toThrow(`${one} has no links to ${other}.`);
});

it('new links names what is missing', async () => {
  await cp('test/fixtures/library', folder, { recursive: true });
  await expect(add('authors', 'loans')).rejects.toThrow('No resource refers to authors and loans');
  expect(() => readAddition('links', 'authors', [], {})).toThrow('Name one other collection');
  expect(() => readAddition('links', 'authors', ['a', 'b'], {})).toThrow('Name one other collection');
});
