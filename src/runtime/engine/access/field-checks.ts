import { isDeepStrictEqual } from 'node:util';
import { FILTER_PARAMETER } from '../../../descriptor/filters.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { listOf } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { WriteCall } from '../interface/call.ts';
import { immutable } from '../resource/faults.ts';
import { normalize, patched } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { hiddenOf, permits } from './fields.ts';

/** What of an input its caller may write to a row. */
export interface FieldWrites {
  /** The input, without what stays as it is. */
  readonly input: Values;
  /** What it writes of the properties whose writing has a rule, which must hold for the changed row, too. */
  readonly written: readonly string[];
  /** What the caller may not read of the row. */
  readonly hidden: readonly string[];
  /** It writes what the caller may not read: that a value is the same must not show. */
  readonly isBlind: boolean;
}

/**
 * Judges an input by the rules of properties. A caller may repeat what it is shown of what it may not write, and in a
 * replacement of what it may not read: the stored value stays. Throws `FORBIDDEN` with the pointers of others, and
 * `IMMUTABLE_PROPERTY`.
 */
export async function fieldWrites(
  reader: Reader,
  resource: Resource,
  { action, input, row, judge }: Pick<WriteCall, 'judge'> & FieldInput,
  principal: Principal | undefined,
): Promise<FieldWrites> {
  const hidden = await hiddenOf(reader, resource, row, principal);
  const current = resource.codec.toValues(row);
  const { written: ruled } = resource.fields!;
  const kept: Record<string, unknown> = { ...input };
  const refused: string[] = [];
  const written: string[] = [];
  let isBlind = false;
  for (const name of new Set([...ruled, ...hidden])) {
    const isHidden = hidden.includes(name);
    const isMerged = action === 'update' && !judge;
    const sent = { isMerged, value: input[name], shown: isHidden ? null : (current[name] ?? null) };
    if (sent.value === undefined && action === 'update') continue;
    const isRuled = ruled.includes(name);
    const isPermitted = !isRuled || (await mayWrite(reader, resource, name, row, principal));
    if (isPermitted && !(isHidden && action === 'replace' && sent.value == null)) {
      if (isRuled && sent.value !== undefined) written.push(name);
      isBlind ||= isHidden;
      continue;
    }
    if (!repeats(resource, name, sent)) refused.push(name);
    else if (action === 'replace') kept[name] = current[name] ?? null;
    else delete kept[name];
  }
  if (refused.length > 0) throw unwritable(resource, refused);
  if (action === 'replace') checkHiddenImmutables(resource, hidden, input);
  return { input: kept, written, hidden, isBlind };
}

interface FieldInput {
  readonly action: 'replace' | 'update';
  readonly input: Values;
  readonly row: Row;
}

interface Sent {
  readonly isMerged: boolean;
  readonly value: unknown;
  readonly shown: unknown;
}

function repeats({ property }: Resource, name: string, { isMerged, value, shown }: Sent): boolean {
  if (value === undefined) return true;
  const own = lookUp(property, name);
  const next = isMerged ? patched(own, shown ?? undefined, value) : normalize(own, value);
  return isDeepStrictEqual(next ?? null, shown);
}

/** Whether the value is another is nothing that the caller may know. */
function checkHiddenImmutables({ immutables }: Resource, hidden: readonly string[], input: Values): void {
  const sent = immutables.filter(({ name }) => hidden.includes(name) && input[name] != null);
  if (sent.length > 0) throw immutable(sent.map(({ name }) => name));
}

/** Throws `FORBIDDEN` with the pointers of what a caller may not write to a row as it is by now. */
export async function checkStillWritable(
  reader: Reader,
  resource: Resource,
  written: readonly string[],
  row: Row,
  principal: Principal | undefined,
): Promise<void> {
  const refused: string[] = [];
  for (const name of written) if (!(await mayWrite(reader, resource, name, row, principal))) refused.push(name);
  if (refused.length > 0) throw unwritable(resource, refused);
}

/** What an input gives to a new row of the properties whose writing has a rule, other than what they have at first. */
export function givenToNew({ fields, property }: Resource, input: Values): readonly string[] {
  return (fields?.written ?? []).filter((name) => {
    const { initial } = lookUp(property, name);
    return input[name] != null && input[name] !== initial;
  });
}

async function mayWrite(
  reader: Reader,
  resource: Resource,
  name: string,
  row: Row,
  principal: Principal | undefined,
): Promise<boolean> {
  const permission = resource.fields!.permissionToWrite(name, principal);
  return (await permits(reader, resource, [row], permission))[0]!;
}

function unwritable({ descriptor: { name } }: Resource, properties: readonly string[]): ApiError {
  return new ApiError('FORBIDDEN', {
    detail: `You may not write ${properties.join(' and ')} of this ${name}.`,
    errors: properties.map((property) => ({
      pointer: childPointer('', property),
      detail: `you may not write ${property}`,
    })),
  });
}

type ParameterError = Extract<FieldError, { readonly parameter: string }>;

