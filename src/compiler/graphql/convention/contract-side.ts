import type { GraphQLSchema } from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { isListing, type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import { type ContractDraft, type OperationDraft, type ResourceDraft, rolesOf } from '../../model/draft.ts';
import { parameterOf, pathSegments } from '../../model/naming.ts';
import type { GraphqlView } from '../names/graphql-view.ts';
import type { SdlFacts } from './sdl-facts.ts';

/** The OpenAPI side of a contract, and the schema that it has, if any: what an SDL is derived from. */
export interface ContractSide {
  readonly document: OpenApiDocument;
  readonly draft: ContractDraft;
  readonly resources: readonly ResourceDescriptor[];
  readonly operations: readonly OperationDraft[];
  /** The way back to the names of the OpenAPI document: all of this is in those of GraphQL. */
  readonly names: GraphqlView['names'];
  readonly schema: GraphQLSchema | undefined;
  /** What the SDL has, valid or not. */
  readonly sdl: SdlFacts;
}

/** What the fields of a contract follow from. */
export type Contract = Pick<ContractSide, 'document' | 'draft' | 'resources'>;

export const draftOf = ({ draft }: Pick<ContractSide, 'draft'>, { key }: ResourceDescriptor): ResourceDraft =>
  resourceWithKey(draft.resources, key);

/** The operations that list a resource with the same parameters: its own, and those by what joins it to others. */
export const listsOf = (resource: ResourceDraft): readonly OperationDraft[] =>
  rolesOf(resource).flatMap(({ action, operation }) => (action === 'list' ? [operation] : []));

/** The same, and all others that have the filters of the list. */
export const filteredOf = (resource: ResourceDraft): readonly OperationDraft[] =>
  rolesOf(resource).flatMap(({ action, operation }) => (isListing(action) ? [operation] : []));

/** Whether a node says that GraphQL deliberately lacks it. */
export function isRestOnly(node: unknown): boolean {
  const declared = (Object(node) as { 'x-parity'?: { graphql?: string } })['x-parity'];
  return declared?.graphql === 'absent';
}

/** The last word of a resource's path, after which the file is named that has what belongs to it. */
export const homeOf = ({ path }: ResourceDescriptor): string | undefined =>
  pathSegments(path).findLast((segment) => parameterOf(segment) === undefined);

/** The resource below whose path another path stands; the nearest of several. */
export function resourceAbove(resources: readonly ResourceDescriptor[], path: string): ResourceDescriptor | undefined {
  return resources
    .filter((one) => `${path}/`.startsWith(`${one.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}
