import { describe, expect, it } from 'vitest';
import { parseContentType } from '../../../src/runtime/http/media-type.ts';
import { parseCookies } from '../../../src/runtime/rest/parameters/cookies.ts';

describe('a Content-Type', () => {
  it.each([
    ['Text/CSV', 'text/csv', undefined],
    ['text/csv;charset=UTF-8', 'text/csv', 'utf-8'],
    ['text/csv\t;\tCharset="utf-8"\t', 'text/csv', 'utf-8'],
    ['text/csv;;charset=utf-8;', 'text/csv', 'utf-8'],
    ['text/csv;a="charset=x;charset=y";charset=utf-8', 'text/csv', 'utf-8'],
    ['text/csv;a="\\"; charset=x";charset=utf-8', 'text/csv', 'utf-8'],
    ['text/csv;__proto__=x', 'text/csv', undefined],
  ])('%s is read', (field, essence, charset) => {
    expect(parseContentType(field)).toEqual({ essence, charset });
  });

  it.each([
    '',
    'text',
    'text/',
    'text/csv/x',
    'te xt/csv',
    'text/csv, text/csv',
    'text/csv;charset',
    'text/csv;charset=',
    'text/csv;charset = utf-8',
    'text/csv;charset="utf-8',
    'text/csv;charset="utf-8"x',
    'text/csv;charset=utf-8 x',
    'text/csv;=x',
    'text/csv;charset=utf-8;CHARSET=latin1',
    'text/csv;a=1;a=2',
  ])('%s is malformed', (field) => {
    expect(parseContentType(field)).toBeNull();
  });

  it.each([
    ['spaces', `text/csv;${' '.repeat(16_000)}"`],
    ['semicolons', `text/csv${'; '.repeat(8_000)}"`],
    ['quotes', `text/csv;a="${'\\"'.repeat(8_000)}`],
    ['parameters', `text/csv${';a="b"'.repeat(2_500)}"`],
  ])('of many %s is refused in no time', (_, field) => {
    const before = process.cpuUsage();
    expect(parseContentType(field)).toBeNull();
    expect(process.cpuUsage(before).user).toBeLessThan(100_000);
  });
});

describe('cookies', () => {
  it.each([
    ['a=1; b=2;c=3', { a: '1', b: '2', c: '3' }],
    ['a=1; a=2', { a: '1' }],
    ['a="1"; b="', { a: '1', b: '"' }],
    ['a= 1 ;b = 2', { a: '1', b: '2' }],
    ['a; b=1; ;', { b: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=%31%', { a: '%31%' }],
    ['__proto__=1', JSON.parse('{ "__proto__": "1" }')],
    ['', {}],
  ])('%s are read', (field, cookies) => {
    expect(Object.entries(parseCookies(field))).toEqual(Object.entries(cookies));
  });
});
