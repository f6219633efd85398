import type { Access } from '../../../descriptor/access.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import {
  type Action,
  batchesOf,
  declaredAction,
  dependenciesOf,
  isListing,
  linksOf,
  propertyNamed,
  type ResourceDescriptor,
  type Role,
  totalsOf,
} from '../../../descriptor/resource.ts';
import { ROLES } from '../../../descriptor/roles.ts';
import type { RowAction } from '../../../descriptor/row-access.ts';
import type { StandardErrorCode } from '../../../descriptor/standard-errors.ts';
import { totalNamesOf } from '../../../descriptor/totals.ts';
import type { OperationDraft } from '../draft.ts';
import { askedByFilters } from '../filters/asked-by-filters.ts';

/** The facts that decide which errors the server itself may return from an operation. */
export interface OperationFacts {
  readonly operation: OperationDraft;
  readonly document: OpenApiDocument;
  readonly resources: ReadonlyMap<string, ResourceDescriptor>;
  /** Absent on a custom operation. */
  readonly resource?: ResourceDescriptor;
  readonly action?: Role;
  /** What callers may include: the access of reading it, and whether a rule may hide by which property it belongs to a row. */
  readonly included?: readonly { readonly access: Access; readonly isRuled: boolean }[] | undefined;
}

type Condition = (facts: OperationFacts) => boolean;

/**
 * The conditions under which an operation may return each standard code. Codes of the HTTP parser belong to no
 * operation.
 */
const CONDITIONS: { readonly [Code in StandardErrorCode]?: Condition } = {
  MALFORMED_REQUEST: () => true,
  VALIDATION_FAILED: () => true,
  INVALID_CURSOR: ({ action }) => action === 'list',
  UNAUTHENTICATED: (facts) => accessesOf(facts).some(({ anyOf }) => anyOf.length > 0) || asksOwnedRows(facts),
  FORBIDDEN: (facts) =>
    needsScope(facts) ||
    mayNotOwn(facts) ||
    (changes(facts) && (othersMayRead(facts) || rulesMayRefuse(facts))) ||
    fieldsMayRefuse(facts) ||
    includesMayRefuse(facts) ||
    dependencyMayRefuse(facts),
  NOT_FOUND: (facts) =>
    facts.operation.path.includes('{') && (!createsByPut(facts) || facts.resource?.parent !== undefined),
  NOT_ACCEPTABLE: answersContent,
  ALREADY_EXISTS: (facts) => createsByPut(facts) || mayRepeat(facts) || (writes(facts.action) && isMapped(facts)),
  ILLEGAL_TRANSITION: ({ action, resource }) => writes(action) && has(resource, 'transitions'),
  STILL_REFERENCED: ({ action, resource, resources }) =>
    action === 'delete' && resource !== undefined && (resource.mapped !== undefined || isHeld(resource, resources)),
  CONFLICT: ({ action }) => action !== undefined && ROLES[action].heeds === 'key',
  PRECONDITION_FAILED: ({ action }) => action !== undefined && ROLES[action].heeds !== 'key',
  CONTENT_TOO_LARGE: takesBody,
  UNSUPPORTED_MEDIA_TYPE: (facts) => takesBody(facts) || mayRefuseBody(facts),
  REFERENCE_NOT_FOUND: (facts) =>
    writes(facts.action) &&
    facts.resource?.properties.some(({ name, references }) => references && isWritten(facts, name)) === true,
  IMMUTABLE_PROPERTY: ({ action, resource }) => action === 'replace' && has(resource, 'immutable'),
  REFUSED_BY_DATABASE: (facts) => changes(facts) && isMapped(facts),
  IDEMPOTENCY_KEY_REUSED: ({ action }) => action !== undefined && ROLES[action].heeds === 'key',
  TOO_MANY_REQUESTS: () => true,
  INTERNAL_ERROR: () => true,
  NOT_IMPLEMENTED: ({ action }) => action === undefined,
  SERVICE_UNAVAILABLE: () => true,
  LIMIT_EXCEEDED: (facts) => facts.action === 'totals' || (facts.included ?? []).length > 0,
  INSUFFICIENT_STORAGE: changes,
};

