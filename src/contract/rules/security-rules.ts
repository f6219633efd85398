import type { OpenApiDocument, SecurityScheme } from '../../descriptor/document.ts';
import { resolveReference } from '../references.ts';
import { atOperation } from './place.ts';
import { type Check, severityIn } from './rule.ts';
import { suggestion } from './wording.ts';

/** Every requirement names a security scheme of the contract. */
export const securityScheme: Check = function* (draft) {
  const schemes = Object.keys(draft.document.components?.securitySchemes ?? {});
  for (const operation of draft.operations) {
    for (const { name } of operation.access.anyOf.flatMap((requirement) => requirement.schemes)) {
      if (schemes.includes(name)) continue;
      yield {
        severity: severityIn(draft),
        message: `\`${operation.operationId}\` asks for the security scheme \`${name}\`, which the contract does not have.`,
        hint: `${suggestion(name, schemes)} Schemes stand in \`components.securitySchemes\`.`,
        ...atOperation(operation, 'security'),
      };
    }
  }
};

/** An OAuth 2 scheme lists the scopes it gives (OpenAPI 3.1, 4.8.28). */
export const securityScope: Check = function* (draft) {
  for (const operation of draft.operations) {
    for (const { name, scopes } of operation.access.anyOf.flatMap((requirement) => requirement.schemes)) {
      const declared = scopesOf(draft.document, name);
      for (const scope of declared === undefined ? [] : scopes.filter((one) => !declared.has(one))) {
        yield {
          severity: severityIn(draft),
          message: `\`${operation.operationId}\` asks for the scope \`${scope}\`, which no flow of \`${name}\` declares.`,
          hint: suggestion(scope, [...declared!]),
          ...atOperation(operation, 'security'),
        };
      }
    }
  }
};

/** All scopes that the OAuth 2 schemes of a contract declare; undefined when it has none, and scopes are free. */
export function declaredScopes(document: OpenApiDocument): ReadonlySet<string> | undefined {
  const names = Object.keys(document.components?.securitySchemes ?? {});
  const sets = names.flatMap((name) => scopesOf(document, name) ?? []);
  return sets.length === 0 ? undefined : new Set(sets.flatMap((scopes) => [...scopes]));
}

function scopesOf(document: OpenApiDocument, name: string): ReadonlySet<string> | undefined {
  const scheme = resolveReference<SecurityScheme>(document, document.components?.securitySchemes?.[name]);
  if (scheme?.type !== 'oauth2') return undefined;
  const flows = Object.values((scheme['flows'] ?? {}) as Record<string, { scopes?: Record<string, string> }>);
  return new Set(flows.flatMap(({ scopes }) => Object.keys(scopes ?? {})));
}
