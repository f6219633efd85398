import { admitsAnonymous } from '../../descriptor/access.ts';
import { dependenciesOf } from '../../descriptor/resource.ts';
import type { Place } from '../findings/finding.ts';
import { suggestion } from '../findings/wording.ts';
import { readsClaims } from '../model/access/constant.ts';
import type { PlacedAlternative } from '../model/access/read-access.ts';
import { ruledFields, ruledResources } from '../model/access/ruled-resources.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import { type ContractDraft, levelsOf, type OperationDraft, operationsOf, type ResourceDraft } from '../model/draft.ts';
import { declaredScopes, scopesOf, securitySchemes } from '../model/security-schemes.ts';
import { ownedResources } from './owner-rules.ts';
import { atOperation } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { isOfTenants } from './tenant-rules.ts';

export const securityRules = [
  rule({
    id: 'security-scheme',
    summary: 'Security requirements name schemes of the contract.',
    advice: 'Declare the scheme in `components.securitySchemes`. Otherwise no token could satisfy it.',
    each: requirements,
    check({ scheme, place }, { document }) {
      const known = Object.keys(securitySchemes(document));
      return (
        !known.includes(scheme) && {
          message: `\`security\` requires the scheme \`${scheme}\`, which the contract does not have.`,
          hint: `${suggestion(scheme, known)} Declare schemes in \`components.securitySchemes\`.`,
          ...place,
        }
      );
    },
  }),
  rule({
    id: 'security-scope',
    summary: 'Scopes that operations and rules name are declared.',
    advice: 'Add the scope to a flow of the OAuth 2 scheme (OpenAPI 3.1, 4.8.28).',
    each: namedScopes,
    check: ({ scope, declared, what, ...place }) =>
      declared?.has(scope) === false && { message: what, hint: suggestion(scope, [...declared]), ...place },
  }),
  rule({
    id: 'access-anonymous',
    summary: 'Operations on rows with access rules read credentials.',
    advice:
      'Callers without a token own no rows and have no tenant, claims or scopes. `[{}, { bearer: [] }]` admits callers with and without a token. With `reads: anyone` in `x-owner`, every caller may read.',
    severity: 'warning',
    *each(draft) {
      yield* anonymousOwners(draft);
      yield* anonymousTenants(draft);
      yield* withoutClaims(draft);
    },
    check: (fault) => fault,
  }),
];

/** Every scheme that the document or an operation requires, with its place. */
function* requirements({ document, operations }: ContractDraft) {
  const all = [document.security, ...operations.map(({ node }) => node.security)];
  for (const requirement of all.flatMap((security) => security ?? []))
    for (const [scheme, scopes] of Object.entries(requirement))
      yield { scheme, scopes, place: { node: requirement, key: scheme } };
}

interface NamedScope extends Place {
  readonly scope: string;
  /** Undefined where the contract has no OAuth 2 scheme, so that any scope is allowed. */
  readonly declared: ReadonlySet<string> | undefined;
  /** What is wrong where it is not declared. */
  readonly what: string;
}

function* namedScopes(draft: ContractDraft): Iterable<NamedScope> {
  const { document, resources } = draft;
  for (const { scheme, scopes, place } of requirements(draft))
    for (const scope of scopes) {
      const what = `\`security\` requires the scope \`${scope}\`, which no flow of \`${scheme}\` declares.`;
      yield { scope, declared: scopesOf(document, scheme), what, ...place };
    }
  const declared = declaredScopes(document);
  const named = (holder: string, scope: string, place: Place): NamedScope => {
    const what = `${holder} names the scope \`${scope}\`, which no OAuth 2 flow of the contract declares.`;
    return { scope, declared, what, ...place };
  };
  for (const { resource, rule: owner, node } of ownedResources(draft))
    if (owner['scope'] !== undefined)
      yield named(`\`x-owner\` of \`${resource.name}\``, String(owner['scope']), { node, key: 'x-owner' });
  const across = declaredTenant(document)?.across;
  if (across !== undefined) yield named('`x-tenant`', across, { node: Object(document['x-tenant']), key: 'across' });
  for (const ruled of [...ruledResources(resources), ...ruledFields(resources)]) {
    const holder = 'property' in ruled ? `${ruled.resource.name}.${ruled.property.name}` : ruled.resource.name;
    for (const { scope, node } of ruled.read.alternatives)
      if (scope !== undefined) yield named(`\`x-access\` of \`${holder}\``, scope, { node, key: 'scope' });
  }
}

