import { securitySchemes } from '../../compiler/model/security-schemes.ts';
import { isBearer } from '../../descriptor/bearer.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { SecurityScheme } from '../../descriptor/document.ts';
import type { CredentialsRequest, SecurityHandler } from '../../runtime/auth/security-handler.ts';
import { readOperations } from '../../runtime/rest/operation.ts';
import { parseCookies } from '../../runtime/rest/parameters/cookies.ts';
import { scopesOf } from '../start/scopes.ts';

/**
 * Accepts any credentials for schemes other than bearer tokens, with every scope: a mock server has nothing to check
 * them with. A scheme that the document does not declare takes whatever `Authorization` there is.
 */
export function mockSecurity(contract: CompiledContract): Readonly<Record<string, SecurityHandler>> {
  const scopes = new Set(scopesOf(contract));
  const declared = securitySchemes(contract.document);
  const named = readOperations(contract.document).flatMap(({ access }) =>
    access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name)),
  );
  const schemes = [...new Set([...Object.keys(declared), ...named])];
  return Object.fromEntries(
    schemes
      .map((name) => [name, declared[name]] as const)
      .filter(([, scheme]) => !scheme || !isBearer(scheme))
      .map(([name, scheme]) => [
        name,
        (request) =>
          isGiven(scheme, request) ? { subject: name, scopes, expiresAtMs: Number.MAX_SAFE_INTEGER } : undefined,
      ]),
  );
}

function isGiven(scheme: SecurityScheme | undefined, { headers, query }: CredentialsRequest): boolean {
  if (scheme?.type !== 'apiKey') return headers['authorization'] !== undefined;
  const name = String(scheme['name']);
  if (scheme['in'] === 'query') return Object.hasOwn(query, name);
  if (scheme['in'] === 'header') return headers[name.toLowerCase()] !== undefined;
  return Object.hasOwn(parseCookies([headers['cookie'] ?? []].flat().join('; ')), name);
}
