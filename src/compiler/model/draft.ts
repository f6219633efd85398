import type { Access } from '../../descriptor/access.ts';
import type { NameCase } from '../../descriptor/convention-names.ts';
import type {
  HttpMethod,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  RequestBody,
  Response,
} from '../../descriptor/document.ts';
import type {
  Action,
  BatchDescriptor,
  LinkEnd,
  LinkRole,
  MappedTable,
  PropertyType,
  Role,
  TotalsDescriptor,
} from '../../descriptor/resource.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import type { ContractSource, ExtensionUse } from './source.ts';

/** A contract as recognized, valid or not: the rules check it, and descriptors are made from it. */
export interface ContractDraft {
  readonly source: ContractSource;
  readonly document: OpenApiDocument;
  readonly paths: readonly PathDraft[];
  readonly operations: readonly OperationDraft[];
  /** Every schema object, in components and elsewhere. */
  readonly schemas: readonly Readonly<Record<string, unknown>>[];
  readonly extensions: readonly ExtensionUse[];
  readonly resources: readonly ResourceDraft[];
  readonly nearMisses: readonly NearMiss[];
  /** What could be resources, but is served as it is: the document is another tool's. */
  readonly foreign?: readonly ResourceDraft[];
  /**
   * Whether the author follows the conventions: a resource is recognized or an extension used. Breaking a rule is then
   * an error.
   */
  readonly conventional: boolean;
  /** How the OpenAPI document spells the names of this draft, where it spells them otherwise. */
  readonly spelling?: NameSpelling;
}

/** What is found in a document before its resources are. */
export type Collected = Pick<ContractDraft, 'document' | 'operations' | 'schemas' | 'extensions'>;

/** Spells names of GraphQL as the OpenAPI document does. */
interface NameSpelling {
  field(name: string): string;
}

export interface PathDraft {
  readonly path: string;
  /** With references resolved; absent where one leads nowhere. */
  readonly item: PathItem | undefined;
  readonly place: { readonly node: object; readonly key: string };
}

export interface OperationDraft {
  /** The declared one, or else one derived from method and path. */
  readonly operationId: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** The path without the names of its parameters. */
  readonly shape: string;
  readonly node: Operation;
  readonly item: PathItem;
  /** Parameters of the path and of the operation, which take precedence; references are resolved. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** By status, as the document spells it; those whose references lead nowhere are left out. */
  readonly responses: ReadonlyMap<string, Response>;
  readonly access: Access;
}

export interface ResourceDraft {
  readonly key: string;
  /** The case of the document's names. */
  readonly nameCase: NameCase;
  readonly name: string;
  readonly table: string;
  /** The table of others that it stands for. */
  readonly mapped?: MappedTable;
  readonly path: string;
  readonly idParameter: string;
  /** The property that the path parameter of one is named after, where it is not the id. */
  readonly keyProperty?: string;
  readonly further: readonly FurtherDraft[];
  readonly schema: ObjectDraft;
  readonly input?: ObjectDraft;
  readonly patch?: ObjectDraft;
  /** What a list answers with. */
  readonly page?: ObjectDraft;
  /** `GET /collection/{id}` is what a resource is recognised by. */
  readonly operations: { readonly [A in Action]?: OperationDraft } & { readonly get: OperationDraft };
  /** Present on a sub-resource; its `resource` is absent when the parent's path is not a resource. */
  readonly parent?: ParentDraft;
}

export interface ParentDraft {
  readonly resource?: ResourceDraft;
  readonly parameter: string;
  /** Property of the child that holds the parent's id. */
  readonly property: string;
}

/** An operation beside the six actions. */
export type FurtherDraft =
  | LookupDraft
  | ThroughDraft
  | TotalsDraft
  | BatchDraft
  | LinkDraft<'link'>
  | LinkDraft<'unlink'>;

/** `GET /products/by-sku/{sku}`: reads one by a property, which the parameter is named after. */
export interface LookupDraft {
  readonly kind: 'lookup';
  readonly action: 'get';
  readonly property: string;
  readonly operation: OperationDraft;
}

/** `GET /issues/{issueId}/labels`: a list of what another resource joins to one of a third. */
export interface ThroughDraft {
  readonly kind: 'through';
  readonly action: 'list';
  readonly operation: OperationDraft;
  /** The last segment of its path in camelCase. */
  readonly name: string;
  readonly below: ResourceDraft;
  readonly join: ResourceDraft;
  /** Properties of the join: that refers to the row above, and to those listed. */
  readonly from: string;
  readonly to: string;
}

/** `GET /orders/totals`: totals of the rows of the list. */
export interface TotalsDraft
  extends Pick<
    TotalsDescriptor,
    'kind' | 'action' | 'maxRows' | 'groups' | 'measures' | 'sorts' | 'defaultLimit' | 'schemas'
  > {
  readonly operation: OperationDraft;
}

/** `POST /products/batch`: several writes. */
export interface BatchDraft extends Pick<BatchDescriptor, 'kind' | 'action' | 'kinds' | 'maxItems' | 'patch'> {
  readonly operation: OperationDraft;
}

/** `PUT` or `DELETE /issues/{issueId}/labels/{labelId}`: what joins the two. */
export interface LinkDraft<K extends LinkRole = LinkRole> {
  readonly kind: K;
  readonly action: K;
  readonly operation: OperationDraft;
  readonly ends: readonly [above: LinkEnd<ResourceDraft>, linked: LinkEnd<ResourceDraft>];
  readonly parameter: string;
}

/** All operations of a resource that the engine answers. */
export const operationsOf = (resource: ResourceDraft): readonly OperationDraft[] =>
  rolesOf(resource).map(({ operation }) => operation);

/** The same, each with the action that it answers as. */
export const rolesOf = ({ operations, further }: ResourceDraft) => [
  ...Object.entries(operations).map(([action, operation]) => ({ action: action as Role, operation })),
  ...further,
];

/** The operations that no resource has: hand-written code answers them. */
export function customOperations({
  resources,
  operations,
}: Pick<ContractDraft, 'resources' | 'operations'>): readonly OperationDraft[] {
  const ofResources = new Set(resources.flatMap(operationsOf));
  return operations.filter((one) => !ofResources.has(one));
}

/** A resource, its parent, and so on. */
export const levelsOf = (resource: ResourceDraft): readonly ResourceDraft[] =>
  resource.parent?.resource ? [resource, ...levelsOf(resource.parent.resource)] : [resource];

/** A named object schema of the contract. */
export interface ObjectDraft {
  readonly name: string;
  readonly node: object;
  readonly flat: FlatSchema;
  readonly properties: ReadonlyMap<string, PropertyDraft>;
}

export interface PropertyDraft {
  readonly name: string;
  /** The `properties` object that names it. */
  readonly holder: object;
  readonly flat: FlatSchema;
  readonly type: PropertyType;
  readonly required: boolean;
}

/** The response of `GET /collection/{id}` when it is almost a resource. */
export interface NearMiss {
  readonly get: OperationDraft;
  readonly fault: 'inline' | 'managed';
  /** Name of the schema, or a description of the inline one. */
  readonly name: string;
  readonly node: object;
  readonly missing: readonly string[];
  readonly severity: 'error' | 'warning';
}
