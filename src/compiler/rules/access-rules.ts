import { suggestion } from '../findings/wording.ts';
import type { AccessFault, AccessRule } from '../model/access/access-faults.ts';
import { readAccess } from '../model/access/read-access.ts';
import { referencesOf } from '../model/access/relations.ts';
import { ruledFields, ruledResources } from '../model/access/ruled-resources.ts';
import { declaredScopes } from '../model/security-schemes.ts';
import type { Check, Fault } from './rule.ts';

/** `x-access` has actions with lists of alternatives. */
export const accessShape: Check = (draft) => faultsOf('access-shape')(draft);

/** Conditions name properties, references and inverses that exist. */
export const accessName: Check = (draft) => faultsOf('access-name')(draft);

/** The operators of conditions apply to the types of the properties. */
export const accessOperator: Check = (draft) => faultsOf('access-operator')(draft);

/** Conditions compare with values of the property's type, or with claims. */
export const accessValue: Check = (draft) => faultsOf('access-value')(draft);

const faultsOf = (rule: AccessRule): Check =>
  function* ({ resources }) {
    const references = referencesOf(resources);
    for (const resource of resources)
      for (const fault of readAccess(resource, references).faults) if (fault.rule === rule) yield faultOf(fault);
    for (const { read } of ruledFields(resources))
      for (const fault of read.faults) if (fault.rule === rule) yield faultOf(fault);
  };

function faultOf({ rule: _, hint, ...fault }: AccessFault): Fault {
  return {
    severity: 'error',
    ...fault,
    hint: typeof hint === 'string' ? hint : suggestion(hint.name, hint.known, hint.otherwise),
  };
}

/** Alternatives name scopes that the contract declares. */
export const accessScope: Check = function* ({ document, resources }) {
  const scopes = declaredScopes(document);
  const named = [...ruledResources(resources), ...ruledFields(resources)].map((ruled) => ({
    name: 'property' in ruled ? `${ruled.resource.name}.${ruled.property.name}` : ruled.resource.name,
    alternatives: ruled.read.alternatives,
  }));
  for (const { name, alternatives } of named)
    for (const { scope, place } of alternatives) {
      if (scopes === undefined || scope === undefined || scopes.has(scope)) continue;
      yield {
        severity: 'error',
        message: `\`x-access\` of \`${name}\` names the scope \`${scope}\`, which no OAuth 2 flow of the contract declares.`,
        hint: suggestion(scope, [...scopes]),
        node: (place.node as Readonly<Record<string | number, object>>)[place.key!]!,
        key: 'scope',
      };
    }
};
