import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { blockOf } from '../../../support/documents.ts';
import { withFolder } from '../../../support/folder.ts';

/** The example of the documents, in snake_case as a whole. */
const inSnakeCase = (document: string): string =>
  document
    .replaceAll('createdAt', 'created_at')
    .replaceAll('updatedAt', 'updated_at')
    .replaceAll('nextCursor', 'next_cursor')
    .replaceAll('totalCountIsExact', 'total_count_is_exact')
    .replaceAll('totalCount', 'total_count')
    .replaceAll('publishedOn', 'published_on')
    .replaceAll('bookId', 'book_id');

const NAMING = '  x-naming: { case: snake_case }';

async function findingsOf(document: string, sdl?: string) {
  const files = { 'openapi.yaml': document, ...(sdl !== undefined && { 'schema.graphql': sdl }) };
  return withFolder(files, async (folder) => buildModel(await readContract(folder)));
}

describe('the example of the documents in snake_case', () => {
  const document = inSnakeCase(blockOf('contract.md', 'yaml contract'));
  const named = document.replace('  version: 1.0.0', `  version: 1.0.0\n${NAMING}`);

  it('is what it was in camelCase, beside the same SDL', async () => {
    const { model, findings } = await findingsOf(named, blockOf('graphql.md', 'graphql contract'));
    expect(findings).toEqual([]);
    const [books] = model!.resources;
    expect(books).toMatchObject({ key: 'books', nameCase: 'snake_case', idParameter: 'book_id' });
    expect(books!.properties.filter(({ origin }) => origin === 'managed').map(({ name }) => name)).toEqual([
      'id',
      'version',
      'created_at',
      'updated_at',
    ]);
    expect(model!.graphql!.descriptor.fields).toMatchObject({
      'Book.publishedOn': { kind: 'property', property: 'published_on' },
      'Query.book': { kind: 'get', params: { id: 'book_id' } },
    });
    expect(model!.graphql!.descriptor.sorts).toMatchObject({ BookSort: { PUBLISHED_ON_DESC: '-published_on' } });
  });

  it('takes the setting that it shows', async () => {
    const [block] = (await readFile('docs/reference/resources.md', 'utf8')).match(/```yaml\ninfo:[\s\S]*?```/)!;
    expect(block).toContain(NAMING);
  });

  it('holds no resource without it', async () => {
    const { model } = await findingsOf(document.replace(/security:\n {2}- bearer.*\n/, ''));
    expect(model?.resources ?? []).toEqual([]);
  });

  it('points to what has another name in the SDL, in the names of GraphQL and at the lines of the document', async () => {
    const sdl = blockOf('graphql.md', 'graphql contract').replace('  publishedOn: Date\n}', '}');
    const { findings } = await findingsOf(named, sdl);
    const [finding] = findings;
    expect(finding).toMatchObject({
      rule: 'parity-field',
      fix: { text: expect.stringContaining('publishedOn: Date') },
    });
    const line = named.split('\n')[finding!.location.line - 1];
    expect(line).toContain('published_on: { type: string, format: date }');
  });

  it('asks for what it lacks in snake_case', async () => {
    const { findings } = await findingsOf(named.replace('created_at: { type', 'createdAt: { type'));
    const messages = findings.map(({ message, hint }) => `${message} ${hint}`).join('\n');
    expect(messages).toContain('`created_at`');
    const page = await findingsOf(named.replace('required: [next_cursor]', 'required: [page_token]'));
    expect(page.findings.map(({ hint }) => hint).join('\n')).toContain('next_cursor');
  });

  it('is held to its case where it asks to', async () => {
    const strict = named.replace('case: snake_case', 'case: snake_case, strict: true');
    expect((await findingsOf(strict)).findings).toEqual([]);
    const { findings } = await findingsOf(strict.replaceAll('isbn', 'theIsbn'));
    expect(findings.map(({ message, hint }) => `${message} ${hint}`)).toContain(
      'The property `theIsbn` is not snake_case. Write `the_isbn`.',
    );
    const filtered = strict
      .replace(
        /(\n +)(- \{ name: cursor, .*)/,
        "$1$2$1- { name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/BookFilter' } } } }",
      )
      .replace(
        '\n    BookPage:',
        `
    DayCondition: { type: object, additionalProperties: false, properties: { isNull: { type: boolean } } }
    BookFilter:
      type: object
      additionalProperties: false
      properties: { published_on: { $ref: '#/components/schemas/DayCondition' } }
    BookPage:`,
      );
    expect((await findingsOf(filtered)).findings).toEqual([]);
  });
});
