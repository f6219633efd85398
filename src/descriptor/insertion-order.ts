import type { PropertyDescriptor, ResourceDescriptor } from './resource.ts';

/** Rows of a resource, in the turn in which they can be inserted. */
export interface InsertionTurn {
  readonly resource: ResourceDescriptor;
  /** The properties that refer to rows that are inserted with these or after them, and are set at the end. */
  readonly later: readonly string[];
}

/**
 * The order in which rows of all resources can be inserted, if references are checked at once. `left`: resources whose rows
 * require each other, so that none can be first.
 */
export function insertionOrder(resources: readonly ResourceDescriptor[]): {
  readonly turns: readonly InsertionTurn[];
  readonly left: readonly ResourceDescriptor[];
} {
  const turns: InsertionTurn[] = [];
  const left = new Map(resources.map((resource) => [resource.key, resource]));
  const leftIn = (resource: ResourceDescriptor, isAsked: (property: PropertyDescriptor) => boolean): string[] =>
    resource.properties
      .filter((property) => isAsked(property) && left.has(targetOf(resource, property) ?? ''))
      .map(({ name }) => name);
  for (;;) {
    const ready = [...left.values()].filter((one) => leftIn(one, isRequired).length === 0);
    const next = ready.find((one) => leftIn(one, () => true).length === 0) ?? ready[0];
    if (!next) return { turns, left: circleIn([...left.values()]) };
    turns.push({ resource: next, later: leftIn(next, () => true) });
    left.delete(next.key);
  }
}

/** The resources that others of them require. */
function circleIn(resources: readonly ResourceDescriptor[]): readonly ResourceDescriptor[] {
  const required = resources.flatMap((one) =>
    one.properties.filter(isRequired).map((property) => targetOf(one, property)),
  );
  const needed = resources.filter(({ key }) => required.includes(key));
  return needed.length === resources.length ? needed : circleIn(needed);
}

const isRequired = ({ required, nullable }: PropertyDescriptor): boolean => required && !nullable;

const targetOf = ({ parent }: ResourceDescriptor, { name, references }: PropertyDescriptor): string | undefined =>
  name === parent?.property ? parent.resource : references?.resource;
