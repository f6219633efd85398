import { type ContractModel, securityScheme, securitySchemes } from '../../../compiler/model/index.ts';
import { admitsAnonymous } from '../../../descriptor/access.ts';
import { isBearer } from '../../../descriptor/bearer.ts';
import type { SecurityScheme } from '../../../descriptor/document.ts';
import { declaredAction, isOfCaller } from '../../../descriptor/resource.ts';
import { comparedIn } from '../../../descriptor/row-access.ts';
import { scopesOf } from '../../../tools/token/index.ts';
import { code, items, lines } from '../layout/markdown.ts';
import type { Guide } from './guide.ts';

const FEW = { query: { limit: 2 } };

export const firstCall: Guide = {
  name: 'first-call',
  values(shown, { model }) {
    const resource = shown.resource(['list']);
    const needsToken = resource && shown.request(resource, 'list').needsToken;
    return { resource, needsToken, few: FEW, isClosed: resource && isClosed(model) };
  },
};

/** Whether there is anything that takes a token. */
const isClosed = ({ operations }: ContractModel): boolean => operations.some(({ access }) => !admitsAnonymous(access));

export const tokens: Guide = {
  name: 'tokens',
  values(shown, { model }) {
    if (!isClosed(model)) return undefined;
    const schemes = Object.keys(securitySchemes(model.document)).flatMap((name) => {
      const scheme = securityScheme(model.document, name);
      return scheme ? [[name, scheme] as const] : [];
    });
    const hasBearer = schemes.some(([, scheme]) => isBearer(scheme));
    return {
      resource: shown.resource(['list'], (one) => !admitsAnonymous(declaredAction(one, 'list').access)),
      hasBearer,
      few: FEW,
      schemes: lines(
        ...schemes.flatMap(([name, scheme]) => [
          `## ${code(name)}`,
          placeOf(scheme),
          String(scheme['description'] ?? ''),
        ]),
      ),
      scopes: scopesOf(model).sort().map(code).join(', '),
      claims: hasBearer && items(claimsOf(model)),
    };
  },
};

/** Where credentials of a scheme go. */
function placeOf(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `A key in the ${String(scheme['in'])} ${code(String(scheme['name']))}.`;
  return isBearer(scheme)
    ? 'A bearer token.'
    : `Credentials of ${code(`${scheme.type} ${scheme.scheme ?? ''}`.trim())}.`;
}

/** What rules of rows read in a token beside its scopes. */
function claimsOf({ resources }: ContractModel): string[] {
  const tenants = resources.flatMap(({ tenant }) => tenant?.claim.join('.') ?? []);
  const own = resources.filter(isOfCaller);
  const compared = comparedIn(resources)
    .flatMap(({ value }) => ('claim' in value ? [value.claim.join('.')] : []))
    .filter((claim) => claim !== 'sub' && !tenants.includes(claim));
  return [
    ...[...new Set(tenants)].map((claim) => `${code(claim)} names the tenant whose rows a caller sees and makes.`),
    ...[...new Set(compared)].map((claim) => `${code(claim)} is what rules of rows compare.`),
    ...own.map(
      ({ name }) =>
        `${code('sub')} is the ${code('id')} of a caller's own ${code(name)}, which a caller without one creates.`,
    ),
  ].map((text) => `The claim ${text}`);
}

export const clients: Guide = { name: 'clients', values: (shown) => ({ resource: shown.resource(['list']) }) };
