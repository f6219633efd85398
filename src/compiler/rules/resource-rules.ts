import { allOf, oneOf } from '../findings/wording.ts';
import { typeName, valueTypes } from '../json-schema/property-type.ts';
import { schemaNameOf } from '../json-schema/references.ts';
import type { ContractDraft, ObjectDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { namingOf } from '../model/name-case.ts';
import { camelCase, lowerFirst, snakeCase } from '../model/naming.ts';
import { columnOf, inlineObjectDraft, isHash, managedProperties } from '../model/resources/index.ts';
import { jsonContent } from '../model/responses.ts';
import { schemaNamed } from '../model/schemas.ts';
import { ID_TYPES } from './id-rules.ts';
import { atKeyword, atOperation, atParameter, atProperty, atPropertyKeyword, atRequired } from './place.ts';
import { resourceFit } from './resource-fit.ts';
import { type Fault, rule } from './rule.ts';
import { propertiesWith, theDraft, theResources } from './subjects.ts';

export const resourceRules = [
  rule({
    id: 'resource-managed',
    summary: 'A resource has a named schema with all four managed properties, and `GET /collection/{id}`.',
    advice:
      'Add `id`, `version`, `createdAt` and `updatedAt` to a schema in `components.schemas`. Without all of these, each operation needs a handler.',
    each: theDraft,
    *check(draft) {
      yield* nearMisses(draft);
      yield* listsOfNone(draft);
    },
  }),
  resourceFit,
  rule({
    id: 'resource-schema-once',
    summary: 'Each collection has its own schema.',
    advice: 'References and inputs use the name of the schema.',
    each: ({ resources }) => Map.groupBy(resources, ({ name }) => name).values(),
    check: ([first, ...others]) =>
      others.map(({ name, path, operations }) => ({
        message: `\`${name}\` is the schema of two collections, \`${first?.path}\` and \`${path}\`.`,
        hint: `Give \`${path}\` its own schema, or remove \`GET ${path}/{id}\` and filter \`${first?.path}\` instead.`,
        ...atOperation(operations.get),
      })),
  }),
  rule({
    id: 'name-duplicate',
    summary: 'Resources and properties keep different names in code and in the database.',
    advice:
      'Otherwise they would share a table or a column. Rename one of the two, or store it elsewhere with `x-table` or `x-column`. Columns of managed properties keep their names.',
    each: ({ resources }) => resources.entries(),
    *check([index, resource], { resources }) {
      const { key, table, path, operations, schema } = resource;
      const isSame = (one: ResourceDraft) => one.key === key || one.table.toLowerCase() === table.toLowerCase();
      const other = resources.slice(0, index).find(isSame);
      if (other)
        yield {
          message: `\`${path}\` and \`${other.path}\` would both be ${other.key === key ? `named \`${key}\` in handlers` : `stored in the table \`${other.table}\``}.`,
          hint: 'Rename one of the collections.',
          ...(schema.flat.keywords.has('x-table') && other.key !== key
            ? atKeyword(schema.flat, 'x-table')
            : atOperation(operations.get)),
        };
      yield* columnDuplicates(resource);
    },
  }),
  rule({
    id: 'managed-property',
    summary: 'The managed properties are required and have the types of the values that the server sets.',
    advice:
      '`id` is `string/uuid`, `string`, `integer` or `string/int64`, `version` is `integer` (of a mapped table also `string`), `createdAt` and `updatedAt` are `string/date-time`.',
    each: theDraft,
    *check({ resources }) {
      // A fault of a schema that several share is reported once.
      const checked = new Set<object>();
      for (const resource of resources) {
        const managed = managedOf(resource);
        yield* managed.filter(({ holder }) => !checked.has(holder)).flatMap((one) => wrongType(resource, one));
        for (const { holder } of managed) checked.add(holder);
        yield* notRequired(resource.schema, managed);
      }
    },
  }),
  rule({
    id: 'property-type',
    summary: 'Properties can be stored and returned unchanged.',
    advice:
      'Write 64-bit integers as `string` with `format: int64`. Accept secrets in a custom operation instead of a `writeOnly` property.',
    each: propertiesWith(),
    *check({ resource: { schema }, property }) {
      const name = `\`${schema.name}.${property.name}\``;
      const keyword = (word: string) => property.flat.keywords.get(word)?.value;
      if (keyword('format') === 'int64' && valueTypes(property.flat).includes('integer'))
        yield {
          message: `${name} is a 64-bit integer, which JSON parsers round beyond 2^53.`,
          hint: 'Represent it as a string: `type: string, format: int64`.',
          ...atPropertyKeyword(property, 'format'),
        };
      if (keyword('writeOnly') === true)
        yield {
          message: `${name} is write-only, but all properties of a resource are returned.`,
          hint: 'Remove `writeOnly`, or accept the value in a custom operation.',
          ...atPropertyKeyword(property, 'writeOnly'),
        };
    },
  }),
  rule({
    id: 'property-inherited',
    summary: 'Properties and parameters do not have names that every JavaScript object has.',
    advice: 'Such names are `constructor`, `toString` and `valueOf`. Write `constructorName`.',
    each: namesOfValues,
    check({ name, isInSchema, ...place }, { document }) {
      const isSnake = namingOf(document).case === 'snake_case';
      const isLost = isInherited(name) || (isInSchema && isSnake && isInherited(lowerFirst(camelCase(name))));
      return (
        isLost && {
          message: `\`${name}\` is a member of every JavaScript object, so an omitted value cannot be detected.`,
          hint: `Write a name of two words, such as \`${isSnake ? `${name}_name` : `${name.replace(/\W|_/g, '')}Name`}\`.`,
          ...place,
        }
      );
    },
  }),
  rule({
    id: 'required-known',
    summary: '`required` names properties that exist.',
    advice: 'Add the property, or remove its name.',
    each: theResources,
    *check({ schema, input, patch }) {
      for (const one of [schema, input, patch])
        for (const name of one?.flat.required.keys() ?? [])
          if (one && !one.properties.has(name))
            yield {
              message: `\`required\` of \`${one.name}\` lists \`${name}\`, which is not one of its properties.`,
              hint: `Remove \`${name}\` or declare it under \`properties\`.`,
              ...atRequired(one, name),
            };
    },
  }),
];

/** Schemas with some of the managed properties, or without a name, that are most likely meant to be resources. */
function* nearMisses({ document, nearMisses: found }: ContractDraft): Iterable<Fault> {
  const managed = allOf(managedProperties(namingOf(document).case));
  for (const { get, fault, name, node, missing, severity } of found)
    yield fault === 'managed'
      ? {
          severity,
          message: `\`${name}\` has no ${oneOf(missing)}, so \`${get.path}\` is not a resource and all its operations need handlers.`,
          hint: `Add ${allOf(missing)} to its properties and to \`required\`; a resource has ${managed}. To serve it as it is, write \`x-resource: false\` on it.`,
          node,
          key: 'properties',
        }
      : {
          severity,
          message: `\`GET ${get.path}\` returns an inline schema, so it is not a resource and all its operations need handlers.`,
          hint: 'Move the schema to `components.schemas` under the name of the resource and refer to it here.',
          node,
        };
}

/** Collections without `GET /collection/{id}`. */
function* listsOfNone({ document, operations, resources }: ContractDraft): Iterable<Fault> {
  const managed = managedProperties(namingOf(document).case);
  const names = new Set(resources.map(({ name }) => name));
  for (const operation of operations) {
    const page = jsonContent(operation.method === 'get' ? operation.responses.get('200') : undefined)?.schema;
    const name = schemaNameOf(page)?.replace(/Page$/, '');
    if (name === undefined || names.has(name) || schemaNameOf(page) === name) continue;
    const schema = inlineObjectDraft(document, name, schemaNamed(document, name) ?? false);
    if (!managed.every((property) => schema?.properties.has(property))) continue;
    yield {
      severity: 'warning',
      message: `\`${operation.path}\` lists \`${name}\`, but no operation gets one, so it is not a resource and its operations need handlers.`,
      hint: `Declare \`GET ${operation.path}/{id}\` with \`${name}\` as its 200 response.`,
      ...atOperation(operation),
    };
  }
}

/** https://www.postgresql.org/docs/current/ddl-system-columns.html */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']);

/** Names of columns that differ in case alone are one on SQLite. */
function* columnDuplicates({ name, schema, nameCase, mapped }: ResourceDraft): Iterable<Fault> {
  if (mapped) return;
  const managed = managedProperties(nameCase);
  const byColumn = Map.groupBy(schema.properties.values(), (property) => columnOf(property).toLowerCase());
  for (const found of byColumn.values()) {
    // Whichever names its column is the one to change.
    const [first, ...others] = found.toSorted((a, b) => Number(isNamed(a)) - Number(isNamed(b)));
    if (!first) continue;
    for (const property of others)
      yield {
        message: `\`${name}.${property.name}\` and \`${name}.${first.name}\` would both be stored in the column \`${columnOf(first)}\`.`,
        hint: isNamed(property)
          ? 'Name another column, or remove `x-column`.'
          : 'Rename one of them, or name another column by `x-column`.',
        ...atPropertyKeyword(property, 'x-column'),
        also: atPropertyKeyword(first, 'x-column'),
      };
  }
  for (const property of schema.properties.values())
    if (SYSTEM_COLUMNS.has(columnOf(property).toLowerCase()))
      yield {
        message: `\`${name}.${property.name}\` would be stored in the column \`${columnOf(property)}\`, which each table of Postgres has.`,
        hint: 'Name another column by `x-column`.',
        ...atPropertyKeyword(property, 'x-column'),
      };
  for (const property of schema.properties.values())
    if (isNamed(property) && managed.includes(property.name))
      yield {
        message: `\`${name}.${property.name}\` is managed, and always stored in the column \`${snakeCase(property.name)}\`.`,
        hint: 'Remove `x-column`.',
        ...atPropertyKeyword(property, 'x-column'),
        also: atProperty(property),
      };
}

const isNamed = ({ flat }: PropertyDraft): boolean => flat.keywords.has('x-column');

const managedOf = ({ schema, nameCase }: ResourceDraft): readonly PropertyDraft[] =>
  managedProperties(nameCase).flatMap((name) => schema.properties.get(name) ?? []);

function wrongType({ schema, mapped }: ResourceDraft, property: PropertyDraft): readonly Fault[] {
  const { name, type, flat } = property;
  if (mapped && isHash(property) && !flat.nullable) return [];
  const wanted = name === 'version' ? 'integer' : 'string/date-time';
  const isRight =
    name === 'id' ? ID_TYPES.includes(type) : typeName(flat).replace('integer/int32', 'integer') === wanted;
  if (isRight && !flat.nullable) return [];
  const [yamlType, format] = wanted.split('/');
  const [because, hint] =
    name === 'id'
      ? ['which cannot be an id.', ID_HINT]
      : [`but the server sets it to ${wanted}.`, `Write \`type: ${yamlType}${format ? `, format: ${format}` : ''}\`.`];
  const message = `\`${schema.name}.${name}\` is ${flat.nullable ? 'nullable ' : ''}${typeName(flat)}, ${because}`;
  return [{ message, hint, ...atPropertyKeyword(property, 'type') }];
}

const ID_HINT =
  'Write `type: string, format: uuid` for ids that the server makes, `type: integer` for ids that the database counts, or `type: string` for ids that callers send.';

function* notRequired({ name, flat }: ObjectDraft, managed: readonly PropertyDraft[]): Iterable<Fault> {
  const missing = allOf(managed.filter(({ required }) => !required).map((one) => one.name));
  if (managed.some(({ required }) => !required))
    yield {
      message: `\`${name}\` always has ${missing}, but \`required\` does not list it.`,
      hint: `Add ${missing} to \`required\` of \`${name}\`.`,
      ...atKeyword(flat, 'required'),
    };
}

/** Every object of JavaScript has a member of this name already. */
const isInherited = (name: string): boolean => name in {};

/** The names of properties in any schema, and of parameters. */
function* namesOfValues({ schemas, operations }: ContractDraft) {
  for (const { properties } of schemas)
    for (const name of Object.keys(Object(properties)))
      yield { name, isInSchema: true, node: Object(properties) as object, key: name };
  for (const parameter of new Set(operations.flatMap(({ parameters }) => parameters)))
    yield { name: parameter.name, isInSchema: false, ...atParameter(parameter) };
}
