import { describe, expect, it } from 'vitest';
import type { Access } from '../../../src/descriptor/access.ts';
import { authorize } from '../../../src/runtime/auth/authorize.ts';
import type { Principal } from '../../../src/runtime/auth/principal.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';

const anonymous = undefined;
const caller = (...scopes: string[]): Principal => ({
  subject: 'ada',
  scopes: new Set(scopes),
  expiresAtMs: Number.POSITIVE_INFINITY,
});
const alternatives = (...lists: (string[] | 'anonymous')[]): Access => ({
  anyOf: lists.map((scopes) => ({ schemes: scopes === 'anonymous' ? [] : [{ name: 'bearer', scopes }] })),
});

function refusal(access: Access, principal: Principal | undefined): ApiError | undefined {
  try {
    authorize(access, principal);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  }
}

describe('authorize', () => {
  it.each([
    ['anyone on a public operation', alternatives(), anonymous],
    ['a caller on a public operation', alternatives(), caller()],
    ['anyone when one alternative is anonymous', alternatives(['a'], 'anonymous'), anonymous],
    ['a caller without scopes when one alternative is anonymous', alternatives(['a'], 'anonymous'), caller()],
    ['a caller when no scope is asked', alternatives([]), caller()],
    ['a caller with every scope of one alternative', alternatives(['a', 'b'], ['c']), caller('c')],
    ['a caller with more scopes than asked', alternatives(['a']), caller('a', 'b')],
  ])('lets pass %s', (_, access, principal) => {
    expect(refusal(access, principal)).toBeUndefined();
  });

  it.each([
    ['no scope is asked', alternatives([])],
    ['scopes are asked', alternatives(['a'], ['b'])],
  ])('asks an anonymous caller for a token when %s', (_, access) => {
    const error = refusal(access, anonymous);
    expect(error?.code).toBe('UNAUTHENTICATED');
    expect(error?.headers?.['www-authenticate']).toMatch(/^Bearer realm="api"/);
    expect(error?.headers?.['www-authenticate']).not.toContain('error=');
  });

  it('names what a caller lacks for the nearest alternative', () => {
    const error = refusal(alternatives(['a', 'b', 'c'], ['a', 'd']), caller('a'));
    expect(error?.code).toBe('FORBIDDEN');
    expect(error?.detail).toBe('The token lacks the scope d.');
    expect(error?.headers?.['www-authenticate']).toBe('Bearer realm="api", error="insufficient_scope", scope="a d"');
  });

  it('needs all scopes of all schemes of a requirement', () => {
    const access: Access = {
      anyOf: [
        {
          schemes: [
            { name: 'bearer', scopes: ['a'] },
            { name: 'other', scopes: ['b'] },
          ],
        },
      ],
    };
    expect(refusal(access, caller('a'))?.detail).toBe('The token lacks the scope b.');
    expect(refusal(access, caller('a', 'b'))).toBeUndefined();
  });

  it('never lets a scope break out of the header', () => {
    const error = refusal(alternatives(['a', 'b"\r\nx: y']), caller());
    expect(error?.headers?.['www-authenticate']).toBe('Bearer realm="api", error="insufficient_scope", scope="a"');
  });
});
