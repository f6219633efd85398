import { stringify } from 'yaml';
import { kebabCase, upperFirst } from '../../compiler/model/naming.ts';
import { type Field, SCALARS } from './field.ts';
import type { Noun } from './noun.ts';
import type { Project } from './project.ts';
import { scopesOf } from './scopes.ts';

type Json = Readonly<Record<string, unknown>>;

const MANAGED = ['id', 'version', 'createdAt', 'updatedAt'];
const PATCH_TYPES = ['application/merge-patch+json', 'application/json'];

/** The OpenAPI files of a resource, by their paths in the contract folder. */
export function openapiFiles(noun: Noun, fields: readonly Field[], project: Project): ReadonlyMap<string, string> {
  const files: readonly (readonly [string, Json])[] = [
    [`paths/${noun.collection}.yaml`, collectionPath(noun, fields, project)],
    [`paths/${itemFileOf(noun)}`, itemPath(noun, project)],
    [`schemas/${noun.type}.yaml`, resourceSchema(noun, fields, project)],
    [`schemas/${noun.type}Input.yaml`, inputSchema(noun, fields)],
    [`schemas/${noun.type}Patch.yaml`, patchSchema(noun, fields)],
    [`schemas/${noun.type}Page.yaml`, pageSchema(noun, project)],
    ...fields.flatMap((field) =>
      field.type.kind === 'enum'
        ? [[`schemas/${enumName(noun, field)}.yaml`, enumSchema(noun, field, field.type.values)] as const]
        : [],
    ),
  ];
  return new Map(
    files.map(([path, value]) => [path, stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })]),
  );
}

/** The name of a field's enum: `BookStatus`. */
export const enumName = ({ type }: Noun, { name }: Field): string => type + upperFirst(name);

/** The name of a field's property; a reference holds an id. */
export const propertyName = ({ name, type }: Field): string => (type.kind === 'ref' ? `${name}Id` : name);

/** The file of the path that ends with the id. */
export const itemFileOf = ({ singular }: Noun): string => `${kebabCase(singular)}.yaml`;

const ref = (path: string): Json => ({ $ref: path });
const json = (schema: Json): Json => ({ 'application/json': { schema } });

function collectionPath(noun: Noun, fields: readonly Field[], project: Project): Json {
  const { type, plural, singular } = noun;
  const { read, write } = securityOf(noun, project);
  const upper = upperFirst(plural);
  const key = sharedParameter(project, 'IdempotencyKey');
  return {
    get: {
      operationId: `list${upper}`,
      tags: [upper],
      summary: `List ${wordsOf(plural)}`,
      description: `All ${wordsOf(plural)} that the caller may see, in pages.`,
      ...read,
      parameters: [
        ...fields.flatMap((field) => filterOf(noun, field)),
        sortParameter(fields),
        ...['Count', 'Limit', 'Cursor'].map((name) => sharedParameter(project, name) ?? OWN_PARAMETERS[name]!),
      ],
      responses: {
        200: { description: `A page of ${wordsOf(plural)}.`, content: json(ref(`../schemas/${type}Page.yaml`)) },
      },
    },
    post: {
      operationId: `create${type}`,
      tags: [upper],
      summary: `Create a ${wordsOf(singular)}`,
      description: 'Repeating a request with the same `Idempotency-Key` does not create another.',
      ...write,
      ...(key && { parameters: [key] }),
      requestBody: { required: true, content: json(ref(`../schemas/${type}Input.yaml`)) },
      responses: {
        201: { description: `The new ${wordsOf(singular)}.`, content: json(ref(`../schemas/${type}.yaml`)) },
      },
    },
  };
}

