import { scopesOf } from '../scripts/scopes.ts';
import { isBearer } from '../src/auth/identification.ts';
import type { CredentialsRequest, SecurityHandler } from '../src/auth/security-handler.ts';
import type { CompiledContract } from '../src/compiled-contract.ts';
import type { SecurityScheme } from '../src/descriptor/document.ts';
import { parseCookies } from '../src/rest/parameters/cookies.ts';

/** Who brings any credentials of a scheme that is no bearer token may do everything: a mock knows no keys. */
export function mockSecurity(contract: CompiledContract): Readonly<Record<string, SecurityHandler>> {
  const scopes = new Set(scopesOf(contract));
  const schemes = Object.entries(contract.document.components?.securitySchemes ?? {});
  return Object.fromEntries(
    schemes
      .filter(([, scheme]) => !isBearer(scheme))
      .map(([name, scheme]) => [
        name,
        (request) =>
          isGiven(scheme, request) ? { subject: name, scopes, expiresAtMs: Number.MAX_SAFE_INTEGER } : undefined,
      ]),
  );
}

function isGiven(scheme: SecurityScheme, { headers, query }: CredentialsRequest): boolean {
  if (scheme.type !== 'apiKey') return headers['authorization'] !== undefined;
  const name = String(scheme['name']);
  if (scheme['in'] === 'query') return Object.hasOwn(query, name);
  if (scheme['in'] === 'header') return headers[name.toLowerCase()] !== undefined;
  return Object.hasOwn(parseCookies([headers['cookie'] ?? []].flat().join('; ')), name);
}
