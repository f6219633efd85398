import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Finding } from '../findings/finding.ts';
import type { GraphqlView } from '../graphql-names/graphql-view.ts';
import type { ParityRow } from '../model/parity-row.ts';

/**
 * Tells which rows of parity are judged beside errors of the SDL, so that one cause gives one error: those of resources
 * without an error, of which none refers to one with an error or is referred to by one. Undefined where there are none, as
 * where an error is about no resource.
 */
export function unaffectedBy(
  errors: readonly Finding[],
  { resources }: GraphqlView,
  { fields }: GraphqlDescriptor,
): ((row: ParityRow) => boolean) | undefined {
  if (errors.length === 0) return () => true;
  const touched = errors.map(({ location }) => keysAt(location.pointer, resources, fields));
  if (touched.some(({ length }) => length === 0)) return undefined;
  const faulty = new Set(touched.flat());
  const near = new Set([...faulty, ...resources.filter(({ key }) => faulty.has(key)).flatMap(referredTo)]);
  const left = resources.filter((one) => !near.has(one.key) && !referredTo(one).some((key) => faulty.has(key)));
  const keys = new Set(left.map(({ key }) => key));
  return keys.size > 0 ? ({ resource }) => keys.has(resource) : undefined;
}

/** The keys of the resources that an SDL coordinate is about: that of its type, and that of what its field leads to. */
function keysAt(
  pointer: string,
  resources: readonly ResourceDescriptor[],
  fields: GraphqlDescriptor['fields'],
): readonly string[] {
  const [coordinate = '', type] = /^(\w+)(?:\.\w+)?/.exec(pointer) ?? [];
  const field = fields[coordinate];
  const owners = resources.filter(({ schemas }) => Object.values(schemas).includes(type!)).map(({ key }) => key);
  return field && 'resource' in field ? [...owners, field.resource] : owners;
}

const referredTo = ({ parent, properties, throughs = [] }: ResourceDescriptor): readonly string[] => [
  ...(parent ? [parent.resource] : []),
  ...properties.flatMap(({ references }) => (references ? [references.resource] : [])),
  ...throughs.flatMap(({ below, join }) => [below, join]),
];
