import type { Access } from '../../../descriptor/access.ts';
import type { OpenApiDocument, Parameter } from '../../../descriptor/document.ts';
import { type GraphqlDescriptor, partsOfCoordinate } from '../../../descriptor/graphql.ts';
import {
  declaredAction,
  type IncludeDescriptor,
  nestedOf,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { referencesOf } from '../access/relations.ts';
import { type ContractDraft, type OperationDraft, type ResourceDraft, rolesOf } from '../draft.ts';
import { describeRelations } from '../filters/describe-relations.ts';
import { namingOf } from '../name-case.ts';
import { snakeCase } from '../naming.ts';
import {
  INCLUDE_PARAMETER,
  isCommaSeparated,
  isInclude,
  itemSchema,
  offeredValues,
  parameterSchema,
} from './list-parameters.ts';

/** The parameter `include` of an operation, and the names that it offers. */
export interface ReadInclude {
  readonly operation: OperationDraft;
  readonly resource: ResourceDraft;
  readonly parameter: Parameter;
  /** Undefined: it does not offer names, as a comma-separated array of an enum does. */
  readonly names: readonly string[] | undefined;
}

/** The parameters `include` of a contract. */
export const readIncludes = ({
  document,
  resources,
}: Pick<ContractDraft, 'document' | 'resources'>): readonly ReadInclude[] =>
  resources.flatMap((resource) =>
    rolesOf(resource).flatMap(({ action, operation }) => {
      if (action !== 'list' && action !== 'get') return [];
      const parameter = operation.parameters.find((one) => isInclude(one, resource.schema));
      if (!parameter) return [];
      const offered = enumValues(itemSchema(document, parameterSchema(document, parameter)));
      return [{ operation, resource, parameter, names: isCommaSeparated(parameter) ? offered : undefined }];
    }),
  );

/** By name, the rows that may be read with those of each resource, by its key. */
export type Includable = ReadonlyMap<string, ReadonlyMap<string, IncludeDescriptor>>;

/** By the fields of GraphQL, as the document spells names; without an SDL, by the names that filters have for the rows. */
export function includableRows(
  { document, resources }: Pick<ContractDraft, 'document' | 'resources'>,
  graphql: Pick<GraphqlDescriptor, 'types' | 'fields'> | undefined,
): Includable {
  const spelled = (name: string): string => (namingOf(document).case === 'snake_case' ? snakeCase(name) : name);
  const found = new Map(resources.map(({ key }) => [key, new Map<string, IncludeDescriptor>()]));
  if (graphql)
    for (const [coordinate, { kind, ...field }] of Object.entries(graphql.fields)) {
      if (kind !== 'reference' && kind !== 'connection') continue;
      const { type, field: name } = partsOfCoordinate(coordinate);
      const { resource, property, through } = field as IncludeDescriptor;
      const own = { kind: kind === 'reference' ? 'one' : 'many', resource, property } as const;
      found.get(graphql.types[type] ?? '')?.set(spelled(name), { ...own, ...(through !== undefined && { through }) });
    }
  else {
    const references = referencesOf(resources);
    for (const resource of resources) {
      for (const [name, related] of Object.entries(describeRelations(resource, references)))
        if (related.kind === 'one' || resources.find(({ key }) => key === related.resource)?.operations.list)
          found.get(resource.key)?.set(name, related);
      for (const { below, name, operation } of nestedOf(resource)) {
        const through = operation.operationId;
        found.get(below.key)?.set(spelled(name), { kind: 'many', resource: resource.key, property: 'id', through });
      }
    }
  }
  return found;
}

/** The access of reading what is included. */
export function accessOfInclude(
  resources: ReadonlyMap<string, ResourceDescriptor>,
  { kind, resource: key, through }: IncludeDescriptor,
): Access | undefined {
  const resource = resources.get(key);
  const further = resource?.further?.find(({ operationId }) => operationId === through);
  return further?.access ?? (resource && declaredAction(resource, kind === 'one' ? 'get' : 'list').access);
}

/** Each name of a path such as `items.product`, with the resource that has it; undefined where it does not exist. */
export function stepsOf(
  includable: Includable,
  key: string,
  path: string,
): readonly { readonly key: string; readonly name: string; readonly include: IncludeDescriptor | undefined }[] {
  let at: string | undefined = key;
  const steps = [];
  for (const name of path.split('.')) {
    if (at === undefined) break;
    const include: IncludeDescriptor | undefined = includable.get(at)?.get(name);
    steps.push({ key: at, name, include });
    at = include?.resource;
  }
  return steps;
}

/** What an operation of a resource offers to include: the access of reading it, and whether a rule may hide to which row it belongs. */
export function includedBy(
  document: OpenApiDocument,
  { parameters }: OperationDraft,
  { key, includes }: ResourceDescriptor,
  resources: ReadonlyMap<string, ResourceDescriptor>,
) {
  const parameter =
    includes && parameters.find(({ in: place, name }) => place === 'query' && name === INCLUDE_PARAMETER);
  if (!parameter) return [];
  const includable = new Map(
    [...resources].map(([own, resource]) => [own, new Map(Object.entries(resource.includes ?? {}))]),
  );
  return offeredValues(document, parameter).flatMap((path) =>
    stepsOf(includable, key, path).flatMap(({ include }) => {
      const access = include && accessOfInclude(resources, include);
      const property = resources
        .get(include?.resource ?? '')
        ?.properties.find(({ name }) => name === include?.property);
      const isRuled = include?.kind === 'many' && property?.access?.read !== undefined;
      return access ? [{ access, isRuled }] : [];
    }),
  );
}

/** Resources with the rows that operations offer to include. */
export function withIncludes(
  resources: readonly ResourceDescriptor[],
  reads: readonly ReadInclude[],
  includable: Includable,
): readonly ResourceDescriptor[] {
  const steps = reads.flatMap(({ resource, names = [] }) =>
    names.flatMap((path) => stepsOf(includable, resource.key, path)),
  );
  return resources.map((resource) => {
    const offered = new Set(steps.filter(({ key }) => key === resource.key).map(({ name }) => name));
    const includes = [...(includable.get(resource.key) ?? [])].filter(([name]) => offered.has(name));
    return includes.length === 0 ? resource : { ...resource, includes: Object.fromEntries(includes) };
  });
}
