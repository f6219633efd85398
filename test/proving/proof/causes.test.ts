import { describe, expect, it } from 'vitest';
import { causesOf, formatCause } from '../../../src/proving/proof/causes.ts';
import type { Exchange } from '../../../src/proving/proof/record.ts';

const exchange = (difference: string, { resource = 'books', action = 'list', caller = 'owner' } = {}): Exchange => {
  const answer = {
    request: { method: 'GET', url: '/v1/books', headers: {} },
    reply: { status: 200, headers: {}, text: '{}', json: {} },
  } as const;
  return {
    resource,
    action,
    caller,
    label: 'good',
    answers: ['REST', 'GraphQL'].map((protocol) => ({ protocol, ...answer })),
    difference,
  };
};
const counts = (...differences: readonly string[]): readonly number[] =>
  causesOf(differences.map((one) => exchange(one))).map(({ count }) => count);

describe('the differences of a proof', () => {
  it.each([
    [
      'values',
      'the data differ: at /data/0/title "A" over REST, "B" over GraphQL',
      'the data differ: at /data/12/title null over REST, {} over GraphQL',
    ],
    [
      'rows',
      'the rows of books differ: only after REST {"id":1}, only after GraphQL ',
      'the rows of books differ: only after REST , only after GraphQL {"id":2}',
    ],
    [
      'events',
      'the events differ: only after REST [1], only after GraphQL []',
      'the events differ: only after REST [], only after GraphQL [2]',
    ],
    [
      'ids',
      'REST answers data, GraphQL 422 REFERENCE_NOT_FOUND: "no Book has the id 12"',
      'REST answers data, GraphQL 422 REFERENCE_NOT_FOUND: "no Book has the id 3456"',
    ],
    ['UUIDs', 'no 01941f29-7c00-7a10-8c57-1d0b6e2f4a01', 'no 01941f29-7c00-7a10-8c57-1d0b6e2f4a02'],
    [
      'request ids',
      'REST answers neither data nor errors: 200 {"requestId":"a"}',
      'REST answers neither data nor errors: 200 {"requestId":"b"}',
    ],
  ])('have one cause where only %s tell them apart', (_what, one, other) => {
    expect(counts(one, other)).toEqual([2]);
  });

  it.each([
    ['messages', 'the messages differ: REST "A", GraphQL "B"', 'the messages differ: REST "A", GraphQL "C"'],
    [
      'codes',
      'the codes differ: REST NOT_FOUND, GraphQL FORBIDDEN',
      'the codes differ: REST NOT_FOUND, GraphQL CONFLICT',
    ],
    ['statuses', 'the statuses differ: REST 400, GraphQL 409', 'the statuses differ: REST 400, GraphQL 422'],
    [
      'properties',
      'the data differ: at /title 1 over REST, 2 over GraphQL',
      'the data differ: at /pages 1 over REST, 2 over GraphQL',
    ],
    ['resources whose rows differ', 'the rows of books differ: 1', 'the rows of loans differ: 1'],
  ])('have causes of their own by %s', (_what, one, other) => {
    expect(counts(one, other)).toEqual([1, 1]);
  });

  it('are one for all callers, actions and resources, the first in full and the rest counted', () => {
    const text = 'may not read the row, but REST answers data';
    const [cause, ...others] = causesOf([
      exchange(`by the rules, owner ${text}`),
      exchange(`by the rules, no scope ${text}`, { caller: 'no scope' }),
      exchange(`by the rules, owner ${text}`, { resource: 'loans', action: 'get' }),
    ]);
    expect(others).toEqual([]);
    expect(formatCause(cause!)).toBe(`books list, owner, good: by the rules, owner ${text}
  curl -X GET 'http://127.0.0.1:3000/v1/books'
    200 {}
  curl -X GET 'http://127.0.0.1:3000/v1/books'
    200 {}
  3 differences of this kind: books list (2), loans get (1)`);
    expect(formatCause(causesOf([exchange('alone')])[0]!)).not.toContain('of this kind');
  });
});
