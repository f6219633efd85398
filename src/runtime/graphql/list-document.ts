import { admitsAnonymous } from '../../descriptor/access.ts';
import { type FieldDescriptor, type GraphqlDescriptor, partsOfCoordinate } from '../../descriptor/graphql.ts';
import { type ResourceDescriptor, resourceWithKey } from '../../descriptor/resource.ts';

const MAX_FIELDS = 3;

/** A query that can be run as it is, on one line. */
export interface ListDocument {
  readonly resource: ResourceDescriptor;
  readonly text: string;
}

/** A query for the first page of each list that needs no argument; those that anyone may see come first. */
export function listDocuments(
  resources: readonly ResourceDescriptor[],
  graphql: GraphqlDescriptor,
): readonly ListDocument[] {
  const named = Object.entries(graphql.fields).filter(([, { kind }]) => kind === 'property');
  const documents = Object.entries(graphql.fields).flatMap(([coordinate, field]) => {
    if (field.kind !== 'list' || Object.keys(field.params).length > 0) return [];
    const resource = resourceWithKey(resources, field.resource);
    return [{ resource, text: textOf(partsOfCoordinate(coordinate).field, resource, graphql, named) }];
  });
  return documents.sort((a, b) => Number(isPublic(b.resource)) - Number(isPublic(a.resource)));
}

const isPublic = ({ actions }: ResourceDescriptor): boolean =>
  actions.list !== undefined && admitsAnonymous(actions.list.access);

function textOf(
  field: string,
  { key, properties }: ResourceDescriptor,
  graphql: GraphqlDescriptor,
  named: NamedFields,
): string {
  const type = Object.keys(graphql.types).find((one) => graphql.types[one] === key);
  const names = properties
    .filter(({ name, type, origin }) => name !== 'id' && origin === 'input' && type !== 'json')
    .slice(0, MAX_FIELDS)
    .map(({ name }) => fieldOf(named, type, name));
  return `{ ${field}(first: 2) { nodes { ${['id', ...names].join(' ')} } } }`;
}

/** Fields that have another name than their properties. */
type NamedFields = readonly (readonly [coordinate: string, field: FieldDescriptor])[];

/** The field of a type that stands for a property. */
function fieldOf(named: NamedFields, type: string | undefined, property: string): string {
  const found = named.find(
    ([coordinate, field]) =>
      field.kind === 'property' && field.property === property && coordinate.startsWith(`${type}.`),
  );
  return found?.[0].split('.')[1] ?? property;
}
