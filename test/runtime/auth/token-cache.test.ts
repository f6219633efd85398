import { expect, it } from 'vitest';
import { createTokenCache } from '../../../src/runtime/auth/authenticator.ts';

const principal = { subject: 'ada', scopes: new Set<string>(), expiresAtMs: 1_000 };

it('drops the oldest token beyond its capacity', () => {
  const cache = createTokenCache(2);
  for (const header of ['a', 'b', 'c']) cache.add(header, principal, 0);
  expect(cache.get('a', 0)).toBeUndefined();
  expect(cache.get('b', 0)).toBe(principal);
  expect(cache.get('c', 0)).toBe(principal);
});

it('keeps no header beyond 4,096 characters', () => {
  const cache = createTokenCache(2);
  cache.add('x'.repeat(4_097), principal, 0);
  expect(cache.get('x'.repeat(4_097), 0)).toBeUndefined();
});

it('keeps the others when a token is added again', () => {
  const cache = createTokenCache(2);
  for (const header of ['a', 'b', 'b']) cache.add(header, principal, 0);
  expect(cache.get('a', 0)).toBe(principal);
});
