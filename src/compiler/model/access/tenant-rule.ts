import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { TenantRule } from '../../../descriptor/row-access.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import type { ResourceDraft } from '../draft.ts';

/** The rule of `x-tenant` as it stands on the document; undefined if it is missing or not of the right shape. */
export function declaredTenant(document: OpenApiDocument): TenantRule | undefined {
  const declared = document['x-tenant'];
  if (!isSchemaObject(declared)) return undefined;
  const { property, claim, across } = declared;
  if (typeof property !== 'string' || typeof claim !== 'string') return undefined;
  return { property, claim: claimPath(claim), ...(typeof across === 'string' && { across }) };
}

/** `app.tenant` is a path; the dots of a claim that is named by a URL do not separate (RFC 7519, 4.2). */
const claimPath = (claim: string): readonly string[] => (claim.includes('://') ? [claim] : claim.split('.'));

/** The rule for the rows of a resource: it has the property. */
export function tenantOf(document: OpenApiDocument, { schema }: Pick<ResourceDraft, 'schema'>): TenantRule | undefined {
  const rule = declaredTenant(document);
  return rule && schema.properties.has(rule.property) ? rule : undefined;
}
