import { describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases } from '../support/databases.ts';
import { startService } from '../support/service.ts';

const [database] = databases;
const quote = (_inputs: unknown, { reply }: { readonly reply: (answer: { readonly status: number }) => unknown }) =>
  reply({ status: 202 });
const kioskKey = () => undefined;
const whole: AnyHandlers = { operations: { quote }, security: { kioskKey } };

/** What a contract of `test/fixtures` does not boot with, and the words it says that in. */
const bad: readonly (readonly [string, string, AnyHandlers, string])[] = [
  ['a missing operation', 'custom', { ...whole, operations: {} }, 'No handler for quote (handlers.operations)'],
  [
    'an operation that is undefined',
    'custom',
    { ...whole, operations: { quote: undefined } as never },
    'No handler for quote',
  ],
  ['no operations', 'custom', { security: { kioskKey } }, 'No handler for quote (handlers.operations)'],
  [
    'an extra operation',
    'custom',
    { ...whole, operations: { quote, more: quote } },
    'Handlers for operations that are not custom: more',
  ],
  [
    'a default action as an operation',
    'custom',
    { ...whole, operations: { quote, getPaper: quote } },
    'Handlers for operations that are not custom: getPaper',
  ],
  [
    'a security scheme that nobody serves',
    'custom',
    { operations: { quote } },
    'quote needs a handler for the security scheme kioskKey (handlers.security.kioskKey)',
  ],
  [
    'an unknown resource and an undeclared action',
    'library',
    { overrides: { pages: {}, notes: { delete: () => undefined }, 'books.copies': {} } },
    "Handlers do not fit the contract:\n  overrides['pages']: the contract does not have this resource\n" +
      "  overrides['notes'].delete: the contract does not declare this action",
  ],
];

describe('a server', () => {
  it.each(bad)('does not boot with %s', async (_, contract, handlers, message) => {
    await expect(startService(contract, database!, handlers)).rejects.toThrow(message);
  });

  it('boots with handlers that match the contract', async () => {
    const service = await startService('custom', database!, whole);
    await service.close();
  });

  it('serves custom operations to callers identified by a security handler', async () => {
    const caller = { subject: 'kiosk', scopes: new Set<string>(), expiresAtMs: Number.POSITIVE_INFINITY };
    const known: AnyHandlers['security'] = { kioskKey: ({ headers }) => (headers['x-kiosk-key'] ? caller : undefined) };
    const service = await startService('custom', database!, { ...whole, security: known });
    const paper = (await service.request('POST', '/v1/papers', { body: { title: 'News' } })).body;
    const ask = (headers: Record<string, string>) =>
      service.request('POST', `/v1/papers/${paper.id}/quotes`, { body: { words: 5 }, headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ 'x-kiosk-key': 'k' })).status).toBe(202);
    await service.close();
  });
});
