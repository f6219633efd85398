import { FILTER_PARAMETER } from '../../../descriptor/filters.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Resource } from '../resource/resource.ts';

type Values = Readonly<Record<string, unknown>>;
type ParameterError = Extract<FieldError, { readonly parameter: string }>;

/**
 * Whether a caller may ask by a property: filter, sort or search by it, or follow it. Who does not read it on every row
 * would learn the others' values from which rows are found.
 */
export function mayFilterBy(resource: Resource, property: string, principal: Principal | undefined): boolean {
  const view = resource.fields?.viewFor(principal);
  return !view?.limited.some(({ names }) => names.includes(property));
}

/** Throws `FORBIDDEN` where the query of a list filters, sorts or searches by properties that the caller may not ask by. */
export function checkReadable(
  resource: Resource,
  query: Readonly<Record<string, unknown>>,
  principal: Principal | undefined,
): void {
  if (!resource.fields?.viewFor(principal)) return;
  const { list } = resource.descriptor;
  const errors: ParameterError[] = [];
  const check = (parameter: string, properties: readonly string[]): void => {
    const refused = properties.find((name) => !mayFilterBy(resource, name, principal));
    if (refused !== undefined) errors.push(unreadable(parameter, refused));
  };
  for (const { parameter, property } of list!.filters) if (query[parameter] !== undefined) check(parameter, [property]);
  for (const name of list!.referenceFilters ?? [])
    if (query[name] !== undefined) check(name, [resource.relations.get(name)!.property]);
  if (list!.filter !== undefined && query[FILTER_PARAMETER] !== undefined)
    visitOwn(resource, query[FILTER_PARAMETER] as Values, FILTER_PARAMETER, (place, property) =>
      check(place, [property]),
    );
  errors.sort(byMember);
  const sort = (query['sort'] as readonly string[] | undefined) ?? [];
  check(
    'sort',
    sort.flatMap((value) => resource.sorts.get(value)?.property ?? []),
  );
  if (query['search'] !== undefined) check('search', list!.search ?? []);
  if (errors.length > 0) throw new ApiError('FORBIDDEN', { detail: forbidden(resource), errors });
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
 * Throws `FORBIDDEN` where what is asked of the rows that have some value of a property would tell a caller what it may not
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
