import type { OpenApiDocument, SecurityScheme } from '../../descriptor/document.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { ContractDraft } from '../model/draft.ts';
import { securitySchemes } from '../model/security-schemes.ts';
import { type Check, severityIn } from './rule.ts';
import { suggestion } from './wording.ts';

/** Security requirements name schemes of the contract. */
export const securityScheme: Check = function* (draft) {
  const known = Object.keys(securitySchemes(draft.document));
  for (const { scheme, place } of requirements(draft)) {
    if (known.includes(scheme)) continue;
    yield {
      severity: severityIn(draft),
      message: `\`security\` requires the scheme \`${scheme}\`, which the contract does not have.`,
      hint: `${suggestion(scheme, known)} Declare schemes in \`components.securitySchemes\`.`,
      ...place,
    };
  }
};

/** Required scopes are declared by a flow of the OAuth 2 scheme (OpenAPI 3.1, 4.8.28). */
export const securityScope: Check = function* (draft) {
  for (const { scheme, scopes, place } of requirements(draft)) {
    const declared = scopesOf(draft.document, scheme);
    for (const scope of declared === undefined ? [] : scopes.filter((one) => !declared.has(one))) {
      yield {
        severity: severityIn(draft),
        message: `\`security\` requires the scope \`${scope}\`, which no flow of \`${scheme}\` declares.`,
        hint: suggestion(scope, [...declared!]),
        ...place,
      };
    }
  }
};

/** Every scheme that the document or an operation requires, with its place. */
function* requirements({ document, operations }: ContractDraft) {
  const all = [document.security, ...operations.map(({ node }) => node.security)];
  for (const requirement of all.flatMap((security) => security ?? [])) {
    for (const [scheme, scopes] of Object.entries(requirement)) {
      yield { scheme, scopes, place: { node: requirement, key: scheme } };
    }
  }
}

/**
 * All scopes that the OAuth 2 schemes of a contract declare; undefined when it has none, so that any scope is allowed.
 */
export function declaredScopes(document: OpenApiDocument): ReadonlySet<string> | undefined {
  const names = Object.keys(securitySchemes(document));
  const sets = names.flatMap((name) => scopesOf(document, name) ?? []);
  return sets.length === 0 ? undefined : new Set(sets.flatMap((scopes) => [...scopes]));
}

function scopesOf(document: OpenApiDocument, name: string): ReadonlySet<string> | undefined {
  const scheme = resolveReference<SecurityScheme>(document, securitySchemes(document)[name]);
  if (scheme?.type !== 'oauth2') return undefined;
  const flows = Object.values((scheme['flows'] ?? {}) as Record<string, { scopes?: Record<string, string> }>);
  return new Set(flows.flatMap(({ scopes }) => Object.keys(scopes ?? {})));
}
