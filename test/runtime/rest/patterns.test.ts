import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { Finding } from '../../../src/compiler/findings/finding.ts';
import { patternFault } from '../../../src/compiler/rules/patterns.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

/** Patterns of other languages, texts that they match, and texts that they do not. */
const TRANSLATED: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['(?i)^abc$', ['abc', 'ABC'], ['abd']],
  ['^(?i)abc$', ['aBC'], ['x']],
  ['(?s)^a.b$', ['a\nb'], ['ab']],
  ['\\A[a-z]+\\Z', ['abc'], ['abc1', '1a']],
  ['\\A\\d+\\z', ['12'], ['a']],
  ['^[a-z]++[0-9]$', ['ab1'], ['ab']],
  ['^[a-z]*+z$', [], ['abz']],
  ['^(?>a|ab)c$', ['ac'], ['abc']],
  ['^(?:ab){1,2}+ab$', ['ababab'], ['abab']],
  ['^[[:alpha:]_][[:alnum:]-]*$', ['a-1', '_'], ['1', 'é']],
  ['^(?P<year>\\d{4})-(?P=year)$', ['2020-2020'], ['2020-2021']],
  ['^[\\w-.]+\\@x$', ['a-b.c@x'], ['a b@x']],
  ['^[\\-\\_\\.a]+\\#$', ['-_.a#'], ['b#']],
  ['^{[a-z]}$', ['{a}'], ['a']],
  ['^\\p{Alnum}+$', ['aZ9'], ['é', '-']],
  ['^\\P{Punct}$', ['a'], ['!']],
  ['^\\pL+$', ['é'], ['1']],
  ['^[]a]+$', ['a]'], ['b']],
];

const UNREADABLE = [
  '^[a-z&&[^x]]+$',
  '^\\h+$',
  '(?x) a b',
  '^a(?i)b$',
  '^(a)\\1b++$',
  '^[[:^alpha:]]$',
  '^a{,3}$',
  '(?m)\\Aa',
  '(?R)',
  '(',
];

const all = [...TRANSLATED.map(([pattern]) => pattern), ...UNREADABLE];
const schema = {
  type: 'object',
  properties: {
    ...Object.fromEntries(all.map((pattern, index) => [`p${index}`, { type: 'string', pattern }])),
    map: { type: 'object', patternProperties: { '(?i)^a$': { type: 'integer' } }, additionalProperties: false },
    open: { type: 'object', patternProperties: { '(': { type: 'integer' } }, additionalProperties: false },
  },
};
const content = { 'application/json': { schema } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Patterns', version: '1' },
  paths: {
    '/texts': {
      post: { operationId: 'text', requestBody: { content }, responses: { 200: { description: 'ok', content } } },
    },
  },
};

let service: TestService;
let findings: readonly Finding[];

beforeAll(async () => {
  const modelled = await withFolder({ 'openapi.json': JSON.stringify(document) }, modelContract);
  findings = modelled.findings.filter(({ rule }) => rule === 'pattern-safe');
  const handlers = { operations: { text: ({ input }: { input: unknown }) => input } } as never;
  service = await serve({ contract: modelled.model!, handlers });
});
afterAll(() => service.close());

const statusOf = async (body: object) => (await service.anonymous.request('POST', '/texts', { body })).status;

describe('a pattern of another language', () => {
  test.each(TRANSLATED)('%s is checked as it is meant', async (pattern, yes, no) => {
    const name = `p${all.indexOf(pattern)}`;
    for (const text of yes) expect([text, await statusOf({ [name]: text })]).toEqual([text, 200]);
    for (const text of no) expect([text, await statusOf({ [name]: text })]).toEqual([text, 400]);
  });

  test.each(UNREADABLE)('%s without an exact meaning is reported and is not checked', async (pattern) => {
    expect(await statusOf({ [`p${all.indexOf(pattern)}`]: 'any text' })).toBe(200);
    const [finding] = findings.filter(({ message }) => message.startsWith(`The pattern \`${pattern}\` `));
    expect(finding).toMatchObject({ severity: 'warning', message: expect.stringContaining('is not checked') });
  });

  test('is translated for names of properties; one without a meaning may be that of any name', async () => {
    const statuses = await Promise.all(
      [{ map: { A: 1 } }, { map: { A: 'x' } }, { map: { b: 1 } }, { open: { b: 'x' } }].map(statusOf),
    );
    expect(statuses).toEqual([200, 400, 400, 200]);
  });

  test.each(['(?i)^abc$', '^a{,3}$'])('%s is an error in a document of the conventions', (pattern) => {
    expect(patternFault(pattern, true)).toContain('is not a regular expression');
  });

  test('is judged by its translation', async () => {
    const messages = findings.map(({ message }) => message);
    expect(messages.filter((message) => message.includes('(?i)^abc$') || message.includes('\\A[a-z]+'))).toEqual([]);
  });
});