/** `x-owner` compares the caller's `sub`. */
function* anonymousOwners(draft: ContractDraft): Iterable<Fault> {
  const scheme = Object.keys(securitySchemes(draft.document))[0];
  const required = `Give it a \`security\` requirement${scheme === undefined ? '' : ` such as \`${scheme}: []\``}`;
  for (const { resource, rule: owner } of ownedResources(draft)) {
    const lists = dependentOperations(draft.resources, resource).map((operation) => ['list', operation] as const);
    for (const [action, operation] of [...Object.entries(resource.operations), ...lists]) {
      const reads = action === 'list' || action === 'get';
      if (!admitsAnonymous(operation.access) || (reads && owner['reads'] === 'anyone')) continue;
      yield {
        severity: 'error',
        message: `\`${operation.operationId}\` allows anonymous callers, but \`x-owner\` of \`${resource.name}\` compares the caller's \`sub\`.`,
        hint: `${required}${reads ? ', or write `reads: anyone` in `x-owner`' : ''}.`,
        ...atOperation(operation, 'security'),
      };
    }
  }
}

/** Callers without a token have no tenant. */
function* anonymousTenants({ document, resources }: ContractDraft): Iterable<Fault> {
  const tenant = declaredTenant(document);
  if (!tenant) return;
  for (const resource of resources.filter((one) => isOfTenants(one, tenant)))
    for (const operation of operationsOf(resource)) {
      const reads = operation.method === 'get';
      if (reads ? operation.access.anyOf.length > 0 : !admitsAnonymous(operation.access)) continue;
      yield {
        message: reads
          ? `\`${operation.operationId}\` reads no credentials, so that no caller has the claim \`${tenant.claim.join('.')}\`, by which \`x-tenant\` shows the rows of \`${resource.name}\`.`
          : `\`${operation.operationId}\` allows anonymous callers, which have no tenant: it always refuses them.`,
        hint: 'Write `security: [{ bearer: [] }]`, with the name of your scheme.',
        ...atOperation(operation, 'security'),
      };
    }
}

/** `x-access` compares claims and asks for scopes. */
function* withoutClaims({ resources }: ContractDraft): Iterable<Fault> {
  for (const { resource, read } of ruledResources(resources)) {
    const lists = dependentOperations(resources, resource).map((operation) => ['read', operation] as const);
    for (const [action, operation] of [...accessOf(resource), ...lists]) {
      const rules = read.alternatives.filter((one) => one.action === action);
      if (operation.access.anyOf.length > 0 || !rules.some(needsToken)) continue;
      yield {
        message: `\`${operation.operationId}\` reads no credentials, so no caller has the claims and scopes that \`x-access\` of \`${resource.name}\` requires.`,
        hint: 'Write `security: [{}, { bearer: [] }]`, with the name of your scheme, for callers with and without a token.',
        ...atOperation(operation, 'security'),
      };
    }
  }
}

const needsToken = ({ scope, where }: PlacedAlternative): boolean =>
  scope !== undefined || (where !== undefined && readsClaims(where));

/** The operations of a resource, each with the rules that it is under. */
const accessOf = ({ operations }: ResourceDraft): readonly (readonly [access: string, OperationDraft])[] =>
  Object.entries(operations).map(([action, operation]) => [ACCESS_OF[action] ?? action, operation]);

const ACCESS_OF: Readonly<Record<string, string>> = { list: 'read', get: 'read', replace: 'update' };

/** The further operations that show only what the caller reads of a resource, or of what belongs to it. */
const dependentOperations = (resources: readonly ResourceDraft[], resource: ResourceDraft): readonly OperationDraft[] =>
  resources.flatMap((own) =>
    own.further.flatMap((one) => {
      const followed = dependenciesOf(one).map((other) => other.resource);
      const read = followed.length > 0 ? [own, ...followed] : [];
      return read.some((other) => levelsOf(other).includes(resource)) ? [one.operation] : [];
    }),
  );
