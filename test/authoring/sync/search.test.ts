import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixContract } from '../../../src/authoring/fix-contract.ts';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/diary');
const PARAMETER = /^ *- \{ name: search, .*\n/gm;
const ARGUMENT = /^ *"Only entries with all of these words[^\n]*\n *search: String\n/gm;

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  await cp(FIXTURE, folder, { recursive: true });
  for (const [file, pattern] of [
    ['openapi.yaml', PARAMETER],
    ['schema.graphql', ARGUMENT],
  ] as const) {
    const text = await readFile(join(folder, file), 'utf8');
    expect(text.match(pattern)!.length).toBeGreaterThanOrEqual(3);
    await writeFile(join(folder, file), text.replace(pattern, ''));
  }
});
afterEach(() => rm(folder, { recursive: true }));

async function synchronised(): Promise<readonly string[]> {
  const files = await ContractFiles.open(folder);
  const { findings } = await synchronise(files, { contracts: folder });
  await files.save();
  return findings.map(({ message }) => message);
}

async function isSearched(): Promise<void> {
  const { model, findings } = await modelContract(folder);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(model!.resources.map(({ key, list }) => [key, list!.search])).toEqual([
    ['notebooks', ['name']],
    ['notebooks.pages', ['text']],
    ['entries', ['title', 'body']],
  ]);
  expect((await readFile(join(folder, 'schema.graphql'), 'utf8')).match(/search: String/g)).toHaveLength(4);
}

it('x-search alone is enough for sync to write the parameters and the arguments of lists', async () => {
  expect(await synchronised()).toEqual([]);
  await isSearched();
});

it('x-search alone is enough for the edits that findings come with', async () => {
  await fixContract(folder);
  await isSearched();
});
