import { type DocumentNode, type FieldDefinitionNode, Kind, type TypeNode } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';

/** What an SDL has, read from its syntax tree: it may not be a valid schema yet. */
export interface SdlFacts {
  /** Names of the types. */
  readonly defined: ReadonlySet<string>;
  /** The named type of each field, by coordinate: `Book.author` to `Author`. */
  readonly fields: ReadonlyMap<string, string>;
  /** The operations that `@operation` names, with the coordinates of the fields. */
  readonly operationIds: ReadonlyMap<string, string>;
  readonly roots: RootNames;
}

export function sdlFacts(document: DocumentNode | undefined): SdlFacts {
  const definitions = document?.definitions ?? [];
  const fields = definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION
      ? (node.fields ?? []).map((field) => ({ coordinate: `${node.name.value}.${field.name.value}`, field }))
      : [],
  );
  return {
    defined: new Set(
      definitions.flatMap((node) =>
        'name' in node && node.name && /Type.*Definition$/.test(node.kind) ? [node.name.value] : [],
      ),
    ),
    fields: new Map(fields.map(({ coordinate, field }) => [coordinate, namedType(field.type)])),
    operationIds: new Map(
      fields.flatMap(({ coordinate, field }) => operationsOf(field).map((id) => [id, coordinate] as const)),
    ),
    roots: rootNames(document),
  };
}

/** The fields of a resource's type that list another. */
export const connectionsTo = (
  { fields }: SdlFacts,
  { name: type }: ResourceDescriptor,
  { name }: ResourceDescriptor,
): readonly string[] =>
  [...fields].flatMap(([coordinate, named]) => {
    const [holder, field = ''] = coordinate.split('.');
    return holder === type && named === `${name}Connection` ? [field] : [];
  });

function operationsOf({ directives = [] }: FieldDefinitionNode): readonly string[] {
  const values = directives.filter(({ name }) => name.value === 'operation').flatMap((one) => one.arguments ?? []);
  return values.flatMap(({ value }) => (value.kind === Kind.STRING ? [value.value] : []));
}

function rootNames(document: DocumentNode | undefined): RootNames {
  const named = (document?.definitions ?? [])
    .filter((node) => node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION)
    .flatMap(({ operationTypes = [] }) => operationTypes.map(({ operation, type }) => [operation, type.name.value]));
  return { query: 'Query', mutation: 'Mutation', subscription: 'Subscription', ...Object.fromEntries(named) };
}

const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type));

/** The names of the root types of a schema. */
export interface RootNames {
  readonly query: string;
  readonly mutation: string;
  readonly subscription: string;
}
