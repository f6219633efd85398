import { isDeepStrictEqual } from 'node:util';
import { withArticle } from '../../descriptor/article.ts';
import type { Parameter } from '../../descriptor/document.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { furtherPaths, type PropertyType } from '../../descriptor/resource.ts';
import { oneOf } from '../findings/wording.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { enumValues, propertyType, typeName } from '../json-schema/property-type.ts';
import type { ObjectDraft, OperationDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { parameterSchema } from '../model/resources/list-parameters.ts';
import { isBounded, matches } from './patterns.ts';
import { atParameter, atProperty, atPropertyKeyword, atResponse } from './place.ts';
import { rule } from './rule.ts';
import { theResources } from './subjects.ts';

/** What an id may be. */
export const ID_TYPES: readonly PropertyType[] = ['uuid', 'string', 'integer', 'int64'];

/** Longer ids are refused by routers and by the indexes of databases. */
const MAX_LENGTH = 255;

/** The texts that no URL can end with: clients remove them before they send it (RFC 3986, 5.2.4). */
const UNREACHABLE = ['', '.', '..'];

const BOUNDS = ['pattern', 'minLength', 'maxLength', 'enum', 'minimum', 'maximum', 'const'];

export const idRules = [
  rule({
    id: 'resource-id',
    summary: "The path parameter of a resource's id has the type of the id.",
    advice: 'Give both the same `type` and `format`, preferably by a `$ref` to one schema.',
    each: ({ resources }) => resources.flatMap(namesOf),
    check({ resource, property, operation, parameter: name }, { document }) {
      const parameter = pathParameter(operation, name);
      const declared = parameter && parameterSchema(document, parameter);
      if (!declared || propertyType(declared) === property.type) return undefined;
      const held = property.name === 'id' ? 'id' : `\`${property.name}\``;
      return {
        message: `\`{${name}}\` is the ${held} of ${withArticle(`\`${resource.name}\``)}, which is ${typeName(property.flat)}, but is declared as ${typeName(declared)}.`,
        hint: `Write \`schema: { ${yamlOf(property.flat)} }\`.`,
        ...atParameter(parameter, 'schema'),
      };
    },
  }),
  rule({
    id: 'id-chosen',
    summary:
      'Every caller sends an id that the server cannot create, and no caller sends one that the database counts.',
    advice:
      'For a text, require `id` in the input or make it `type: string, format: uuid`. For an integer, require it in the input or remove it.',
    each: theResources,
    check(resource) {
      const { input, name, operations } = resource;
      const id = idOf(resource);
      // The database fills in the id of a table of others, or its columns are those of other properties.
      if (!operations.create || !input || id.type === 'uuid' || resource.mapped) return undefined;
      if (input.flat.required.has('id')) return undefined;
      const sent = input.properties.get('id');
      // An integer that some callers choose could be one that the database comes to later.
      if (id.type !== 'string')
        return (
          sent && {
            message: `\`${input.name}.id\` is an integer that callers may send or leave out.`,
            hint: `Remove \`id\` from \`${input.name}\`, so that the database counts, or require it, so that every caller chooses.`,
            ...atProperty(sent),
          }
        );
      return (
        !isSubject(resource) && {
          message: `\`${name}.id\` is a text, which the server does not make up, but \`${input.name}\` does not require it.`,
          hint: `Add \`id\` to the properties of \`${input.name}\` and to its \`required\`, or make it \`type: string, format: uuid\`.`,
          ...atProperty(sent ?? id),
        }
      );
    },
  }),
  rule({
    id: 'id-text',
    summary: 'A text used as an id fits in a path and in an index.',
    advice:
      'It is not empty, `.` or `..`, and has at most 255 characters. Give it a `pattern` such as `^[a-z0-9][a-z0-9-]{0,62}$`.',
    each: ({ resources }) => resources.flatMap(chosenNames),
    *check({ schema, property }) {
      if (property.type !== 'string') return;
      const name = `\`${schema.name}.${property.name}\``;
      const reachable = UNREACHABLE.filter((text) => accepts(property.flat, text));
      if (reachable.length > 0)
        yield {
          message: `${name} may be ${oneOf(reachable.map((text) => text || '(empty)'))}, which cannot end a path.`,
          hint: "Give it a `pattern` such as '^[a-z0-9][a-z0-9-]{0,62}$'.",
          ...atPropertyKeyword(property, 'pattern'),
        };
      const maximum = Number(property.flat.keywords.get('maxLength')?.value ?? 0);
      if (!isBounded(property.flat) || maximum > MAX_LENGTH)
        yield {
          message: `${name} may be longer than ${MAX_LENGTH} characters.`,
          hint: `Add \`maxLength\`, ${MAX_LENGTH} at most.`,
          ...atPropertyKeyword(property, 'maxLength'),
        };
    },
  }),
  rule({
    id: 'id-of-path',
    summary: 'A `PUT` that creates uses the id in its path, which the database cannot count.',
    advice:
      'Remove its response `201`, or give the path parameter the bounds of the id, preferably by a `$ref` to one schema.',
    each: theResources,
    *check(resource, { document }) {
      const { operations, keyProperty = 'id', schema, input, idParameter, name } = resource;
      const { replace } = operations;
      const id = schema.properties.get(keyProperty);
      // An input that requires the id holds it against the resource itself.
      if (!replace || !id || !createsByPut(resource) || input?.flat.required.has(id.name)) return;
      const parameter = pathParameter(replace, idParameter);
      const declared = parameter && parameterSchema(document, parameter);
      const differing = declared && BOUNDS.find((bound) => !isSame(declared, id.flat, bound));
      if (parameter && differing !== undefined)
        yield {
          message: `\`${replace.operationId}\` creates with the ${id.name} of its path, but \`${differing}\` of \`{${idParameter}}\` is not that of \`${name}.${id.name}\`.`,
          hint: 'Refer to one schema in both.',
          ...atParameter(parameter, 'schema'),
        };
      if (id.name === 'id' && (id.type === 'integer' || id.type === 'int64'))
        yield {
          message: `\`${replace.operationId}\` declares 201, but the database counts the ids of \`${name}\`.`,
          hint: `Remove the response \`'201'\`, or require \`id\` in \`${input?.name ?? `${name}Input`}\`, so that callers choose.`,
          ...atResponse(replace, 201),
        };
    },
  }),
];