function itemPath(noun: Noun, project: Project): Json {
  const { type, singular, plural } = noun;
  const { read, write } = securityOf(noun, project);
  const upper = upperFirst(plural);
  const answer = (description: string) => ({ 200: { description, content: json(ref(`../schemas/${type}.yaml`)) } });
  const match = sharedParameter(project, 'IfMatch');
  const change = { tags: [upper], ...write, ...(match && { parameters: [match] }) };
  const patch = Object.fromEntries(
    PATCH_TYPES.map((media) => [media, { schema: ref(`../schemas/${type}Patch.yaml`) }]),
  );
  return {
    parameters: [
      {
        name: `${singular}Id`,
        in: 'path',
        required: true,
        description: `Id of the ${wordsOf(singular)}.`,
        schema: { type: 'string', format: 'uuid' },
      },
    ],
    get: {
      operationId: `get${type}`,
      tags: [upper],
      summary: `Get a ${wordsOf(singular)}`,
      description: `A ${wordsOf(singular)} by id.`,
      ...read,
      responses: answer(`The ${wordsOf(singular)}.`),
    },
    put: {
      operationId: `replace${type}`,
      summary: `Replace a ${wordsOf(singular)}`,
      description: 'Optional properties that are left out are cleared.',
      ...change,
      requestBody: { required: true, content: json(ref(`../schemas/${type}Input.yaml`)) },
      responses: answer(`The changed ${wordsOf(singular)}.`),
    },
    patch: {
      operationId: `update${type}`,
      summary: `Update a ${wordsOf(singular)}`,
      description: 'Changes the given properties; null clears a property (RFC 7396).',
      ...change,
      requestBody: { required: true, content: patch },
      responses: answer(`The changed ${wordsOf(singular)}.`),
    },
    delete: {
      operationId: `delete${type}`,
      summary: `Delete a ${wordsOf(singular)}`,
      description: 'A resource that others refer to may not be deleted.',
      ...change,
      responses: { 204: { description: `The ${wordsOf(singular)} was deleted.` } },
    },
  };
}

function securityOf(noun: Noun, project: Project): { readonly read: Json; readonly write: Json } {
  const { bearer } = project;
  if (!bearer) return { read: {}, write: {} };
  const of = (scopes: readonly string[]): Json => ({ security: [{ [bearer.name]: bearer.hasScopes ? scopes : [] }] });
  const { read, write } = scopesOf(noun);
  return { read: of([read]), write: of([write]) };
}

const sharedParameter = (project: Project, name: string): Json | undefined =>
  project.has(`parameters/${name}.yaml`) ? ref(`../parameters/${name}.yaml`) : undefined;

const OWN_PARAMETERS: Readonly<Record<string, Json>> = {
  Count: {
    name: 'count',
    in: 'query',
    description: 'Whether to count all matching entries, in `page.totalCount`.',
    schema: { type: 'boolean', default: false },
  },
  Limit: {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of entries on a page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: '`page.nextCursor` of the previous page.',
    schema: { type: 'string', minLength: 1, maxLength: 2048 },
  },
};

/**
 * Lists are most often filtered by enums, references and booleans. There is no filter for the rest, because each takes
 * an index.
 */
function filterOf(noun: Noun, field: Field): readonly Json[] {
  const name = propertyName(field);
  const { kind } = field.type;
  if (kind === 'enum') {
    const items = ref(`../schemas/${enumName(noun, field)}.yaml`);
    const schema = { type: 'array', minItems: 1, maxItems: field.type.values.length, items };
    return [
      {
        name,
        in: 'query',
        description: 'Only entries with one of these values.',
        style: 'form',
        explode: false,
        schema,
      },
    ];
  }
  if (kind === 'ref')
    return [
      {
        name,
        in: 'query',
        description: 'Only entries that refer to this resource.',
        schema: { type: 'string', format: 'uuid' },
      },
    ];
  return kind === 'boolean'
    ? [{ name, in: 'query', description: 'Only entries with this value.', schema: { type: 'boolean' } }]
    : [];
}

/** The sort keys of a list: the first required string, and the time of creation. */
export function sortKeys(fields: readonly Field[]): readonly string[] {
  const text = fields.find(({ type, isRequired }) => type.kind === 'string' && isRequired);
  return [...(text ? [text.name] : []), 'createdAt'];
}

