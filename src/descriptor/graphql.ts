import type { Access } from './access.ts';
import type { OwnRole } from './resource.ts';

/** The path of the endpoint, from the root of the host. */
export const GRAPHQL_PATH = '/graphql';

/** The cost of a request that `@limits` does not bound otherwise. */
export const DEFAULT_MAX_COST = 1000;

/** The assumed length of a list that has no `@listSize`. */
export const ASSUMED_LIST_LENGTH = 10;

/** Limits of documents, from `schema @limits`; checked before execution. */
export interface GraphqlLimits {
  /** Levels of fields below the operation. */
  readonly depth: number;
  /** Sum of the weights of everything that may be returned (`@cost`, `@listSize`). */
  readonly cost: number;
  readonly tokens: number;
  /** Fields with an alias. */
  readonly aliases: number;
  /** Directives in the document. */
  readonly directives: number;
  /** Size of the document in bytes of UTF-8. */
  readonly documentBytes: number;
  /** Operations that one socket may run at a time. */
  readonly subscriptions: number;
}

/** What a field of the schema resolves to, if it is not the property of its parent that has its name. */
export type FieldDescriptor =
  | ListField
  | GetField
  | WriteField
  | DeleteField
  | ReferenceField
  | ConnectionField
  | TotalsField
  | { [R in OwnRole]: FurtherField<R> }[Exclude<OwnRole, 'totals'>]
  | EventField
  | PropertyField
  | CustomField;

/** Path parameters of the resource by the argument that gives them: `{ id: 'productId' }`. */
export type ParamArguments = Readonly<Record<string, string>>;

/** A connection at the root: the list action. */
interface ListField {
  readonly kind: 'list';
  readonly resource: string;
  readonly params: ParamArguments;
}

interface GetField {
  readonly kind: 'get';
  readonly resource: string;
  readonly params: ParamArguments;
  /** The properties of which an argument names one, where there are several. */
  readonly by?: readonly string[];
}

interface WriteField {
  readonly kind: 'create' | 'replace' | 'update';
  readonly resource: string;
  readonly params: ParamArguments;
  /** Name of the input type of the argument `input`. */
  readonly input: string;
}

interface DeleteField {
  readonly kind: 'delete';
  readonly resource: string;
  readonly params: ParamArguments;
}

/** The resource that a property of the parent refers to: its get action. */
export interface ReferenceField {
  readonly kind: 'reference';
  /** Key of the resource referred to. */
  readonly resource: string;
  /** Property of the parent that holds the id. */
  readonly property: string;
}

/** The resources whose property refers to the parent, children included: their list action, narrowed. */
export interface ConnectionField {
  readonly kind: 'connection';
  /** Key of the resource listed. */
  readonly resource: string;
  /** Its property that holds the parent's id; `id` where another resource joins both. */
  readonly property: string;
  /** The operation that lists the same through another resource, which has its access. */
  readonly through?: string;
}

/** A further operation of a resource, at the root. */
export interface FurtherField<R extends OwnRole = OwnRole> {
  readonly kind: R;
  /** Key of the resource. */
  readonly resource: string;
  readonly operationId: string;
  readonly params: ParamArguments;
}

export interface TotalsField extends FurtherField<'totals'> {
  /** Name of the type of a group. */
  readonly type: string;
}

export const isFurtherField = (field: FieldDescriptor): field is Extract<FieldDescriptor, FurtherField> =>
  'operationId' in field && field.kind !== 'custom';

/** A subscription to changes of a resource. */
export interface EventField {
  readonly kind: 'created' | 'updated' | 'deleted';
  readonly resource: string;
  /** Arguments that narrow, each by the property it must equal. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** A property of the parent that the OpenAPI document spells otherwise. */
export interface PropertyField {
  readonly kind: 'property';
  readonly property: string;
  /** Whether its value is an integer, of which GraphQL has the digits. */
  readonly isIntegerId?: true;
}

/** A field with hand-written code. */
export interface CustomField {
  readonly kind: 'custom';
  readonly access: Access;
  /** The custom REST operation that corresponds to the field (`@operation`). */
  readonly operationId?: string;
  /** The function of the operation resolves the field. Otherwise the field has its own. */
  readonly isOperation?: true;
  /** The operation's input by each argument; absent if the field has none. */
  readonly arguments?: Readonly<Record<string, ArgumentSource>>;
  /** The properties of the parent that are path parameters of the operation, by the names of these. */
  readonly parent?: Readonly<Record<string, string>>;
}

/** The input of an operation that an argument of its field is: a parameter, its body, or a property of the body. */
export interface ArgumentSource {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** Name of the parameter, or of the property; absent for the whole body. */
  readonly name?: string;
  /** Whether JSON accepts null. If not, null means that the value is absent. */
  readonly nullable?: true;
  /** Name of the input type of the value, or of the entries of a list. */
  readonly input?: string;
  /** The number of a version, which HTTP has as an entity tag: 3 for `"3"`. */
  readonly isVersion?: true;
}

/** How a value of an input type is translated to the JSON that actions accept. */
export interface InputDescriptor {
  /** By name; the name is the property's, unless the field names another. */
  readonly fields: Readonly<Record<string, InputFieldDescriptor>>;
  /** The discriminator of a `@oneOf` type, and its value by field. */
  readonly oneOf?: { readonly property: string; readonly values: Readonly<Record<string, string>> };
}

export interface InputFieldDescriptor {
  /** Whether JSON accepts null. If not, null means that the value is absent, except in a patch. */
  readonly nullable: boolean;
  /** The property, where the OpenAPI document spells it otherwise. */
  readonly property?: string;
  /** Name of the input type of the value, or of the entries of a list. */
  readonly input?: string;
  /** An `ID` that is a number in JSON. */
  readonly isIntegerId?: true;
}

/**
 * The GraphQL side of a contract, as pure data beside its `schema.graphql`. `generated/graphql.ts` has the contract's.
 * @example
 * import type { GraphqlDescriptor } from 'lockstep';
 * import { graphql } from '../../generated/graphql.ts';
 *
 * const maxDepth = ({ limits }: GraphqlDescriptor): number => limits.depth;
 * console.log(maxDepth(graphql));
 */
export interface GraphqlDescriptor {
  readonly limits: GraphqlLimits;
  /** Key of the resource by the name of its type. */
  readonly types: Readonly<Record<string, string>>;
  /** By coordinate: `Query.products`. A field that is not here is the property of its name. */
  readonly fields: Readonly<Record<string, FieldDescriptor>>;
  /** By name of the input type. */
  readonly inputs: Readonly<Record<string, InputDescriptor>>;
  /** By name of the union: its discriminator, and the type by value of that. */
  readonly unions: Readonly<
    Record<string, { readonly property: string; readonly types: Readonly<Record<string, string>> }>
  >;
  /** By name of the enum of a list's orders: the value of the REST parameter (`PRICE_DESC`: `-price`). */
  readonly sorts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By name of the enum, then of the value: the values that the OpenAPI document spells otherwise. */
  readonly enums?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By key of the resource, then by field of its filter: the parameters that the OpenAPI document spells otherwise. */
  readonly filters?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By key of the resource, then by field of its filter that is named for a reference: the input type of its values. */
  readonly referenceFilters?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The type and the field of a coordinate: of `Product.reviews`, `Product` and `reviews`. */
export function partsOfCoordinate(coordinate: string): { readonly type: string; readonly field: string } {
  const [type = '', field = ''] = coordinate.split('.');
  return { type, field };
}
