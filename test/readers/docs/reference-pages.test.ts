import { describe, expect, it } from 'vitest';
import { withFolder } from '../../support/folder.ts';
import { siteOf } from './support/site-of.ts';

async function pageOf(path: string, contracts = 'contracts'): Promise<string> {
  return String((await siteOf(contracts)).get(`${path}.md`));
}

/** The rows of tables whose first cell is this. */
const rowsOf = (page: string, first: string): readonly string[] =>
  page.split('\n').filter((line) => line.startsWith(`| ${first}`));

describe('the page of an operation', () => {
  it('has among its errors every code of its answers, and names those of any request', async () => {
    const page = await pageOf('docs/operations/createOrder');
    const [, errors = ''] = page.split('## Errors');
    for (const code of ['URI_TOO_LONG', 'HEADERS_TOO_LARGE', 'ILLEGAL_TRANSITION', 'TOO_MANY_REQUESTS'])
      expect(rowsOf(errors, `[\`${code}\`]`), code).toHaveLength(1);
    expect(errors).toMatch(/Any request may also fail with \[`REQUEST_TIMEOUT`\].* \(408\), \[`EXPECTATION_FAILED`\]/);
    expect(await pageOf('docs/operations/getOrder')).toContain('Any request may also fail');
  });

  it('has among its answers those that are errors only where the contract says more of them than their codes do', async () => {
    const [, answers = ''] = (await pageOf('docs/operations/createOrder')).split('## Answers');
    const [own = ''] = answers.split('### Header fields');
    expect(rowsOf(own, '`409`').join()).toContain('The status is not the initial one.');
    expect(rowsOf(own, '`401`')).toEqual([]);
    expect(own).toContain(
      'Any other answer is [`Problem`](../types/Problem.md) (`application/problem+json`), with one of the codes below.',
    );
  });

  it('has the header fields of its answer, and how a tag is used', async () => {
    const [get = '', create = '', list = '', remove = ''] = await Promise.all(
      ['getOrder', 'createOrder', 'listOrders', 'deleteOrder'].map(async (id) => pageOf(`docs/operations/${id}`)),
    );
    expect(rowsOf(get, '`ETag`').join()).toMatch(/As `If-None-Match` of the same request.* As `If-Match` of a change/);
    expect(rowsOf(create, '`ETag`').join()).toMatch(/tag\. As `If-Match` of a change, with its quotes/);
    expect(rowsOf(list, '`ETag`').join()).toMatch(/As `If-None-Match`[^|]*changed\. \|$/);
    for (const field of ['`Location`', '`Consistency-Token`', '`RateLimit`'])
      expect(rowsOf(create, field)).toHaveLength(1);
    expect(rowsOf(remove, '`Consistency-Token`')).toHaveLength(1);
    expect(rowsOf(remove, '`ETag`')).toEqual([]);
  });

  it('says how agents call it, if they are offered it', async () => {
    const [, tool = ''] = (await pageOf('docs/operations/updateOrder')).split('## Tool');
    expect(tool).toMatch(/Agents call `updateOrder` .* with the arguments `orderId`, `input`, `ifVersion`\./);
    expect(JSON.parse(/```json.*\n([\s\S]*?)```/.exec(tool)![1]!)).toEqual({
      name: 'updateOrder',
      arguments: { orderId: expect.any(String), input: expect.any(Object) },
    });
    expect(await pageOf('docs/operations/replaceOrder')).not.toContain('## Tool');
  });

  it('says what If-Match takes, and why a read that does not declare it may fail by it', async () => {
    const update = await pageOf('docs/operations/updateOrder');
    expect(rowsOf(update, '`If-Match`').join()).toContain(
      'With the quotes, as `ETag` gave it; a weak tag (`W/…`) never matches.',
    );
    expect(rowsOf(update, '[`PRECONDITION_FAILED`]').join()).toContain('The version of the resource is not');
    const list = await pageOf('docs/operations/listOrders');
    expect(rowsOf(list, '[`PRECONDITION_FAILED`]').join()).toContain('Only where the request has `If-Match`');
  });

  it('says what each operator of a filter means before what the filter is', async () => {
    const page = await pageOf('docs/operations/listProducts');
    const texts = ['gt', 'gte', 'lt', 'lte'].map((one) => rowsOf(page, `\`price[${one}]\``).join());
    expect(texts[1]).toContain('Greater than or equal to this. Only products whose price is in this range');
    expect(new Set(texts.map((text) => text.split('|').at(-2))).size).toBe(4);
  });
});

