import { accessRules } from './access-rules.ts';
import { actionRules } from './action-rules.ts';
import { clientRules } from './client-rules.ts';
import { errorRules } from './error-rules.ts';
import { extensionRules } from './extension-rules.ts';
import { filterRules } from './filter-rules.ts';
import { furtherRules } from './further-rules.ts';
import { hiddenKeyRules } from './hidden-key-rules.ts';
import { idRules } from './id-rules.ts';
import { inputRules } from './input-rules.ts';
import { keyRules } from './key-rules.ts';
import { listRules } from './list-rules.ts';
import { mappedRules } from './mapped-rules.ts';
import { namingRules } from './naming-rules.ts';
import { operationRules } from './operation-rules.ts';
import { ownerRules } from './owner-rules.ts';
import { pageRules } from './page-rules.ts';
import { pathRules } from './path-rules.ts';
import { referenceRules } from './reference-rules.ts';
import { resourceRules } from './resource-rules.ts';
import type { Rule } from './rule.ts';
import { schemaRules } from './schema-rules.ts';
import { searchRules } from './search-rules.ts';
import { securityRules } from './security-rules.ts';
import { tenantRules } from './tenant-rules.ts';
import { transitionRules } from './transition-rules.ts';
import { versionRules } from './version-rules.ts';

/** The rules of the conventions by what they are about, in the order in which they are checked. */
export const CONVENTIONS = {
  'The conventions of OpenAPI': [
    ...pathRules,
    ...operationRules,
    ...securityRules,
    ...resourceRules,
    ...idRules,
    ...keyRules,
    ...namingRules,
    ...inputRules,
    ...actionRules,
    ...pageRules,
    ...listRules,
    ...furtherRules,
    ...filterRules,
    ...searchRules,
    ...extensionRules,
    ...referenceRules,
    ...transitionRules,
    ...ownerRules,
    ...tenantRules,
    ...versionRules,
    ...mappedRules,
  ],
  'The catalogue of errors': errorRules,
  Schemas: schemaRules,
  Clients: clientRules,
  'Access to rows and properties': [...accessRules, ...hiddenKeyRules],
} satisfies Readonly<Record<string, readonly Rule[]>>;

export const RULES: readonly Rule[] = Object.values(CONVENTIONS).flat();
