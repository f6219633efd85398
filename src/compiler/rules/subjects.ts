import type { Parameter } from '../../descriptor/document.ts';
import type { Action } from '../../descriptor/resource.ts';
import type { ContractDraft, ObjectDraft, OperationDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { pagingParameter } from '../model/resources/list-parameters.ts';

export const theDraft = (draft: ContractDraft): readonly ContractDraft[] => [draft];
export const theResources = ({ resources }: ContractDraft): readonly ResourceDraft[] => resources;
export const theOperations = ({ operations }: ContractDraft): readonly OperationDraft[] => operations;
export const theSchemas = ({ schemas }: ContractDraft): ContractDraft['schemas'] => schemas;

/** A property of a resource. */
export interface ResourceProperty {
  readonly resource: ResourceDraft;
  readonly property: PropertyDraft;
}

/** The properties of resources, or those that have an extension. */
export const propertiesWith =
  (extension?: string) =>
  ({ resources }: Pick<ContractDraft, 'resources'>): readonly ResourceProperty[] =>
    resources.flatMap((resource) =>
      [...resource.schema.properties.values()]
        .filter(({ flat }) => extension === undefined || flat.keywords.has(extension))
        .map((property) => ({ resource, property })),
    );

/** A property of what callers send. */
export interface WrittenProperty extends ResourceProperty {
  readonly schema: ObjectDraft;
  readonly isPatch: boolean;
}

/** The properties of inputs and patches. */
export const writtenProperties = ({ resources }: Pick<ContractDraft, 'resources'>): readonly WrittenProperty[] =>
  resources.flatMap((resource) =>
    [resource.input, resource.patch].flatMap((schema) =>
      [...(schema?.properties.values() ?? [])].map((property) => ({
        resource,
        schema: schema as ObjectDraft,
        property,
        isPatch: schema === resource.patch,
      })),
    ),
  );

/** An operation that is an action of a resource. */
export interface ResourceAction {
  readonly resource: ResourceDraft;
  readonly action: Action;
  readonly operation: OperationDraft;
}

export const theActions = ({ resources }: Pick<ContractDraft, 'resources'>): readonly ResourceAction[] =>
  resources.flatMap((resource) =>
    Object.entries(resource.operations).map(([action, operation]) => ({
      resource,
      action: action as Action,
      operation,
    })),
  );

export interface ResourceList {
  readonly resource: ResourceDraft;
  readonly list: OperationDraft;
}

export const theLists = ({ resources }: Pick<ContractDraft, 'resources'>): readonly ResourceList[] =>
  resources.flatMap((resource) => {
    const { list } = resource.operations;
    return list ? [{ resource, list }] : [];
  });

/** The lists that have a parameter for paging or order, and the parameter. */
export const listsWith =
  (name: string) =>
  (draft: Pick<ContractDraft, 'resources'>): readonly (ResourceList & { readonly parameter: Parameter })[] =>
    theLists(draft).flatMap((one) => {
      const parameter = pagingParameter(one.list, name);
      return parameter ? [{ ...one, parameter }] : [];
    });
