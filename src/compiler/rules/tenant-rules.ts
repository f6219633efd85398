import type { TenantRule } from '../../descriptor/row-access.ts';
import { TENANT_TYPES } from '../../descriptor/tenant.ts';
import { suggestion } from '../findings/wording.ts';
import { typeName } from '../json-schema/property-type.ts';
import { referencesOf } from '../model/access/relations.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import type { ContractDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { managedProperties } from '../model/resources/recognise.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import { type Fault, rule } from './rule.ts';

/** The rule of a contract that has tenants, with the place of each of its members. */
function tenants({ document }: ContractDraft) {
  const tenant = declaredTenant(document);
  const at = (key: string) => ({ node: Object(document['x-tenant']) as object, key });
  return tenant ? [{ tenant, at }] : [];
}

export const tenantRules = [
  rule({
    id: 'tenant-property',
    summary: 'The property that `x-tenant` names is in every row of its resources.',
    advice: 'It is required, not nullable, a text, a UUID or an integer, and not in the path.',
    each: tenants,
    *check({ tenant: { property: name }, at }, { resources }) {
      const owned = resources.flatMap((resource) => {
        const property = resource.schema.properties.get(name);
        return property ? [{ resource, property }] : [];
      });
      const names = new Set(resources.flatMap(({ schema }) => [...schema.properties.keys()]));
      if (owned.length === 0)
        yield {
          message: `\`x-tenant\` names \`${name}\`, which no resource has, so all tenants would see all rows.`,
          hint: suggestion(name, [...names], `Add \`${name}\` to the schemas of rows that belong to tenants.`),
          ...at('property'),
        };
      yield* owned.flatMap(({ resource, property }) => faultOf(resource, property) ?? []);
    },
  }),
  rule({
    id: 'tenant-claim',
    summary: '`claim` of `x-tenant` is the name of a claim, or a path.',
    advice: 'Write it without `$claims`.',
    each: tenants,
    check({ tenant, at }) {
      const written = tenant.claim.join('.');
      const bare = written.replace(/^\$(claims\.)?/, '');
      return (
        written !== bare && {
          message: `\`${written}\` is not the name of a claim.`,
          hint: `Write \`claim: ${bare}\`: \`x-tenant\` names a claim without \`$claims\`.`,
          ...at('claim'),
        }
      );
    },
  }),
  rule({
    id: 'tenant-reference',
    summary: 'Rows that all tenants share refer only to shared rows.',
    advice: "Otherwise each tenant would see ids of other tenants' rows, and could keep them from being deleted.",
    severity: 'warning',
    each: tenants,
    check: ({ tenant }, { resources }) =>
      referencesOf(resources)
        .filter(({ from, target }) => !isOfTenants(from, tenant) && isOfTenants(target, tenant))
        .map(({ from, property }) => ({
          message: `\`${from.name}.${property.name}\` refers to rows of tenants, but \`${from.name}\` belongs to all of them: each sees the ids of others' rows.`,
          hint: `Add \`${tenant.property}\` to \`${from.name}\`, or remove the reference.`,
          ...atProperty(property),
        })),
  }),
];

function faultOf(resource: ResourceDraft, property: PropertyDraft): Fault | undefined {
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
      hint: 'Remove it from the path: the token determines the tenant.',
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

/** A child without the property belongs to the tenant of its parent. */
export const isOfTenants = (resource: ResourceDraft, rule: TenantRule): boolean =>
  resource.schema.properties.has(rule.property) ||
  (resource.parent?.resource !== undefined && isOfTenants(resource.parent.resource, rule));
