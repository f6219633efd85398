import { snakeCase, upperFirst } from '../../compiler/model/naming.ts';
import { type Field, SCALARS } from './field.ts';
import type { Noun } from './noun.ts';
import { enumName, propertyName, sortKeys, wordsOf } from './openapi-files.ts';
import { authDirectives, type Project } from './project.ts';
import { scopesOf } from './scopes.ts';

const BUILT_IN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

/** The SDL file of a resource, including definitions that it needs and the schema lacks. */
export function graphqlFile(noun: Noun, fields: readonly Field[], project: Project): string {
  const { type, plural, singular } = noun;
  const [read, write] = accessOf(noun, project);
  const filters = fields.flatMap((field) => filterOf(noun, field));
  const filter = filters.length > 0 ? `    "Only entries that match all of these."\n    filter: ${type}Filter\n` : '';
  const parts = [
    ...needed(fields, project),
    block(`type ${type}`, `A ${wordsOf(singular)}.`, [
      ...MANAGED,
      ...fields.flatMap((field) => outputOf(noun, field, project)),
    ]),
    block(
      `input ${type}Input`,
      `Input for a ${wordsOf(singular)}.`,
      fields.map((field) => `${propertyName(field)}: ${typeOf(noun, field)}${field.isRequired ? '!' : ''}`),
    ),
    block(
      `input ${type}Patch`,
      `Changes to a ${wordsOf(singular)}; properties left out keep their values.`,
      fields.filter(({ isImmutable }) => !isImmutable).map((field) => `${propertyName(field)}: ${typeOf(noun, field)}`),
    ),
    block(`type ${type}Connection`, `A page of ${wordsOf(plural)}.`, [
      `edges: [${type}Edge!]!`,
      `nodes: [${type}!]!`,
      'pageInfo: PageInfo!',
      'totalCount: Int!',
    ]),
    block(`type ${type}Edge`, `A ${wordsOf(singular)} in a page.`, ['cursor: String!', `node: ${type}!`]),
    ...fields.flatMap((field) =>
      field.type.kind === 'enum'
        ? [
            block(
              `enum ${enumName(noun, field)}`,
              `The ${wordsOf(field.name)} of a ${wordsOf(singular)}.`,
              field.type.values,
            ),
          ]
        : [],
    ),
    ...(filters.length > 0 ? [block(`input ${type}Filter`, `Selects the ${wordsOf(plural)} in a list.`, filters)] : []),
    block(
      `enum ${type}Sort`,
      `The order of ${wordsOf(plural)}.`,
      sortKeys(fields).flatMap((key) => ['ASC', 'DESC'].map((way) => `${snakeCase(key).toUpperCase()}_${way}`)),
    ),
    `${root(project, 'Query')} {
  "All ${wordsOf(plural)} that the caller may see."
  ${plural}(
    "Maximum number of entries on the page, from 1 to 100."
    first: Int = 20
    "The page begins after this cursor."
    after: String
${filter}    "Order of the entries; by default by id, oldest first."
    sort: [${type}Sort!]
  ): ${type}Connection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["edges", "nodes"])${read}
  "A ${wordsOf(singular)} by id; null, with an error, when the caller may see none with this id."
  ${singular}(id: ID!): ${type}${read}
}`,
    `${root(project, 'Mutation')} {
  "Creates a ${wordsOf(singular)}."
  create${type}(input: ${type}Input!): ${type}!${write}
  "Replaces a ${wordsOf(singular)}; properties left out are cleared."
  replace${type}(id: ID!, input: ${type}Input!, ifVersion: Int): ${type}!${write}
  "Changes the given properties; null clears a property."
  update${type}(id: ID!, input: ${type}Patch!, ifVersion: Int): ${type}!${write}
  "Deletes a ${wordsOf(singular)} and returns its id."
  delete${type}(id: ID!, ifVersion: Int): ID!${write}
}`,
    `${root(project, 'Subscription')} {
  "Each ${wordsOf(singular)} that is created."
  ${singular}Created: ${type}!${read}
  "Each ${wordsOf(singular)} that is changed, with its new values."
  ${singular}Updated(id: ID): ${type}!${read}
  "The id of each ${wordsOf(singular)} that is deleted."
  ${singular}Deleted(id: ID): ID!${read}
}`,
    ...missingRoots(project),
  ];
  return `${parts.join('\n\n')}\n`;
}

const MANAGED = ['id: ID!', 'version: Int!', 'createdAt: DateTime!', 'updatedAt: DateTime!'];

const block = (head: string, description: string, lines: readonly string[]): string =>
  `"${description}"\n${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}`;

/** The directives for reading and for writing. */
function accessOf(noun: Noun, { bearer }: Project): readonly [read: string, write: string] {
  if (!bearer) return ['', ''];
  const { read, write } = scopesOf(noun);
  const of = (scope: string): string => ` @auth(scopes: [${bearer.hasScopes ? JSON.stringify(scope) : ''}])`;
  return [of(read), of(write)];
}

function typeOf(noun: Noun, field: Field): string {
  const { type } = field;
  if (type.kind === 'enum') return enumName(noun, field);
  return type.kind === 'ref' ? 'ID' : SCALARS[type.kind].graphql;
}

function outputOf(noun: Noun, field: Field, project: Project): readonly string[] {
  const { type, name, isRequired } = field;
  const own = `${propertyName(field)}: ${typeOf(noun, field)}${isRequired ? '!' : ''}`;
  if (type.kind !== 'ref') return [own];
  const target = project.resource(type.collection);
  const access = target.actions.get?.access;
  return access && project.defines(target.name) ? [own, `${name}: ${target.name}${authDirectives(access)}`] : [own];
}

function filterOf(noun: Noun, field: Field): readonly string[] {
  const { kind } = field.type;
  if (kind === 'enum') return [`${field.name}: [${enumName(noun, field)}!]`];
  return kind === 'ref' || kind === 'boolean' ? [`${propertyName(field)}: ${typeOf(noun, field)}`] : [];
}

const root = (project: Project, type: string): string =>
  project.defines(type) ? `extend type ${type}` : `type ${type}`;

function missingRoots(project: Project): readonly string[] {
  const missing = (['query', 'mutation', 'subscription'] as const).filter((operation) => !project.hasRoot(operation));
  if (missing.length === 0) return [];
  const lines = missing.map((operation) => `  ${operation}: ${upperFirst(operation)}\n`);
  return [`extend schema {\n${lines.join('')}}`];
}

/** The scalars and `PageInfo`, as far as the schema lacks them. */
function needed(fields: readonly Field[], project: Project): readonly string[] {
  const kinds = fields.map(({ type }) => type.kind);
  const scalars = kinds.flatMap((kind) => (kind === 'enum' || kind === 'ref' ? [] : [SCALARS[kind].graphql as string]));
  const missing = [...new Set(['DateTime', ...scalars])]
    .filter((name) => !BUILT_IN.has(name) && !project.defines(name))
    .sort();
  return [
    ...missing.map((name) => `scalar ${name}`),
    ...(project.defines('PageInfo')
      ? []
      : [
          block('type PageInfo', 'The position of a page in its list.', [
            'hasNextPage: Boolean!',
            'hasPreviousPage: Boolean!',
            'startCursor: String',
            'endCursor: String',
          ]),
        ]),
  ];
}
