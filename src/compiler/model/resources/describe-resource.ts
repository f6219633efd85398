import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import {
  ACTIONS,
  type FurtherOperation,
  type ListDescriptor,
  type OwnerRule,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import type { RowCondition } from '../../../descriptor/row-access.ts';
import { withinTenants } from '../../../descriptor/tenant.ts';
import { readAccess } from '../access/read-access.ts';
import { referencesOf } from '../access/relations.ts';
import { ruleIndexes } from '../access/rule-indexes.ts';
import { type RuledField, ruledFields } from '../access/ruled-resources.ts';
import { tenantOf } from '../access/tenant-rule.ts';
import type { FurtherDraft, ResourceDraft } from '../draft.ts';
import { describeRelations } from '../filters/describe-relations.ts';
import { offeredFilters } from '../filters/offered-filters.ts';
import { describeProperty } from './describe-property.ts';
import { listDescriptor } from './list-parameters.ts';
import { countBoundOf, pageInfoOf, uniqueSets } from './object-draft.ts';

/** The descriptors of all resources, which have passed the rules. */
export function describeResources(
  document: OpenApiDocument,
  drafts: readonly ResourceDraft[],
): readonly ResourceDescriptor[] {
  const bySchema = new Map(drafts.map((draft) => [draft.name, draft]));
  const references = referencesOf(drafts);
  const fields = ruledFields(drafts);
  const offered = offeredFilters(document, drafts);
  const described = drafts.map((draft) => {
    const { access } = readAccess(draft, references);
    const own = fields.filter(({ resource }) => resource === draft);
    const resource = withFieldAccess(describeResource(document, draft, bySchema), own);
    const relations = offered.length > 0 ? describeRelations(draft, references) : undefined;
    return { ...resource, ...(access && { rowAccess: access }), ...(relations && { relations }) };
  });
  const asked = offered.map(
    ({ resource, read }) => [resource.key, read.offered.map(({ condition }) => condition)] as const,
  );
  return withRuleIndexes(withinTenants(described), new Map(asked));
}

function withFieldAccess(resource: ResourceDescriptor, fields: readonly RuledField[]): ResourceDescriptor {
  if (fields.length === 0) return resource;
  const rules = new Map(fields.map(({ property, read }) => [property.name, read.access]));
  const properties = resource.properties.map((property) => {
    const access = rules.get(property.name);
    return access ? { ...property, access } : property;
  });
  return { ...resource, properties };
}

/**
 * With the indexes that the rules of row access ask for, and conditions that filters offer, by the key of their
 * resource.
 */
function withRuleIndexes(
  resources: readonly ResourceDescriptor[],
  offered: ReadonlyMap<string, readonly RowCondition[]>,
): readonly ResourceDescriptor[] {
  const indexes = ruleIndexes(resources, offered);
  return resources.map((resource) => {
    const own = indexes.get(resource.key);
    return own ? { ...resource, ruleIndexes: own } : resource;
  });
}

function describeResource(
  document: OpenApiDocument,
  draft: ResourceDraft,
  bySchema: ReadonlyMap<string, ResourceDraft>,
): ResourceDescriptor {
  const { key, nameCase, name, table, mapped, path, idParameter, keyProperty, further } = draft;
  const parent = describeParent(draft);
  const owner = describeOwner(draft);
  const list = describeList(document, draft);
  const tenant = tenantOf(document, draft);
  return {
    key,
    name,
    table,
    ...(mapped && { mapped }),
    path,
    idParameter,
    ...(keyProperty !== undefined && { keyProperty }),
    ...(further.length > 0 && { further: further.map(describeFurther) }),
    ...(nameCase === 'snake_case' && { nameCase }),
    ...(parent && { parent }),
    properties: [...draft.schema.properties.values()].map((property) =>
      describeProperty(document, draft, property, bySchema),
    ),
    actions: describeActions(draft),
    ...(list && { list }),
    unique: uniqueSets(draft).map((names) => (tenant ? [...new Set([tenant.property, ...names])] : names)),
    ...(owner && { owner }),
    ...(tenant && { tenant }),
    schemas: {
      resource: name,
      ...(draft.input && { input: draft.input.name }),
      ...(draft.patch && { patch: draft.patch.name }),
    },
  };
}

function describeFurther({ operation: { operationId, access }, ...draft }: FurtherDraft): FurtherOperation {
  if (draft.kind === 'through') return { operationId, access, ...draft, below: draft.below.key, join: draft.join.key };
  if (!('ends' in draft)) return { operationId, access, ...draft };
  const [above, linked] = draft.ends;
  const end = ({ resource, property }: typeof above) => ({ resource: resource.key, property });
  return { operationId, access, ...draft, ends: [end(above), end(linked)] };
}

function describeList(
  document: OpenApiDocument,
  { operations, page, nameCase, schema }: ResourceDraft,
): ListDescriptor | undefined {
  if (!operations.list) return undefined;
  const { previousCursor, totalCount } = conventionNames(nameCase);
  const info = page && pageInfoOf(document, page);
  const pagesBack = info?.properties.has(previousCursor) === true;
  const countBound = countBoundOf(info?.properties.get(totalCount));
  return {
    ...listDescriptor(document, operations.list, schema),
    ...(pagesBack && { pagesBack }),
    ...(countBound !== undefined && { countBound }),
  };
}

function describeParent({ parent }: ResourceDraft): ResourceDescriptor['parent'] {
  if (parent?.resource === undefined) return undefined;
  return { resource: parent.resource.key, parameter: parent.parameter, property: parent.property };
}

function describeActions({ operations }: ResourceDraft): ResourceDescriptor['actions'] {
  return Object.fromEntries(
    ACTIONS.flatMap((action) => {
      const operation = operations[action];
      if (!operation) return [];
      const { operationId, access, node } = operation;
      const creates = action === 'replace' && node.responses?.['201'] !== undefined;
      return [[action, { operationId, access, ...(creates && { creates: true as const }) }]];
    }),
  );
}

/** What `x-owner` of a resource says; undefined if it is missing or names no property. */
export function describeOwner({ schema }: ResourceDraft): OwnerRule | undefined {
  const declared = schema.flat.keywords.get('x-owner')?.value as Partial<OwnerRule> | undefined;
  if (declared?.property === undefined) return undefined;
  const { property, scope, reads = 'owner' } = declared;
  return { property, ...(scope !== undefined && { scope }), reads };
}
