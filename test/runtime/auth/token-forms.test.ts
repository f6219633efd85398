import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { signToken } from '../../../src/runtime/auth/sign-token.ts';
import { databases } from '../../support/databases.ts';
import { authorInput, librarian, WRITE } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const LEEWAY_S = 30;
const keys = secretKeys('a secret of the tests, and long enough for HS256');

const issued = (endsInS: number, claims: object = {}): string =>
  signToken(keys, {
    subject: librarian.sub,
    scopes: [WRITE],
    expiresInSeconds: endsInS,
    now: NOW,
    claims: { ...claims },
  });
const seconds = NOW.getTime() / 1_000;

// A token is judged before anything of a database.
describe('tokens as issuers send them', () => {
  let service: Service;
  beforeAll(async () => {
    const authentication = { keys, clock: () => NOW.getTime(), leewayMs: LEEWAY_S * 1_000 };
    service = await startService('library', databases[0]!, {}, { authentication });
  });
  afterAll(() => service.close());

  /** The code of what a write over each protocol is refused with; undefined if it is done. */
  async function outcomes(token: string): Promise<readonly unknown[]> {
    const headers = { authorization: `Bearer ${token}` };
    const rest = await service.request('POST', '/v1/authors', { headers, body: authorInput() });
    const query = 'mutation { createAuthor(input: { name: "Ada" }) { id } }';
    const graphql = await service.request('POST', '/graphql', { headers, body: { query } });
    return [rest.body.code, graphql.body.code ?? graphql.body.errors?.[0].extensions.code];
  }

  it.each<readonly [what: string, token: string, code: string | undefined]>([
    ['scopes in an array', issued(60, { scope: [WRITE] }), undefined],
    ['scopes in an array, of others', issued(60, { scope: ['other'] }), 'FORBIDDEN'],
    ['scp in an array', issued(60, { scope: undefined, scp: [WRITE] }), undefined],
    ['an array of other than texts', issued(60, { scope: [WRITE, 1] }), 'UNAUTHENTICATED'],
    ['an end within the leeway', issued(1 - LEEWAY_S), undefined],
    ['an end at the leeway', issued(-LEEWAY_S), 'UNAUTHENTICATED'],
    ['a beginning within the leeway', issued(60, { nbf: seconds + LEEWAY_S }), undefined],
    ['a beginning beyond it', issued(60, { nbf: seconds + LEEWAY_S + 1 }), 'UNAUTHENTICATED'],
  ])('with %s are judged alike over both protocols', async (_, token, code) => {
    expect(await outcomes(token)).toEqual([code, code]);
  });
});