describe('the page of a resource with owners', () => {
  it('says how they find what is theirs, where its list can be asked for it', async () => {
    expect(await pageOf('docs/resources/Order')).toContain(
      "One's own: `GET /orders?userId=…`, with the `sub` of the token.",
    );
    expect(await pageOf('docs/resources/Product')).not.toContain("One's own");
  });
});

describe('the page of an error', () => {
  it('says what to do as the guide to errors does, and which guide has more of it', async () => {
    expect(await pageOf('errors/PRECONDITION_FAILED')).toMatch(
      /What to do: read again, decide again, send it again\. See \[[^\]]+\]\(\.\.\/docs\/guides\/changing-what-was-read\.md\)\./,
    );
    expect(await pageOf('errors/OUT_OF_STOCK')).toContain(
      'What to do: wait, and send it again. See [Errors, and what to do about each](../docs/guides/errors.md).',
    );
    expect(await pageOf('docs/guides/errors')).toMatch(
      /`PRECONDITION_FAILED`.*read again, decide again, send it again/,
    );
  });

  it('says of a code of any request that every operation can return it', async () => {
    for (const code of ['URI_TOO_LONG', 'HEADERS_TOO_LARGE', 'REQUEST_TIMEOUT']) {
      const page = await pageOf(`errors/${code}`);
      expect(page, code).toMatch(/Every operation can return it\.|createOrder/);
      expect(page, code).not.toContain('declares it');
    }
  });

  it('shows one of GraphQL alone as GraphQL does, and one of subscriptions in their stream', async () => {
    const missed = await pageOf('errors/EVENTS_MISSED');
    expect(missed).toContain('It comes only in the stream of a subscription');
    expect(missed).toContain('Every subscription.');
    expect(missed).toContain('"data": null');
    expect(missed).not.toMatch(/Over REST|may succeed later|any request/);
    const unknown = await pageOf('errors/PERSISTED_QUERY_NOT_FOUND');
    expect(unknown).toContain('Every request of GraphQL.');
    expect(unknown).not.toContain('Over REST');
    const limit = await pageOf('errors/LIMIT_EXCEEDED');
    expect(limit).toMatch(/## Over REST[\s\S]*`totalOrders`[\s\S]*Every request of GraphQL can return it, too\./);
  });
});

it('the page of problems shows the address that the server sends, in words for readers', async () => {
  const page = await pageOf('docs/types/Problem');
  expect(page).toContain('"type": "/errors/OUT_OF_STOCK"');
  expect(page + (await pageOf('docs/types/ErrorCode'))).not.toContain('x-error-codes');
});

it('the page of access says once, of all rules, what a caller gets that may not see or change a row', async () => {
  const page = await pageOf('docs/access');
  const [before = ''] = page.split('\\* What belongs to somebody');
  expect(before).toMatch(/one that it may read\nbut not change is \[`FORBIDDEN`\]/);
  expect(page.split('not change is')).toHaveLength(2);
});

describe('the page of limits', () => {
  it('has the bodies that the contract limits', async () => {
    const film = { schema: { type: 'string', format: 'binary', maxLength: 20_000_000 } };
    const operation = (content: object) => ({ requestBody: { content }, responses: { 204: { description: 'Added' } } });
    const document = (content: object) => ({
      openapi: '3.1.0',
      info: { title: 'Films', version: '1' },
      paths: { '/films': { post: { operationId: 'addFilm', ...operation(content) } } },
    });
    const limitsOf = (content: object) =>
      withFolder({ 'openapi.yaml': JSON.stringify(document(content)) }, (folder) => pageOf('docs/limits', folder));
    expect(rowsOf(await limitsOf({ 'video/mp4': film }), '`addFilm`')).toEqual([
      '| `addFilm` | `video/mp4` | 20,000,000 |',
    ]);
    expect(await limitsOf({ 'video/mp4': {} })).not.toContain('limits of their own');
  });
});
