import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { isLinearPattern } from '../../../src/compiler/rules/linear-pattern.ts';
import { parseContract } from '../../support/single-file-contract.ts';

/** Safe, which takes more than 3,000 steps to tell by trying, and is plain from its form. */
const LONG = String.raw`^(-?(?:[1-9][0-9]*)?[0-9]{4})-(1[0-2]|0[1-9])-(3[01]|0[1-9]|[12][0-9])T(2[0-3]|[01][0-9]):([0-5][0-9]):([0-5][0-9])(\.[0-9]+)?(Z)?$`;

const ordinary = (pattern: string): string => `openapi: 3.1.0
info: { title: Others, version: '1' }
paths:
  /clock:
    get:
      operationId: readClock
      responses: { '200': { description: ok, content: { application/json: { schema: { type: string, pattern: '${pattern}' } } } } }
`;

const severities = (source: Parameters<typeof buildModel>[0]): readonly string[] =>
  buildModel(source).findings.flatMap(({ rule, severity }) => (rule === 'pattern-safe' ? [severity] : []));

/** The same, with loops that both match what is between them. */
const TWO_LOOPS = LONG.replace('(Z)?$', '[0-9]*(Z)?$');

describe('the form of a pattern', () => {
  it.each([
    LONG,
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    '^[a-z]+@[a-z]+\\.[a-z]{2,3}$',
    '^[^:]+:.*$',
    'abc|[x-z]{3}',
    '^((25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])$',
    '^[a-z]+\\x2d\\p{Lu}+$',
  ])('shows that %s is linear', (pattern) => expect(isLinearPattern(pattern)).toBe(true));

  it.each([
    '^(a+)+$',
    '^(a|aa)*$',
    '^(.*a){3}$',
    '^a*a*$',
    '^\\s*(.*)\\s*$',
    '^[a-z]{0,30}[a-z0-9]{0,30}$',
    '^[a-z]+-?[a-z]+$',
    '^\\w+é?\\w+$',
    '[a-z]+x',
    '^a|b+c',
    '^(a?){8}(a?){8}(a?){8}$',
    '^((a?){8}){4}$',
    '^(?=a)a+$',
    '^(a)\\1+$',
    '(',
  ])('does not show that %s is', (pattern) => expect(isLinearPattern(pattern)).toBe(false));
});

describe('a pattern that takes long to judge', () => {
  it.each([
    ['^[a-z]{1,9}$', []],
    ['^(a+)+$', ['warning']],
    [LONG, []],
    [TWO_LOOPS, ['warning']],
  ])('is judged by its form, and not to the end, in an ordinary document: %s', (pattern, expected) => {
    expect(severities(parseContract(ordinary(pattern)))).toEqual(expected);
  });

  it('is in a contract of resources', async () => {
    const source = await readContract('test/fixtures/cats');
    const { Cat } = source.document.components!.schemas! as Record<string, { properties: Record<string, object> }>;
    Object.assign(Cat!.properties['name']!, { pattern: LONG });
    expect(severities(source)).toEqual([]);
    Object.assign(Cat!.properties['name']!, { pattern: '^(a+)+$' });
    expect(severities(source)).toEqual(['error']);
  });
});
