import type { NameCase } from '../../../descriptor/convention-names.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import { camelCase, parameterOf, pathSegments, snakeCase } from '../naming.ts';

/** A property that holds the id of a row of another resource, or of the same. */
export interface Reference {
  /** The resource that has the property. */
  readonly from: ResourceDraft;
  readonly property: PropertyDraft;
  readonly target: ResourceDraft;
}

/** All references of a contract whose targets are resources; a child refers to its parent. */
export function referencesOf(resources: readonly ResourceDraft[]): readonly Reference[] {
  return resources.flatMap((from) =>
    [...from.schema.properties.values()].flatMap((property) => {
      const target = targetOf(from, property, resources);
      return target ? [{ from, property, target }] : [];
    }),
  );
}

function targetOf(
  { parent }: ResourceDraft,
  property: PropertyDraft,
  resources: readonly ResourceDraft[],
): ResourceDraft | undefined {
  if (parent?.property === property.name && parent.resource) return parent.resource;
  const name = property.flat.keywords.get('x-references')?.value;
  return name === undefined ? undefined : resources.find((resource) => resource.name === name);
}

/** By what name a condition goes to the row that a property refers to: `clinicId` → `clinic`; none without that ending. */
export function referenceName({ nameCase }: Pick<ResourceDraft, 'nameCase'>, property: string): string | undefined {
  const ending = nameCase === 'snake_case' ? '_id' : 'Id';
  return property.length > ending.length && property.endsWith(ending) ? property.slice(0, -ending.length) : undefined;
}

/**
 * By what name a condition goes to the rows that refer to one: `x-inverse` of the reference; for children, the last segment
 * of their path.
 */
export function inverseName({ from, property }: Reference): string | undefined {
  const declared = property.flat.keywords.get('x-inverse')?.value;
  if (typeof declared === 'string') return declared;
  return from.parent?.property === property.name ? collectionName(from) : undefined;
}

/** `/clinics/{clinicId}/staff-members` → `staffMembers`, or `staff_members` in a contract in snake_case. */
function collectionName({ path, nameCase }: { readonly path: string; readonly nameCase: NameCase }): string {
  const segment = pathSegments(path).findLast((one) => parameterOf(one) === undefined) ?? '';
  return nameCase === 'snake_case' ? snakeCase(segment) : camelCase(segment);
}

/** What conditions on rows of a resource may name. */
export interface Relations {
  readonly references: ReadonlyMap<string, Reference>;
  readonly inverses: ReadonlyMap<string, Reference>;
}

/** The references of a resource, and the references to it, by the names that conditions have for them. */
export function relationsOf(resource: ResourceDraft, all: readonly Reference[]): Relations {
  const own = all.filter(({ from }) => from === resource);
  const others = all.filter(({ target }) => target === resource);
  return {
    references: named(own, ({ property }) => referenceName(resource, property.name)),
    inverses: named(others, inverseName),
  };
}

function named(references: readonly Reference[], nameOf: (one: Reference) => string | undefined) {
  return new Map(
    references.flatMap((one) => {
      const name = nameOf(one);
      return name === undefined ? [] : [[name, one] as const];
    }),
  );
}
