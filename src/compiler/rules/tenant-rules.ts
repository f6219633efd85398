import { admitsAnonymous } from '../../descriptor/access.ts';
import type { TenantRule } from '../../descriptor/row-access.ts';
import { TENANT_TYPES } from '../../descriptor/tenant.ts';
import { allOf, suggestion } from '../findings/wording.ts';
import { typeName } from '../json-schema/property-type.ts';
import { referencesOf } from '../model/access/relations.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import type { ContractDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { operationsOf } from '../model/draft.ts';
import { extensionOf } from '../model/resources/describe-property.ts';
import { uniqueSets } from '../model/resources/describe-resource.ts';
import { managedProperties } from '../model/resources/recognise.ts';
import { declaredScopes } from '../model/security-schemes.ts';
import { atOperation, atProperty, atPropertyKeyword } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** The property that names a tenant is one of some resource, and is in every row of those that have it. */
export const tenantProperty: Check = function* (draft) {
  const rule = declaredTenant(draft.document);
  if (!rule) return;
  const owned = tenantResources(draft, rule);
  if (owned.length === 0) {
    const names = new Set(draft.resources.flatMap(({ schema }) => [...schema.properties.keys()]));
    yield {
      severity: 'error',
      message: `\`x-tenant\` names \`${rule.property}\`, which no resource has, so all tenants would see all rows.`,
      hint: suggestion(
        rule.property,
        [...names],
        `Add \`${rule.property}\` to the schemas whose rows belong to tenants.`,
      ),
      node: draft.document['x-tenant'] as object,
      key: 'property',
    };
  }
  for (const { resource, property } of owned) {
    const fault = faultOf(resource, property);
    if (fault) yield { severity: 'error', ...fault };
  }
};

function faultOf(resource: ResourceDraft, property: PropertyDraft): Omit<Fault, 'severity'> | undefined {
  const name = `\`${resource.name}.${property.name}\``;
  if (managedProperties(resource.nameCase).includes(property.name))
    return {
      message: `${name} is set by the server, and names no tenant.`,
      hint: 'Name another property in `x-tenant`.',
      ...atProperty(property),
    };
  if (resource.parent?.property === property.name)
    return {
      message: `${name} is set by the path, so that callers would choose their tenant.`,
      hint: 'Leave it out of the path: the token says whose rows a caller sees.',
      ...atProperty(property),
    };
  if (!TENANT_TYPES.includes(property.type))
    return {
      message: `${name} is ${typeName(property.flat)}, which no claim can equal.`,
      hint: 'A tenant is `type: string`, preferably with `format: uuid`, or `type: integer`.',
      ...atPropertyKeyword(property, 'type'),
    };
  if (property.required && !property.flat.nullable) return undefined;
  return {
    message: `${name} may be absent, so some rows would belong to no tenant.`,
    hint: `List \`${property.name}\` in \`required\` of \`${resource.name}\` and do not make it nullable.`,
    ...atProperty(property),
  };
}

/** The token says whose a row is: no input does. */
export const tenantInput: Check = function* (draft) {
  const rule = declaredTenant(draft.document);
  if (!rule) return;
  for (const { resource } of tenantResources(draft, rule))
    for (const schema of [resource.input, resource.patch]) {
      const property = schema?.properties.get(rule.property);
      if (!schema || !property) continue;
      yield {
        severity: 'error',
        message: `\`${schema.name}\` has the property \`${rule.property}\`, which the claim \`${rule.claim.join('.')}\` of the caller's token sets.`,
        hint: `Remove \`${rule.property}\` from \`${schema.name}\`.`,
        ...atProperty(property),
      };
    }
};

/** The scope that sees all tenants is declared. */
export const tenantScope: Check = function* ({ document }) {
  const scopes = declaredScopes(document);
  const across = declaredTenant(document)?.across;
  if (scopes === undefined || across === undefined || scopes.has(across)) return;
  yield {
    severity: 'error',
    message: `\`x-tenant\` names the scope \`${across}\`, which no OAuth 2 flow of the contract declares.`,
    hint: suggestion(across, [...scopes]),
    node: document['x-tenant'] as object,
    key: 'across',
  };
};