function sortParameter(fields: readonly Field[]): Json {
  const values = sortKeys(fields).flatMap((key) => [key, `-${key}`]);
  return {
    name: 'sort',
    in: 'query',
    description: 'Order of the entries, by one or more keys; `-` means descending. By default by id, oldest first.',
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: values.length / 2,
      uniqueItems: true,
      items: { type: 'string', enum: values },
    },
  };
}

/** The schema of a value, which is nullable unless it is required. */
function valueSchema(noun: Noun, field: Field): Json {
  const { type, isRequired } = field;
  if (type.kind === 'enum') {
    const named = ref(`./${enumName(noun, field)}.yaml`);
    return isRequired ? named : { oneOf: [named, { type: 'null' }] };
  }
  const schema: Json = type.kind === 'ref' ? { type: 'string', format: 'uuid' } : SCALARS[type.kind].schema;
  return isRequired ? schema : { ...schema, type: [schema['type'], 'null'] };
}

function resourceSchema(noun: Noun, fields: readonly Field[], project: Project): Json {
  const shared = (name: string, schema: Json): Json =>
    project.has(`schemas/${name}.yaml`) ? ref(`./${name}.yaml`) : schema;
  const moment = shared('Timestamp', { type: 'string', format: 'date-time' });
  const extended = fields.map((field): [string, Json] => [
    propertyName(field),
    {
      ...valueSchema(noun, field),
      ...(field.type.kind === 'ref' && {
        'x-references': project.resource(field.type.collection).name,
        'x-on-delete': field.isRequired ? 'restrict' : 'set-null',
      }),
      ...(field.isUnique && { 'x-unique': true }),
      ...(field.isImmutable && { 'x-immutable': true }),
    },
  ]);
  return {
    description: `A ${wordsOf(noun.singular)}.`,
    type: 'object',
    properties: {
      id: shared('Id', { type: 'string', format: 'uuid' }),
      version: shared('Version', { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      createdAt: moment,
      updatedAt: moment,
      ...Object.fromEntries(extended),
    },
    required: [...MANAGED, ...fields.map(propertyName)],
  };
}

const propertiesOf = (noun: Noun, fields: readonly Field[]): Json =>
  Object.fromEntries(fields.map((field) => [propertyName(field), valueSchema(noun, field)]));

function inputSchema(noun: Noun, fields: readonly Field[]): Json {
  const required = fields.filter(({ isRequired }) => isRequired).map(propertyName);
  return {
    description: `Input for a ${wordsOf(noun.singular)}.`,
    type: 'object',
    properties: propertiesOf(noun, fields),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function patchSchema(noun: Noun, fields: readonly Field[]): Json {
  return {
    description: `Changes to a ${wordsOf(noun.singular)} (RFC 7396); properties left out keep their values.`,
    type: 'object',
    properties: propertiesOf(
      noun,
      fields.filter(({ isImmutable }) => !isImmutable),
    ),
    additionalProperties: false,
  };
}

function pageSchema({ type, plural }: Noun, project: Project): Json {
  const own = {
    type: 'object',
    properties: {
      nextCursor: { type: ['string', 'null'], maxLength: 2048 },
      totalCount: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    },
    required: ['nextCursor'],
  };
  return {
    description: `A page of ${wordsOf(plural)}.`,
    type: 'object',
    properties: {
      data: { type: 'array', maxItems: 100, items: ref(`./${type}.yaml`) },
      page: project.has('schemas/PageInfo.yaml') ? ref('./PageInfo.yaml') : own,
    },
    required: ['data', 'page'],
  };
}

function enumSchema(noun: Noun, { name }: Field, values: readonly string[]): Json {
  return { description: `The ${wordsOf(name)} of a ${wordsOf(noun.singular)}.`, type: 'string', enum: values };
}

/** `lineItem` → `line item`. */
export const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
