import type { Access } from './access.ts';
import type { NameCase } from './convention-names.ts';
import type { FieldAccess, RowAccess, TenantRule } from './row-access.ts';

/** The six actions of a resource, in the order of the convention table. */
export const ACTIONS = ['list', 'get', 'create', 'replace', 'update', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * How a property is kept and rendered.
 * `int64` and `decimal` are strings of digits in JSON, so that no value is rounded.
 */
export type PropertyType =
  | 'string'
  | 'uuid'
  | 'integer'
  | 'int64'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'date-time'
  | 'json';

/** The id of a row, as JSON has it: a text, or an integer that no number rounds. */
export type Id = string | number;

/** A value of JSON (RFC 8259). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type OnDelete = 'restrict' | 'cascade' | 'set-null';

/** What a property refers to: a row of another resource, by its id. */
interface ReferenceDescriptor {
  readonly resource: string;
  readonly onDelete: OnDelete;
  /** What the rows that refer to one are called there (`x-inverse`). */
  readonly inverse?: string;
  /** Callers may name rows that `x-owner` hides from them (`x-reference-hidden: allow`). */
  readonly allowsHidden?: true;
}

/** A property that refers to rows. */
export type ReferenceProperty = PropertyDescriptor & { readonly references: ReferenceDescriptor };

export const isReferring = (property: PropertyDescriptor): property is ReferenceProperty =>
  property.references !== undefined;

/** A column of a mapped table whose times have no zone. */
export type ColumnZone = 'UTC';

export interface PropertyDescriptor {
  readonly name: string;
  /** In a table of Lockstep. */
  readonly column: string;
  /** Of a mapped resource: its columns there, several of an id or a reference; left out for a version that is a hash. */
  readonly columns?: readonly string[];
  /** The zone of the times in the column of a mapped table, which has none. */
  readonly zone?: ColumnZone;
  readonly type: PropertyType;
  /** `null` is a value of the property. An absent optional property is stored as NULL, too. */
  readonly nullable: boolean;
  /** Listed in `required` of the resource's schema: always rendered. */
  readonly required: boolean;
  /**
   * Who sets it: `managed` by the engine (version, createdAt, updatedAt, and an id that callers do not choose), `parent`
   * by the path, `input` by the caller, `server` by an override (else its `initial` value stays).
   */
  readonly origin: 'managed' | 'parent' | 'input' | 'server';
  /** Value at creation when none is given: the schema's `default`, or a state machine's first value. */
  readonly initial?: JsonValue;
  readonly enum?: readonly string[];
  /** Of an array of a mapped resource: the values of its entries. */
  readonly entryEnum?: readonly string[];
  readonly immutable?: boolean;
  readonly references?: ReferenceDescriptor;
  /** The discriminator of an object with variants. */
  readonly discriminator?: string;
  /** Allowed transitions by state (`x-transitions`). */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  /** Who may read and write it, beside what the rules of its row say (`x-access`). */
  readonly access?: FieldAccess;
}

/** Whether a property has so few values that each stands for a large part of the rows. */
export const hasFewValues = ({ type, enum: values }: PropertyDescriptor): boolean =>
  type === 'boolean' || values !== undefined;

/** Whether a property is the id of a row, or refers to one. */
export const holdsId = ({ name, references }: PropertyDescriptor): boolean => name === 'id' || references !== undefined;

/** The property of a name, which is known to be among these; another is a programming error. */
export function propertyNamed<P extends { readonly name: string }>(properties: readonly P[], name: string): P {
  const property = properties.find((one) => one.name === name);
  if (!property) throw new Error(`There is no property ${name}.`);
  return property;
}

export const idProperty = ({ properties }: Pick<ResourceDescriptor, 'properties'>): PropertyDescriptor =>
  propertyNamed(properties, 'id');

/** Whether versions are texts, which name no order: hashes of rows of mapped tables. */
export const hasTextVersion = ({ properties }: Pick<ResourceDescriptor, 'properties'>): boolean =>
  propertyNamed(properties, 'version').type === 'string';

/** Whether the database counts the ids of new rows. */
export function isIdCounted(resource: Pick<ResourceDescriptor, 'properties'>): boolean {
  const { type, origin } = idProperty(resource);
  return origin === 'managed' && (type === 'integer' || type === 'int64');
}

/** Whether callers may choose the id of a new row. */
export const isIdChosen = (resource: Pick<ResourceDescriptor, 'properties'>): boolean =>
  idProperty(resource).origin === 'input';

export type FilterOperator = 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains';

/** One query parameter that narrows a list. */
export interface FilterDescriptor {
  readonly parameter: string;
  readonly property: string;
  /**
   * `eq`: the parameter is the value. `in`: it is an array of values.
   * `object`: it is an object from operator to value (`style: deepObject`).
   */
  readonly shape: 'eq' | 'in' | 'object';
  readonly operators: readonly FilterOperator[];
}

/** Rows that are related to those of a resource. */
export interface RelationDescriptor {
  /** `one`: the row that `property` refers to. `many`: the rows whose `property` refers to one. */
  readonly kind: 'one' | 'many';
  /** Key of the resource of those rows. */
  readonly resource: string;
  readonly property: string;
}

/** Rows that `include` reads with those of a resource. */
export interface IncludeDescriptor extends RelationDescriptor {
  /** The operation that lists the rows through another resource; `property` is then the id. */
  readonly through?: string;
}

export interface SortDescriptor {
  /** As it stands in the contract's enum: `price` or `-price`. */
  readonly value: string;
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

export interface ListDescriptor {
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /** Pages have the cursor of the one before. */
  readonly pagesBack?: true;
  /** Entries are counted up to this many, and pages say whether there are more. Left out: all are counted. */
  readonly countBound?: number;
  readonly filters: readonly FilterDescriptor[];
  readonly sorts: readonly SortDescriptor[];
  /** The schema of the conditions that callers may combine, in the parameter `filter` and in GraphQL's argument. */
  readonly filter?: string;
  /** The parameters that are named for references, each an object of values that the row referred to has. */
  readonly referenceFilters?: readonly string[];
  /** The properties whose words `search` finds; those of all of them together. */
  readonly search?: readonly string[];
  /** The language whose inflected forms a search finds, by ISO 639-1. */
  readonly searchLanguage?: string;
  /** Order when the request names none: values of `sorts`; empty means by id. */
  readonly defaultSort: readonly string[];
}

/** The list of a resource that is known to have one; to ask another is a programming error. */
export function listOf({ key, list }: Pick<ResourceDescriptor, 'key' | 'list'>): ListDescriptor {
  if (!list) throw new Error(`${key} has no list.`);
  return list;
}

/** Whether callers may narrow a list by what its rows have. */
export const isFiltered = (list: ListDescriptor | undefined): boolean =>
  list !== undefined && (list.filters.length > 0 || list.filter !== undefined || list.referenceFilters !== undefined);

interface ActionDescriptor {
  readonly operationId: string;
  readonly access: Access;
  /** Of `replace`: where no row has the id, it makes one. */
  readonly creates?: true;
}

export interface OwnerRule {
  readonly property: string;
  /** The rule does not apply to callers with this scope. */
  readonly scope?: string;
  /** `owner`: others' rows are hidden (404). `anyone`: all may read, others' changes are 403. */
  readonly reads: 'owner' | 'anyone';
}

/** Whether each row is its caller, whose `sub` is its id, and no scope opens those of others. */
export const isOfCaller = ({ owner }: Pick<ResourceDescriptor, 'owner'>): boolean =>
  owner?.property === 'id' && owner.scope === undefined;

/** Answers of the engine that are not those of an action; each is a kind of further operation. */
export type OwnRole = 'totals' | 'batch' | LinkRole;

/** The making of a link between two rows, and its end. */
export type LinkRole = 'link' | 'unlink';

/** Answers of the engine. */
export type Role = Action | OwnRole;

/** Whether an answer of the engine is that of an action. */
export const isAction = (role: string): role is Action => (ACTIONS as readonly string[]).includes(role);

/** Whether an operation has the filters of a list. */
export const isListing = (role: Role | undefined): role is 'list' | 'totals' => role === 'list' || role === 'totals';

/** An operation of a resource, and the answer that it gives. */
export interface ResourceOperation {
  readonly operationId: string;
  readonly action: Role;
  readonly access: Access;
}

/** An operation beside the six actions; the compiler's model decides which there are. */
export type FurtherOperation =
  | LookupDescriptor
  | ThroughDescriptor
  | TotalsDescriptor
  | BatchDescriptor
  | LinkDescriptor<'link'>
  | LinkDescriptor<'unlink'>;

/** `GET /products/by-sku/{sku}`: reads one by a unique property, which the parameter is named after. */
interface LookupDescriptor extends ResourceOperation {
  readonly kind: 'lookup';
  readonly action: 'get';
  readonly property: string;
}

/**
 * `GET /issues/{issueId}/labels`: the list, narrowed to the rows that a third resource, which refers to both, joins to one
 * of another.
 */
export interface ThroughDescriptor extends ResourceOperation {
  readonly kind: 'through';
  readonly action: 'list';
  /** The last segment of its path in camelCase, and so the field of GraphQL: `labels`. */
  readonly name: string;
  /** Key of the resource below whose rows it is listed. */
  readonly below: string;
  /** Key of the resource that joins them. */
  readonly join: string;
  /** Property of the join that refers to the row above. */
  readonly from: string;
  /** Property of the join that refers to the rows listed. */
  readonly to: string;
}

/** `GET /orders/totals`: counts, sums and averages of the rows of the list, by group (`x-totals`). */
export interface TotalsDescriptor extends ResourceOperation {
  readonly kind: 'totals';
  readonly action: 'totals';
  /** It refuses to read more rows. */
  readonly maxRows: number;
  /** Names of groups and of measures that callers may ask for. */
  readonly groups: readonly string[];
  readonly measures: readonly string[];
  /** Orders, as they stand in the contract's enum: `status`, `-totalSum`. */
  readonly sorts: readonly string[];
  /** Number of groups of an answer, if the request names none. */
  readonly defaultLimit: number;
  /** The schema of a group, and of what has the groups. */
  readonly schemas: { readonly group: string; readonly page: string };
}

/** What an item of a batch does, in the order of the conventions. */
export const BATCH_KINDS = ['create', 'update', 'replace', 'delete', 'upsert'] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** `POST /products/batch`: several writes by one request (`x-batch`). */
export interface BatchDescriptor extends ResourceOperation {
  readonly kind: 'batch';
  readonly action: 'batch';
  /** What its items may do. */
  readonly kinds: readonly BatchKind[];
  readonly maxItems: number;
  /** Properties of the patch, which an upsert without `update` takes of `create`. */
  readonly patch: readonly string[];
}

/** A resource that links have at one end, by its key, and the property of the joining rows that refers to it. */
export interface LinkEnd<R = string> {
  readonly resource: R;
  readonly property: string;
}

/**
 * `PUT` and `DELETE /issues/{issueId}/labels/{labelId}`: creates and deletes the row of the resource that joins the two
 * (`x-through`).
 */
export interface LinkDescriptor<K extends LinkRole = LinkRole> extends ResourceOperation {
  readonly kind: K;
  readonly action: K;
  /** The row above, which the path names first, and the row that its last parameter names. */
  readonly ends: readonly [above: LinkEnd, linked: LinkEnd];
  /** The last parameter of the path. */
  readonly parameter: string;
}

/** A table or view that exists, by its names as the catalogue of Postgres has them. */
export interface MappedTable {
  readonly schema: string;
  readonly name: string;
}

interface ParentDescriptor {
  /** Key of the parent resource. */
  readonly resource: string;
  /** Path parameter that names the parent: by its id, or by its `keyProperty`. */
  readonly parameter: string;
  /** Property of the child that holds the parent's id. */
  readonly property: string;
}

/**
 * A resource of the contract as pure data, which is all that the engine knows of the domain. `generated/resources.ts` has
 * those of the contract.
 * @example
 * import type { ResourceDescriptor } from 'lockstep';
 * import { resources } from '../../generated/resources.ts';
 *
 * const pathOf = ({ path, actions }: ResourceDescriptor) => [path, Object.keys(actions)];
 * console.log(resources.map(pathOf));
 */
export interface ResourceDescriptor {
  /** Static path segments in camelCase, joined by dots: `products`, `orders.items`. */
  readonly key: string;
  /** Name of its schema: `Product`. */
  readonly name: string;
  readonly table: string;
  /** The table of others that it stands for; Lockstep neither makes nor changes it. */
  readonly mapped?: MappedTable;
  /** Path of the collection below the server's base path: `/orders/{orderId}/items`. */
  readonly path: string;
  readonly idParameter: string;
  /** The unique property that the path parameter of one holds, where it is not the id. */
  readonly keyProperty?: string;
  /** Reads by other unique properties, lists of the rows that are joined to one of another resource, totals, and batches. */
  readonly further?: readonly FurtherOperation[];
  /** The case of the names that the conventions demand; camelCase if left out. */
  readonly nameCase?: NameCase;
  readonly parent?: ParentDescriptor;
  readonly properties: readonly PropertyDescriptor[];
  readonly actions: { readonly [A in Action]?: ActionDescriptor };
  readonly list?: ListDescriptor;
  readonly unique: readonly (readonly string[])[];
  readonly owner?: OwnerRule;
  /** Whose tenant's each row is; `rowAccess` and the keys of `unique` have it, too. */
  readonly tenant?: TenantRule;
  /** Who may read and change which rows, beside what `security` and `owner` say. */
  readonly rowAccess?: RowAccess;
  /** What filters may go to from its rows, by the names that they have for it; only in contracts with such filters. */
  readonly relations?: Readonly<Record<string, RelationDescriptor>>;
  /** What `include` may name beside its rows, by name. */
  readonly includes?: Readonly<Record<string, IncludeDescriptor>>;
  /** Properties by which indexes find what rules of row access and filters compare, those of other resources included. */
  readonly ruleIndexes?: readonly (readonly string[])[];
  /** Names in `components.schemas`. */
  readonly schemas: { readonly resource: string; readonly input?: string; readonly patch?: string };
}

type Named = Pick<ResourceDescriptor, 'path' | 'keyProperty' | 'further'>;

/** All operations of a resource that the engine answers: its actions, then the further ones. */
export const operationsOf = ({
  actions,
  further = [],
}: Pick<ResourceDescriptor, 'actions' | 'further'>): readonly ResourceOperation[] => [
  ...ACTIONS.flatMap((action) => (actions[action] ? [{ action, ...actions[action] }] : [])),
  ...further,
];

/** Whether an operation is that of its action, and not a further one, which answers as the action does. */
export const isOwn = (
  { actions }: Pick<ResourceDescriptor, 'actions'>,
  { action, operationId }: ResourceOperation,
): boolean => isAction(action) && actions[action]?.operationId === operationId;

type Further<F> = { readonly further?: readonly F[] };

/** The paths by which one may be read beside its own; the last parameter is named after the property that it has. */
export const furtherPaths = <F extends object>({ further = [] }: Further<F>) =>
  further.filter((one): one is Extract<F, { property: string }> => 'property' in one);

/** The further operations that are fields, `name`, of the rows that their path is `below`. */
export const nestedOf = <F extends object>({ further = [] }: Further<F>) =>
  further.filter((one): one is Extract<F, { below: unknown }> => 'below' in one);

/** The totals of a resource (`x-totals`). */
export const totalsOf = <F extends object>({ further = [] }: Further<F>) =>
  further.filter((one): one is Extract<F, { maxRows: number }> => 'maxRows' in one);

/** The batches of a resource (`x-batch`). */
export const batchesOf = <F extends object>({ further = [] }: Further<F>) =>
  further.filter((one): one is Extract<F, { kinds: unknown }> => 'kinds' in one);

/** The links that joining rows are, and the ends of such. */
export const linksOf = <F extends object>({ further = [] }: Further<F>) =>
  further.filter((one): one is Extract<F, { ends: unknown }> => 'ends' in one);

interface Keyed extends Pick<ResourceDescriptor, 'unique' | 'keyProperty'> {
  readonly tenant?: Pick<TenantRule, 'property'> | undefined;
  readonly parent?: Pick<ParentDescriptor, 'property'> | undefined;
}

/** The properties that together name one row: that of its path, and those of each unique key, without the tenant and the parent of the caller's path. */
export const rowKeys = ({ unique, tenant, parent, keyProperty }: Keyed): readonly (readonly string[])[] =>
  [
    ...(keyProperty === undefined ? [] : [[keyProperty]]),
    ...unique.filter(([name, ...more]) => name !== keyProperty || more.length > 0),
  ]
    .map((key) => key.filter((name) => name !== tenant?.property && name !== parent?.property))
    .filter((key) => key.length > 0);

/** What a further operation is bound by: the property that one is read by, or its own name. */
export const nameOfFurther = (one: FurtherOperation): string => ('property' in one ? one.property : one.operationId);

/** Another resource whose rows decide what a further operation answers, and their properties that it compares. */
interface Dependency<R> {
  readonly resource: R;
  readonly properties: readonly string[];
}

type Depending<R> =
  | Pick<LookupDescriptor | TotalsDescriptor | BatchDescriptor, 'kind'>
  | (Pick<ThroughDescriptor, 'kind' | 'from' | 'to'> & { readonly below: R; readonly join: R })
  | { readonly kind: LinkRole; readonly ends: readonly LinkEnd<R>[] };

/** The first has the property that refers to the rows above, if there are such. */
export function dependenciesOf<R>(one: Depending<R>): readonly Dependency<R>[] {
  if (one.kind === 'through')
    return [
      { resource: one.join, properties: [one.from, one.to] },
      { resource: one.below, properties: [] },
    ];
  return 'ends' in one ? one.ends.map(({ resource }) => ({ resource, properties: [] })) : [];
}

/** The property that the path parameter of one holds. */
export const namingProperty = ({ keyProperty = 'id' }: Pick<Named, 'keyProperty'>): string => keyProperty;

/**
 * The properties by which one may be read: those of its paths, and the id, which only GraphQL asks for where the path does
 * not have it. Each but the first is a parameter and an argument of its own name.
 */
export function readKeys(resource: Named): readonly string[] {
  const own = namingProperty(resource);
  const others = furtherPaths(resource).map(({ property }) => property);
  const hasId = own !== 'id' && !resource.path.includes('{id}');
  return [own, ...others, ...(hasId ? ['id'] : [])];
}

/** The action of a resource that is known to have it; to ask for another is a programming error. */
export function declaredAction(
  { key, actions }: Pick<ResourceDescriptor, 'key' | 'actions'>,
  action: Action,
): ActionDescriptor {
  const declared = actions[action];
  if (!declared) throw new Error(`${key} has no action ${action}.`);
  return declared;
}

/** The resource of a key, which is known to be among these; another is a programming error. */
export function resourceWithKey<R extends { readonly key: string }>(resources: readonly R[], key: string): R {
  const resource = resources.find((one) => one.key === key);
  if (!resource) throw new Error(`There is no resource ${key}.`);
  return resource;
}