/** The claim is the name of one, or a path. */
export const tenantClaim: Check = function* ({ document }) {
  const rule = declaredTenant(document);
  const written = rule?.claim.join('.');
  const bare = written?.replace(/^\$(claims\.)?/, '');
  if (!rule || written === bare) return;
  yield {
    severity: 'error',
    message: `\`${written}\` is not the name of a claim.`,
    hint: `Write \`claim: ${bare}\`: \`x-tenant\` names a claim without \`$claims\`.`,
    node: document['x-tenant'] as object,
    key: 'claim',
  };
};

/** Callers without a token have no tenant. */
export const tenantAccess: Check = function* (draft) {
  const rule = declaredTenant(draft.document);
  if (!rule) return;
  for (const resource of draft.resources.filter((one) => isOfTenants(one, rule)))
    for (const operation of operationsOf(resource)) {
      const reads = operation.method === 'get';
      if (reads ? operation.access.anyOf.length > 0 : !admitsAnonymous(operation.access)) continue;
      yield {
        severity: 'warning',
        message: reads
          ? `\`${operation.operationId}\` reads no credentials, so that no caller has the claim \`${rule.claim.join('.')}\`, by which \`x-tenant\` shows the rows of \`${resource.name}\`.`
          : `\`${operation.operationId}\` allows anonymous callers, who have no tenant: it always refuses them.`,
        hint: 'Write `security: [{ bearer: [] }]`, with the name of your scheme.',
        ...atOperation(operation, 'security'),
      };
    }
};

/** What all tenants see says nothing of what one of them has. */
export const tenantReference: Check = function* ({ document, resources }) {
  const rule = declaredTenant(document);
  if (!rule) return;
  for (const { from, property, target } of referencesOf(resources)) {
    if (isOfTenants(from, rule) || !isOfTenants(target, rule)) continue;
    const name = `${from.name}.${property.name}`;
    yield {
      severity: 'warning',
      message: `\`${name}\` refers to rows of tenants, but \`${from.name}\` belongs to all of them: each sees the ids of others' rows.`,
      hint: `Add \`${rule.property}\` to \`${from.name}\`, or remove the reference.`,
      ...atProperty(property),
    };
  }
};

/** A key of rows that have no tenant of their own holds over all tenants, unless it has the id of a row of one. */
export const tenantKey: Check = function* ({ document, resources }) {
  const rule = declaredTenant(document);
  if (!rule) return;
  const references = referencesOf(resources).filter(({ target }) => isOfTenants(target, rule));
  for (const resource of resources) {
    const { parent, schema } = resource;
    if (!parent || schema.properties.has(rule.property) || !isOfTenants(resource, rule)) continue;
    const narrowing = references.flatMap(({ from, property }) => (from === resource ? property.name : []));
    for (const names of uniqueSets(resource)) {
      if ([parent.property, ...narrowing].some((name) => names.includes(name))) continue;
      yield {
        severity: 'warning',
        message: `The unique key ${allOf(names)} of \`${resource.name}\` holds over all tenants: a value that one of them has is 409 to the others, and tells that it is there.`,
        hint: `Add \`${parent.property}\` to the key, or \`${rule.property}\` to \`${resource.name}\`.`,
        ...placeOfKey(resource, names),
      };
    }
  }
};

function placeOfKey({ schema }: ResourceDraft, [name, ...more]: readonly string[]): Pick<Fault, 'node' | 'key'> {
  const property = schema.properties.get(name!)!;
  const declared = schema.flat.keywords.get('x-unique');
  const isOwn = more.length === 0 && extensionOf(property, 'x-unique') === true;
  return declared && !isOwn ? { node: declared.node, key: 'x-unique' } : atPropertyKeyword(property, 'x-unique');
}

/** A child without the property belongs to the tenant of its parent. */
const isOfTenants = (resource: ResourceDraft, rule: TenantRule): boolean =>
  resource.schema.properties.has(rule.property) ||
  (resource.parent?.resource !== undefined && isOfTenants(resource.parent.resource, rule));

function tenantResources({ resources }: ContractDraft, { property: name }: TenantRule) {
  return resources.flatMap((resource) => {
    const property = resource.schema.properties.get(name);
    return property ? [{ resource, property }] : [];
  });
}
