import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Resource } from './resource.ts';

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
  const errors: FieldError[] = [];
  const check = (parameter: string, properties: readonly string[]): void => {
    const refused = properties.find((name) => !mayFilterBy(resource, name, principal));
    if (refused !== undefined) errors.push(unreadable(parameter, refused));
  };
  for (const { parameter, property } of list!.filters) if (query[parameter] !== undefined) check(parameter, [property]);
  const sort = (query['sort'] as readonly string[] | undefined) ?? [];
  check(
    'sort',
    sort.flatMap((value) => resource.sorts.get(value)?.property ?? []),
  );
  if (query['search'] !== undefined) check('search', list!.search ?? []);
  if (errors.length > 0) throw new ApiError('FORBIDDEN', { detail: forbidden(resource), errors });
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

const unreadable = (parameter: string, property: string): FieldError => ({
  parameter,
  detail: `you may not read ${property} on every row`,
});

const forbidden = ({ descriptor: { name } }: Resource): string =>
  `You may not filter, sort or search ${name} by what you may not read.`;