/**
 * Whether a caller may ask by a property: filter, sort or search by it, or follow it. A caller that does not read it on every row
 * would learn the others' values from which rows are found.
 */
export function mayFilterBy(resource: Resource, property: string, principal: Principal | undefined): boolean {
  const view = resource.fields?.viewFor(principal);
  return !view?.limited.some(({ names }) => names.includes(property));
}

/** Throws `FORBIDDEN` where the query of a list filters, sorts or searches by properties that the caller may not ask by. */
export function checkReadable(resource: Resource, query: Values, principal: Principal | undefined): void {
  if (!resource.fields?.viewFor(principal)) return;
  const list = listOf(resource.descriptor);
  const errors: ParameterError[] = [];
  const check = (parameter: string, properties: readonly string[]): void => {
    const refused = properties.find((name) => !mayFilterBy(resource, name, principal));
    if (refused !== undefined) errors.push(unreadable(parameter, refused));
  };
  for (const { parameter, property } of list.filters) if (query[parameter] !== undefined) check(parameter, [property]);
  for (const name of list.referenceFilters ?? [])
    if (query[name] !== undefined) check(name, [lookUp(resource.relations, name).property]);
  if (list.filter !== undefined && query[FILTER_PARAMETER] !== undefined)
    visitOwn(resource, query[FILTER_PARAMETER] as Values, FILTER_PARAMETER, (place, property) =>
      check(place, [property]),
    );
  errors.sort(byMember);
  const sort = (query['sort'] as readonly string[] | undefined) ?? [];
  check(
    'sort',
    sort.flatMap((value) => resource.sorts.get(value)?.property ?? []),
  );
  if (query['search'] !== undefined) check('search', list.search ?? []);
  if (errors.length > 0) throw new ApiError('FORBIDDEN', { detail: forbidden(resource), errors });
}

/** What totals are asked by, and the names of their parameters. */
interface Measured {
  readonly groupBy: readonly string[];
  readonly measures: readonly string[];
  readonly sort: readonly string[];
  readonly names: { readonly groupBy: string };
}

/** Throws `FORBIDDEN` where totals group, measure or sort by properties that the caller does not read on every row. */
export function checkMeasurable(resource: Resource, asked: Measured, principal: Principal | undefined): void {
  if (!resource.fields?.viewFor(principal)) return;
  const known = resource.totalNames();
  const named = (parameter: string, names: readonly string[]): readonly ParameterError[] => {
    const properties = names.map((name) => (known.groups.get(name) ?? known.measures.get(name))?.property);
    const refused = properties.find((one) => one !== undefined && !mayFilterBy(resource, one, principal));
    return refused === undefined ? [] : [unreadable(parameter, refused)];
  };
  const errors = [
    ...named(asked.names.groupBy, asked.groupBy),
    ...named('measures', asked.measures),
    ...named(
      'sort',
      asked.sort.map((value) => value.replace(/^-/, '')),
    ),
  ];
  const { name } = resource.descriptor;
  const detail = `You may not group or measure ${name} by what you may not read.`;
  if (errors.length > 0) throw new ApiError('FORBIDDEN', { detail, errors });
}

/** Over GraphQL, what REST has as parameters are members of the filter. */
const memberOf = ({ parameter }: ParameterError): string => parameter.replace(IN_FILTER, '');
const IN_FILTER = new RegExp(`^${FILTER_PARAMETER}/`);
const byMember = (a: ParameterError, b: ParameterError): number => (memberOf(a) < memberOf(b) ? -1 : 1);

/** Visits the properties of the rows themselves that a filter names, references included, with their places. */
function visitOwn(
  resource: Resource,
  filter: Values,
  place: string,
  visit: (place: string, property: string) => void,
): void {
  for (const [name, value] of Object.entries(filter)) {
    const at = childPointer(place, name);
    const related = resource.relations.get(name);
    if (name === 'and' || name === 'or')
      for (const [i, one] of (value as readonly Values[]).entries())
        visitOwn(resource, one, childPointer(at, i), visit);
    else if (name === 'not') visitOwn(resource, value as Values, at, visit);
    else if (resource.property.has(name)) visit(at, name);
    else if (related?.kind === 'one') visit(at, related.property);
  }
}

/**
 * Throws `FORBIDDEN` where what is asked of the rows that have some value of a property would reveal to a caller what it may not
 * read. `parameter`: what gives the value.
 */
export function checkFollowed(
  resource: Resource,
  property: string,
  principal: Principal | undefined,
  parameter?: string,
): void {
  if (mayFilterBy(resource, property, principal)) return;
  const errors = parameter === undefined ? [] : [unreadable(parameter, property)];
  throw new ApiError('FORBIDDEN', { detail: forbidden(resource), ...(errors.length > 0 && { errors }) });
}

const unreadable = (parameter: string, property: string): ParameterError => ({
  parameter,
  detail: `you may not read ${property} on every row`,
});

const forbidden = ({ descriptor: { name } }: Resource): string =>
  `You may not filter, sort or search ${name} by what you may not read.`;
