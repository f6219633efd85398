import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { SchemeDescriptor } from '../../descriptor/rest.ts';
import type { CredentialsRequest, SecurityHandler } from '../../runtime/auth/index.ts';
import { parseCookies } from '../../runtime/rest/parameters/index.ts';
import { scopesOf } from '../../tools/token/index.ts';

/**
 * Accepts any credentials for schemes other than bearer tokens, with every scope: a mock server has nothing to check
 * them with. A scheme that the document does not declare takes whatever `Authorization` there is.
 */
export function mockSecurity(contract: CompiledContract): Readonly<Record<string, SecurityHandler>> {
  const scopes = new Set(scopesOf(contract));
  const { operations, securitySchemes: declared } = contract.rest;
  const named = operations.flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name)),
  );
  const schemes = [...new Set([...Object.keys(declared), ...named])];
  return Object.fromEntries(
    schemes
      .map((name) => [name, declared[name]] as const)
      .filter(([, scheme]) => !scheme?.isBearer)
      .map(([name, scheme]) => [
        name,
        (request) =>
          isGiven(scheme, request) ? { subject: name, scopes, expiresAtMs: Number.MAX_SAFE_INTEGER } : undefined,
      ]),
  );
}

function isGiven(scheme: SchemeDescriptor | undefined, { headers, query }: CredentialsRequest): boolean {
  const { in: place = 'connection', name = '' } = scheme ?? {};
  if (place === 'query') return Object.hasOwn(query, name);
  if (place === 'cookie') return Object.hasOwn(parseCookies([headers['cookie'] ?? []].flat().join('; ')), name);
  return headers[place === 'header' ? name.toLowerCase() : 'authorization'] !== undefined;
}
