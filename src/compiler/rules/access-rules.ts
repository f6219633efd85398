import type { AccessFault, AccessRule } from '../row-access/access-faults.ts';
import { readAccess } from '../row-access/read-access.ts';
import { referencesOf } from '../row-access/relations.ts';
import { ruledResources } from '../row-access/ruled-resources.ts';
import { propertiesWith } from './reference-rules.ts';
import type { Check, Fault } from './rule.ts';
import { declaredScopes } from './security-rules.ts';
import { suggestion } from './wording.ts';

/** `x-access` has actions with lists of alternatives, and stands on the schema of a resource. */
export const accessShape: Check = function* (draft) {
  yield* faultsOf('access-shape')(draft);
  const schemas = new Set(draft.resources.flatMap(({ schema }) => schema.flat.nodes));
  for (const { resource, property } of propertiesWith(draft.resources, 'x-access')) {
    const { node } = property.flat.keywords.get('x-access')!;
    if (schemas.has(node)) continue;
    yield {
      severity: 'error',
      message: `\`${resource.name}.${property.name}\` has \`x-access\`, which is for whole rows.`,
      hint: `Put it on the schema \`${resource.name}\`.`,
      node,
      key: 'x-access',
    };
  }
};

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
  for (const { resource, read } of ruledResources(resources))
    for (const { scope, place } of read.alternatives) {
      if (scopes === undefined || scope === undefined || scopes.has(scope)) continue;
      yield {
        severity: 'error',
        message: `\`x-access\` of \`${resource.name}\` names the scope \`${scope}\`, which no OAuth 2 flow of the contract declares.`,
        hint: suggestion(scope, [...scopes]),
        node: (place.node as Readonly<Record<string | number, object>>)[place.key!]!,
        key: 'scope',
      };
    }
};
