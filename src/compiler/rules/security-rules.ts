import { suggestion } from '../findings/wording.ts';
import type { ContractDraft } from '../model/draft.ts';
import { scopesOf, securitySchemes } from '../model/security-schemes.ts';
import { type Check, severityIn } from './rule.ts';

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
