import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { blockOf } from '../../support/documents.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Library, version: 1.0.0, x-naming: { case: snake_case } }
servers: [{ url: /v1 }]
paths: {}
`;

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function synchronised(): Promise<readonly string[]> {
  const files = await ContractFiles.open(folder);
  const outcome = await synchronise(files, { contracts: folder });
  expect(outcome.findings).toEqual([]);
  const changed = files.changes.map(({ path }) => path);
  await files.save();
  return changed;
}

const yaml = async (path: string) => parse(await readFile(join(folder, path), 'utf8'));

describe('a contract in snake_case', () => {
  it('gets a document in its case from an SDL, and from that the same SDL', async () => {
    await writeFile(join(folder, 'openapi.yaml'), DOCUMENT);
    await writeFile(join(folder, 'schema.graphql'), blockOf('graphql.md', 'graphql contract'));
    await synchronised();
    const book = await yaml('schemas/Book.yaml');
    expect(Object.keys(book.properties)).toEqual(
      expect.arrayContaining(['created_at', 'updated_at', 'published_on', 'isbn']),
    );
    expect(book.required).toEqual(expect.arrayContaining(['created_at', 'updated_at']));
    expect(Object.keys((await yaml('openapi.yaml')).paths)).toEqual(['/books', '/books/{book_id}']);
    const { parameters } = (await yaml('paths/books.yaml')).get;
    const sort = parameters.find(({ name }: { name: string }) => name === 'sort');
    expect(sort.schema.items.enum).toEqual(['title', '-title', 'published_on', '-published_on']);
    const { model, findings } = await modelContract(folder);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(model!.resources).toMatchObject([{ key: 'books', nameCase: 'snake_case' }]);
    expect(await synchronised()).toEqual([]);
  });
});
