import { describe, expect, test } from 'vitest';
import {
  PLAIN_TEXTS,
  TEXTS_OF_FORMAT,
  TEXTS_OF_PARAMETER,
} from '../../../../src/compiler/gate/changes/effective/accepted-texts.ts';
import { formats } from '../../../../src/descriptor/formats/formats.ts';
import { readIdempotencyKey } from '../../../../src/runtime/http/idempotency-key.ts';
import { expectationOf } from '../../../../src/runtime/rest/preconditions.ts';
import { findUnstorable } from '../../../../src/runtime/schema/unstorable.ts';

describe('what the gate takes the server to accept, the server accepts', () => {
  test('every format that is checked has texts', () => {
    expect(Object.keys(TEXTS_OF_FORMAT).sort()).toEqual(Object.keys(formats).sort());
  });

  test.each(Object.entries(TEXTS_OF_FORMAT))('texts of the format %s', (name, texts) => {
    const format = formats[name]!;
    const isValid = format instanceof RegExp ? (text: string) => format.test(text) : format;
    expect(texts.filter((text) => !isValid(text))).toEqual([]);
  });

  test('plain texts', () => {
    expect(PLAIN_TEXTS.filter((text) => findUnstorable(text) !== undefined)).toEqual([]);
  });

  test('header fields of requests', () => {
    for (const field of TEXTS_OF_PARAMETER['header:if-match']!)
      expect(() => expectationOf({ 'if-match': field, 'if-none-match': field })).not.toThrow();
    for (const field of TEXTS_OF_PARAMETER['header:idempotency-key']!)
      expect(() => readIdempotencyKey(field)).not.toThrow();
  });

  test('cursors are base64url, of what the server issues', () => {
    for (const cursor of TEXTS_OF_PARAMETER['query:cursor']!)
      expect(Buffer.from(cursor, 'base64url').toString('base64url')).toBe(cursor);
  });
});
