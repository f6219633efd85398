import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { ContractDraft } from '../../model/draft.ts';
import { namingOf } from '../../model/name-case.ts';
import { snakeCase } from '../../model/naming.ts';
import { describeResources } from '../../model/resources/describe-resource.ts';
import { draftContract } from '../../model/resources/draft-contract.ts';
import { sortSchemas } from '../../model/resources/list-parameters.ts';
import { namedSchemas } from '../../model/schemas.ts';
import { fieldName, typeName, valueName } from './graphql-name.ts';
import { type RenamedDocument, renameDocument, type Spelling } from './rename-document.ts';
import { withSpelledAccess } from './spelled-access.ts';
import { typeNames } from './type-names.ts';

export type { Spelling } from './rename-document.ts';

/** A contract as GraphQL spells it, and the way back to the names of its OpenAPI document. */
export interface GraphqlView {
  /** Its locations are those of the author's files. */
  readonly draft: ContractDraft;
  readonly resources: readonly ResourceDescriptor[];
  readonly names: Pick<RenamedDocument, 'originOf' | 'keyOf'>;
  /** Whether GraphQL spells any name otherwise than the OpenAPI document. */
  readonly isRenamed: boolean;
}

/** How GraphQL spells the names of a contract. */
export function graphqlSpelling({ document }: Pick<ContractDraft, 'document'>): Spelling {
  const { case: nameCase } = namingOf(document);
  const types = typeNames(document, nameCase);
  return {
    field: (name) => fieldName(name, nameCase),
    type: (name) => types.get(name) ?? typeName(name, nameCase),
    value: valueName,
  };
}

/** How the OpenAPI document of a contract spells the names of its view: those that it has as they are there. */
export function writtenSpelling({ draft, names }: GraphqlView): Spelling {
  const schemas = namedSchemas(draft.document);
  const parameters = new Map(
    draft.operations.flatMap((operation) =>
      operation.parameters.flatMap((one) => (one.in === 'path' ? [[one.name, names.originOf(one).name] as const] : [])),
    ),
  );
  return {
    field: (name) => parameters.get(name) ?? draft.spelling?.field(name) ?? name,
    type: (name) => names.keyOf(schemas, name),
    value: same,
  };
}

/** How the OpenAPI document of a contract spells a name of GraphQL, as far as the name itself says so. */
function openapiSpelling({ document }: Pick<ContractDraft, 'document'>): Spelling {
  const isSnakeCase = namingOf(document).case === 'snake_case';
  return { field: isSnakeCase ? fieldOfSnakeCase : same, type: same, value: same };
}

/**
 * The contract in GraphQL's names, in which both protocols are compared and one is derived from the other. It is the contract
 * itself where GraphQL can spell all names. No two names of one place may have become the same: see `nameCollisions`.
 */
export function graphqlView(draft: ContractDraft, resources: readonly ResourceDescriptor[]): GraphqlView {
  const renamed = renameDocument(draft.document, graphqlSpelling(draft), sortSchemas(draft));
  if (!renamed.isChanged && namingOf(draft.document).case === 'camelCase') return unchangedView(draft, resources);
  const { originOf, keyOf } = renamed;
  const view = draftContract({
    ...draft.source,
    document: { ...renamed.document, info: withoutNaming(draft.document.info) },
    locate: (node, key) => draft.source.locate(originOf(node), typeof key === 'string' ? keyOf(node, key) : key),
  });
  return {
    draft: { ...view, spelling: openapiSpelling(draft) },
    resources: withSpelledAccess(describeResources(view.document, view.resources), resources, graphqlSpelling(draft)),
    names: { originOf, keyOf },
    isRenamed: true,
  };
}

/** The view of a contract whose names are GraphQL's already. */
export const unchangedView = (draft: ContractDraft, resources: readonly ResourceDescriptor[]): GraphqlView => ({
  draft,
  resources,
  names: UNCHANGED,
  isRenamed: false,
});

const UNCHANGED: GraphqlView['names'] = { originOf: (node) => node, keyOf: (_, key) => key };

/** The view is in camelCase, as every contract is that does not say otherwise. */
function withoutNaming({ 'x-naming': _, ...info }: ContractDraft['document']['info']) {
  return info as ContractDraft['document']['info'];
}

const same = (name: string): string => name;

/** `createdAt` → `created_at`; the same where that would not lead back. */
function fieldOfSnakeCase(name: string): string {
  const spelled = snakeCase(name);
  return fieldName(spelled, 'snake_case') === name ? spelled : name;
}