export const idOf = ({ schema }: ResourceDraft): PropertyDraft => lookUp(schema.properties, 'id');

/** A property that a path parameter holds, which names one. */
interface Name {
  readonly resource: ResourceDraft;
  readonly property: PropertyDraft;
  readonly operation: OperationDraft;
  readonly parameter: string;
}

/** What one is named by in paths: its id or its key, and the keys of its further paths. */
export function namesOf(resource: ResourceDraft): readonly Name[] {
  const { schema, keyProperty = 'id', operations, idParameter } = resource;
  const names = [
    { name: keyProperty, operation: operations.get, parameter: idParameter },
    ...furtherPaths(resource).map(({ property, operation }) => ({ name: property, operation, parameter: property })),
  ];
  return names.flatMap(({ name, ...own }) => {
    const property = schema.properties.get(name);
    return property ? [{ resource, property, ...own }] : [];
  });
}

interface ChosenName {
  readonly schema: ObjectDraft;
  readonly property: PropertyDraft;
}

/** What says which ids and keys callers may choose: the input, or of `PUT` that does not take them there, the resource. */
function chosenNames(resource: ResourceDraft): readonly ChosenName[] {
  const { input, schema, keyProperty = 'id' } = resource;
  const names = new Set(['id', ...namesOf(resource).map(({ property }) => property.name)]);
  return [...names].flatMap((name) => {
    const sent = input?.properties.get(name);
    if (input && sent) return [{ schema: input, property: sent }];
    const made = createsByPut(resource) && name === keyProperty ? schema.properties.get(name) : undefined;
    return made ? [{ schema, property: made }] : [];
  });
}

const isSame = (a: FlatSchema, b: FlatSchema, keyword: string): boolean =>
  isDeepStrictEqual(a.keywords.get(keyword)?.value, b.keywords.get(keyword)?.value);

const createsByPut = ({ operations }: ResourceDraft): boolean =>
  operations.replace?.node.responses?.['201'] !== undefined;

/** `type: string, format: uuid`, as an author writes the type of a schema. */
export function yamlOf(schema: FlatSchema): string {
  const [type, format] = typeName(schema).split('/');
  return format === undefined ? `type: ${type}` : `type: ${type}, format: ${format}`;
}

/** Each row is its caller, without exception: the id is the `sub` of the token. */
function isSubject({ schema }: ResourceDraft): boolean {
  const owner = schema.flat.keywords.get('x-owner')?.value as { property?: string; scope?: string } | undefined;
  return owner?.property === 'id' && owner.scope === undefined;
}

function accepts(schema: FlatSchema, text: string): boolean {
  const keyword = (name: string): unknown => schema.keywords.get(name)?.value;
  const pattern = keyword('pattern');
  return (
    text.length >= Number(keyword('minLength') ?? 0) &&
    (enumValues(schema)?.includes(text) ?? true) &&
    (typeof pattern !== 'string' || matches(pattern, text))
  );
}

function pathParameter(operation: OperationDraft, name: string): Parameter | undefined {
  return operation.parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
}
