import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { isInt64 } from '../../../../src/descriptor/formats/formats.ts';
import {
  CONSISTENCY_TOKEN_PATTERN,
  ENTITY_TAGS_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  INT64_PATTERN,
  TEXT_PATTERN,
} from '../../../../src/descriptor/implied-patterns.ts';
import { Consistency } from '../../../../src/runtime/engine/interface/consistency.ts';
import { readIdempotencyKey } from '../../../../src/runtime/http/idempotency-key.ts';
import { isNotModified } from '../../../../src/runtime/rest/preconditions.ts';
import { editedFolder } from '../../../support/edited-contract.ts';
import { withFolder } from '../../../support/folder.ts';
import { contractOf } from '../../../support/service.ts';

/** Texts with the characters that the patterns are about. */
const texts = fc.array(
  fc.constantFrom('"', '\\', ',', ' ', 'W/', '*', 'a', '~', '\t', '1', '\u00ff', '-', '0', 'p', 's'),
  {
    maxLength: 12,
  },
);

const READS = { 'If-None-Match': ENTITY_TAGS_PATTERN, 'Consistency-Token': CONSISTENCY_TOKEN_PATTERN };

const isRead = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

describe('patterns that completion declares', () => {
  it.each<[string, string, (text: string) => boolean]>([
    ['keys', IDEMPOTENCY_KEY_PATTERN, (text) => isRead(() => readIdempotencyKey(text))],
    ['consistency tokens', CONSISTENCY_TOKEN_PATTERN, (text) => isRead(() => new Consistency().ask(text))],
    ['entity tags', ENTITY_TAGS_PATTERN, (text) => isRead(() => isNotModified({ 'if-none-match': text }, '"x"'))],
    ['64-bit integers of few digits', INT64_PATTERN, isInt64],
  ])('refuse the %s that the server refuses, and no others', (_, pattern, isTaken) => {
    const expression = new RegExp(pattern, 'u');
    fc.assert(
      fc.property(
        texts.map((parts) => parts.join('').trim()),
        (text) => expression.test(text) === isTaken(text),
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('a completed contract', () => {
  const headersOf = (
    { rest }: Awaited<ReturnType<typeof contractOf>>,
    path: string,
    method: 'get' | 'post' | 'patch',
  ) => {
    const operation = rest.operations.find((one) => one.path === path && one.method === method)!;
    return Object.fromEntries(
      operation.parameters.flatMap(({ in: place, name, schema }) =>
        place === 'header' ? [[name, (schema as { readonly pattern?: string }).pattern]] : [],
      ),
    );
  };

  it('declares the header fields that actions read, with their patterns', async () => {
    for (const contract of [await contractOf('library'), await contractOf('contracts')]) {
      const [all, one] =
        contract.resources[0]!.path === '/authors'
          ? ['/authors', '/authors/{authorId}']
          : ['/users', '/users/{userId}'];
      expect(headersOf(contract, all, 'get')).toEqual(READS);
      expect(headersOf(contract, one, 'get')).toEqual(READS);
      expect(headersOf(contract, one, 'patch')).toEqual({ 'If-Match': ENTITY_TAGS_PATTERN });
      expect(headersOf(contract, all, 'post')).toEqual({ 'Idempotency-Key': IDEMPOTENCY_KEY_PATTERN });
    }
  });

  it('says what texts of requests must not hold, once for each, and not of answers alone', async () => {
    const { document } = await contractOf('library');
    const { BookInput, Book, Problem } = document.components!.schemas as Record<
      string,
      { properties: Record<string, object> }
    >;
    expect(BookInput!.properties['title']).toMatchObject({ type: 'string', pattern: TEXT_PATTERN });
    expect(BookInput!.properties['printed']).toMatchObject({ format: 'int64', pattern: INT64_PATTERN });
    expect(BookInput!.properties['publishedAt']).not.toHaveProperty('pattern');
    expect(Book!.properties['title']).not.toHaveProperty('pattern');
    expect(Problem!.properties['detail']).not.toHaveProperty('pattern');
  });

  it('declares the answers that come before routing, in documents that know their codes', async () => {
    const { document } = await contractOf('contracts');
    for (const item of Object.values(document.paths))
      expect(Object.keys(item.get?.responses ?? { 414: 1, 431: 1 })).toEqual(expect.arrayContaining(['414', '431']));
  });

  it('gives each declared code of a custom operation the problem as its content', async () => {
    const { document } = await contractOf('observatory');
    const [, response] = Object.entries(document.paths['/tallies']!.post!.responses).find(
      ([status]) => status === '409',
    )!;
    expect(response).toMatchObject({
      'x-error-codes': expect.arrayContaining(['TELESCOPE_CLOSED']),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
  });

  it('read anew is the same contract', async () => {
    const { edition } = await editedFolder('library', [], readEdition);
    const published = edition!.model.document;
    const again = await withFolder({ 'openapi.json': JSON.stringify(published) }, readEdition);
    expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(again.edition!.model.document).toEqual(published);
    const changes = await changesBetween(edition!, again.edition!);
    expect(changes.filter(({ area }) => area === 'rest')).toEqual([]);
  });
});