/** The standard codes that the server may return from an operation, whether its author lists them or not. */
export function impliedCodes(facts: OperationFacts): readonly string[] {
  const own = codesOf(facts);
  const { resource, operation } = facts;
  const link = resource && linksOf(resource).find((one) => one.operationId === operation.operationId);
  if (link) return linkCodes({ ...facts, action: link.kind === 'link' ? 'create' : 'delete' }, resource);
  const batch = resource && batchesOf(resource).find((one) => one.operationId === operation.operationId);
  if (!batch) return own;
  const ofItems = batch.kinds.flatMap((kind): readonly Action[] => (kind === 'upsert' ? ['create', 'update'] : [kind]));
  const of = (action: Action): readonly string[] => {
    const { access } = declaredAction(resource, action);
    return codesOf({ ...facts, action, operation: { ...operation, access } });
  };
  const found = new Set([...own, ...ofItems.flatMap(of)]);
  if (ofItems.some((action) => action !== 'create')) found.add('NOT_FOUND');
  return Object.keys(CONDITIONS).filter((code) => found.has(code));
}

/** Those that creating and deleting a joining row does not have by the path of a link. */
const NOT_OF_LINKS = [
  ...['CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'PRECONDITION_FAILED'],
  ...['ILLEGAL_TRANSITION', 'REFERENCE_NOT_FOUND'],
];

/** A pair that is there already is an error only if its caller does not see it. */
function linkCodes(facts: OperationFacts, resource: ResourceDescriptor): readonly string[] {
  const { owner, rowAccess, unique } = resource;
  const isHidden = owner?.reads === 'owner' || rowAccess?.read !== undefined;
  const mayRepeatOther = isMapped(facts) || unique.length > 1;
  return codesOf(facts).filter(
    (code) => !NOT_OF_LINKS.includes(code) && (code !== 'ALREADY_EXISTS' || isHidden || mayRepeatOther),
  );
}

function codesOf(facts: OperationFacts): readonly string[] {
  return Object.entries(CONDITIONS).flatMap(([code, applies]) => (applies(facts) ? [code] : []));
}

function createsByPut({ action, resource }: OperationFacts): boolean {
  return action === 'replace' && resource?.actions.replace?.creates === true;
}

/** To create by `PUT` takes the access of creating, too, and to filter by other rows, or to include them, that of reading them. */
function accessesOf(facts: OperationFacts): readonly Access[] {
  const create = createsByPut(facts) ? facts.resource?.actions.create : undefined;
  const read = reachedBy(facts).flatMap(({ actions: { get, list } }) => [get, list]);
  const included = (facts.included ?? []).map(({ access }) => access);
  const others = [create, ...read].flatMap((action) => (action ? [action.access] : []));
  return [facts.operation.access, ...others, ...included];
}

/** A caller that may not read which row another belongs to may not list the rows that belong to one. */
const includesMayRefuse = ({ included = [] }: OperationFacts): boolean => included.some(({ isRuled }) => isRuled);

const reachedBy = (facts: OperationFacts): readonly ResourceDescriptor[] =>
  isListed(facts) ? [...askedBy(facts).resources] : [];

/** Whether the operation has the filters of a list. */
const isListed = ({ action }: OperationFacts): boolean => isListing(action);

const askedBy = ({ operation, resource, resources, document }: OperationFacts) =>
  askedByFilters(operation, resource!, resources, document);

/** Nobody without a token may ask about rows that belong to callers. */
const asksOwnedRows = (facts: OperationFacts): boolean =>
  reachedBy(facts).some(({ owner }) => owner !== undefined && owner.reads === 'owner');

/** Whether the action may set a unique key; a new row gets its owner from the caller's token. */
function mayRepeat({ action, resource }: OperationFacts): boolean {
  if (!resource || !writes(action)) return false;
  const owner = action === 'create' ? resource.owner?.property : undefined;
  const sets = (name: string): boolean => name === owner || isSet(resource, name, action);
  return [['id'], ...resource.unique].some((names) => names.some(sets));
}

/** A table of others has keys and constraints that the contract does not know. */
const isMapped = ({ resource }: OperationFacts): boolean => resource?.mapped !== undefined;

function writes(action: Role | undefined): boolean {
  return action === 'create' || action === 'replace' || action === 'update';
}

function changes({ action }: OperationFacts): boolean {
  return writes(action) || action === 'delete';
}

function needsScope(facts: OperationFacts): boolean {
  const requirements = accessesOf(facts).flatMap(({ anyOf }) => anyOf);
  return requirements.some(({ schemes }) => schemes.some(({ scopes }) => scopes.length > 0));
}

/** A caller may create a row that it cannot own, or give its own row to another owner. */
function mayNotOwn({ action, resource }: OperationFacts): boolean {
  return writes(action) && resource?.owner !== undefined;
}

/** Everybody may read the rows of the resource or of an ancestor, but only the owner may change them. */
function othersMayRead({ resource, resources }: OperationFacts): boolean {
  for (let one = resource; one !== undefined; one = one.parent && resources.get(one.parent.resource)) {
    if (one.owner?.reads === 'anyone') return true;
  }
  return false;
}

/**
 * A caller may have no tenant. A rule of `x-access` may refuse what its caller reads: the resource's own for the
 * action, or that of an ancestor where it has none. An answer to a repeated create is refused to a caller that may no longer read
 * it.
 */
function rulesMayRefuse(facts: OperationFacts): boolean {
  const { action, resource, resources } = facts;
  if (action === 'create' || createsByPut(facts)) {
    const { create, read } = resource?.rowAccess ?? {};
    if (create || read) return true;
  }
  let ruled: RowAction = action === 'create' || action === 'delete' ? action : 'update';
  for (let one = resource; one !== undefined; one = one.parent && resources.get(one.parent.resource)) {
    if (one.rowAccess?.[ruled] || one.tenant) return true;
    ruled = 'update';
  }
  return false;
}

/**
 * A rule on a property may refuse an input that has it, a list that is asked by it, or the answer to a repeated create that
 * shows it.
 */
function fieldsMayRefuse(facts: OperationFacts): boolean {
  const { action, resource } = facts;
  if (isListed(facts) && [...askedBy(facts).properties].some(({ access }) => access?.read)) return true;
  const rules = new Map(resource?.properties.flatMap(({ name, access }) => (access ? [[name, access]] : [])));
  if (rules.size === 0 || action === undefined) return false;
  const all = [...rules.values()];
  if (action === 'create') return true;
  if (writes(action)) return all.some(({ write }) => write) || resource?.actions.replace?.creates === true;
  const { filters = [], sorts = [], search = [] } = resource?.list ?? {};
  const ordered = action === 'totals' ? measuredBy(facts) : sorts.map(({ property }) => property);
  const asked = [...filters.map(({ property }) => property), ...ordered, ...search];
  return isListed(facts) && asked.some((name) => rules.get(name)?.read);
}

/** The properties that totals group or measure. */
function measuredBy({ operation: { operationId }, resource }: OperationFacts): readonly string[] {
  const totals = resource && totalsOf(resource).find((one) => one.operationId === operationId);
  if (!totals) return [];
  const known = totalNamesOf(resource);
  return [
    ...totals.groups.flatMap((name) => known.groups.get(name)?.property ?? []),
    ...totals.measures.flatMap((name) => known.measures.get(name)?.property ?? []),
  ];
}

/** A caller that may not read what joins the rows of a list to the one above may not list them. */
function dependencyMayRefuse({ operation: { operationId }, resource, resources }: OperationFacts): boolean {
  const further = resource?.further?.find((one) => one.operationId === operationId);
  return (further ? dependenciesOf(further) : []).some(({ resource: key, properties }) =>
    resources.get(key)?.properties.some(({ name, access }) => properties.includes(name) && access?.read !== undefined),
  );
}

/** Whether the action can change the property, or set it at creation. */
function isWritten(facts: OperationFacts, name: string): boolean {
  const { resource, action } = facts;
  if (!resource) return false;
  return isSet(resource, name, action) || (createsByPut(facts) && isSet(resource, name, 'create'));
}

/** Whether the action can change the property. Values set by the path or the server are never the caller's mistake. */
function isSet({ properties }: ResourceDescriptor, name: string, action: Role | undefined): boolean {
  const { origin, immutable } = propertyNamed(properties, name);
  return action === 'create' ? origin === 'input' || origin === 'server' : origin === 'input' && !immutable;
}

function has(resource: ResourceDescriptor | undefined, trait: 'transitions' | 'references' | 'immutable'): boolean {
  return resource?.properties.some((property) => property[trait] !== undefined) ?? false;
}

function takesBody({ operation }: OperationFacts): boolean {
  return operation.body !== undefined;
}

/** A body that the operation does not take is refused, unless nobody would read it (RFC 9110, 9.3.1). */
function mayRefuseBody({ operation }: OperationFacts): boolean {
  return !['get', 'head', 'trace'].includes(operation.method);
}

function answersContent({ operation }: OperationFacts): boolean {
  return Object.keys(operation.node.responses ?? {}).some((status) => status.startsWith('2') && status !== '204');
}

/** Whether a reference points to the resource: it restricts, or may take along more than one delete is allowed to. */
function isHeld({ key }: ResourceDescriptor, resources: ReadonlyMap<string, ResourceDescriptor>): boolean {
  return [...resources.values()].some(({ properties }) => properties.some((one) => one.references?.resource === key));
}
