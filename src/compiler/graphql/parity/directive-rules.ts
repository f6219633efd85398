import { type ConstDirectiveNode, getDirectiveValues } from 'graphql';
import { suggestion } from '../../findings/wording.ts';
import { declaredScopes, securitySchemes } from '../../model/security-schemes.ts';
import type { SdlDraft, SdlField, SdlRule } from './sdl-rule.ts';

export const limitsPositive: SdlRule = {
  id: 'sdl-limits',
  summary: 'Limits admit at least one document.',
  advice: '`@limits(depth: 0)` would refuse every document. Omit a limit to use its default.',
  *check({ schema }) {
    const definition = schema.getDirective('limits');
    const nodes = [schema.astNode, ...schema.extensionASTNodes].filter((node) => node != null);
    for (const node of definition ? nodes : [])
      for (const [name, value] of Object.entries(getDirectiveValues(definition!, node) ?? {})) {
        if (Number(value) >= (MAY_BE_NONE.has(name) ? 0 : 1)) continue;
        const written = node.directives?.find((one) => one.name.value === 'limits');
        yield {
          message: `\`@limits(${name}: ${String(value)})\` lets no document pass.`,
          hint: `Write how much of it a document may have, or leave \`${name}\` out for its default.`,
          node: written?.arguments?.find((one) => one.name.value === name) ?? written,
          coordinate: `@limits(${name}:)`,
        };
      }
  },
};

const MAY_BE_NONE: ReadonlySet<string> = new Set(['aliases', 'directives', 'subscriptions']);

export const authScheme: SdlRule = {
  id: 'sdl-auth-scheme',
  summary: '`@auth` names a security scheme of the contract.',
  advice: 'Declare it in the OpenAPI document.',
  *check(draft) {
    const known = Object.keys(securitySchemes(draft.document));
    for (const { node, coordinate, scheme } of authorizations(draft)) {
      if (known.length > 0 && (scheme === undefined || known.includes(scheme))) continue;
      yield {
        message:
          scheme === undefined
            ? `\`@auth\` of \`${coordinate}\` requires an authenticated caller, but the contract has no security scheme.`
            : `\`@auth\` of \`${coordinate}\` requires the scheme \`${scheme}\`, which the contract does not have.`,
        hint: `${suggestion(scheme ?? '', known)} Declare schemes in \`components.securitySchemes\`.`,
        node,
        coordinate,
      };
    }
  },
};

export const authScope: SdlRule = {
  id: 'sdl-auth-scope',
  summary: '`@auth` names scopes that are declared.',
  advice: 'Add the scope to a flow of the OAuth 2 scheme.',
  *check(draft) {
    const known = declaredScopes(draft.document);
    if (!known) return;
    for (const { node, coordinate, scopes } of authorizations(draft)) {
      for (const scope of scopes.filter((one) => !known.has(one))) {
        yield {
          message: `\`@auth\` of \`${coordinate}\` requires the scope \`${scope}\`, which no flow declares.`,
          hint: suggestion(scope, [...known]),
          node,
          coordinate,
        };
      }
    }
  },
};

function* authorizations({ schema, fields }: SdlDraft) {
  const definition = schema.getDirective('auth')!;
  for (const { field, coordinate } of fields) {
    for (const node of directivesOf(field, 'auth')) {
      const values = getDirectiveValues(definition, { directives: [node] }) as { scopes: string[]; scheme?: string };
      yield { node, coordinate, ...values };
    }
  }
}

function directivesOf({ astNode }: SdlField['field'], directive: string): readonly ConstDirectiveNode[] {
  return astNode?.directives?.filter(({ name }) => name.value === directive) ?? [];
}
