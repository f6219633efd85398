import { ancestorParameters, type ContractSide, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { kebabCase, lowerFirst, parameterOf, pathSegments, REQUESTS, upperFirst } from '../../compiler/model/index.ts';
import { startWithArticle, withArticle } from '../../descriptor/article.ts';
import { ACTIONS, type Action, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { type OperationParts, operationObject } from './operation-object.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What the paths of a resource are written from. References are to `#/components`, wherever that is in the files. */
export interface ResourceSketch {
  /** The name of its schema: `Book`. */
  readonly type: string;
  /** That of its pages, where it is not `BookPage`. */
  readonly page?: string;
  /** Of the collection: `/books`, `/books/{bookId}/copies`. */
  readonly path: string;
  readonly idParameter: string;
  /** The property that it holds, where it is not the id. */
  readonly key?: string;
  /** The other properties by which one may be read. */
  readonly otherKeys?: readonly string[];
  /** The schemas of path parameters that are not UUIDs, and of the other keys, by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** In camelCase. */
  readonly singular: string;
  readonly plural: string;
  readonly actions: { readonly [A in Action]?: OperationSketch };
  readonly list?: ListSketch | undefined;
}

export interface OperationSketch {
  /** Security Requirement Objects; undefined for those of the document. */
  readonly security?: readonly Json[] | undefined;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /** Header parameters. */
  readonly parameters?: readonly Json[];
}

export interface ListSketch {
  /** Parameter Objects. */
  readonly filters: readonly Json[];
  /** Values of `sort`: `title`, `-title`. */
  readonly sorts: readonly string[];
  readonly defaultSort?: readonly string[];
  /** The parameters `count`, `limit` and `cursor`. */
  readonly paging: readonly Json[];
  /** Pages have the cursor of the one before. */
  readonly pagesBack?: boolean;
  /** All entries are counted, however many. */
  readonly countsAll?: boolean;
}

export const parameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** The path of one resource. */
export const itemPathOf = ({ path, idParameter }: ResourceSketch): string => `${path}/{${idParameter}}`;

/** The path by which one is read by another key: `/products/by-sku/{sku}`. */
const lookupPathOf = ({ path }: Pick<ResourceSketch, 'path'>, key: string): string =>
  `${path}/by-${kebabCase(key)}/{${key}}`;

/** The property of a sub-resource that holds the id of its parent. */
export const parentPropertyOf = ({ key, idParameter, type }: Pick<ResourceSketch, 'key' | 'idParameter' | 'type'>) =>
  key === undefined ? idParameter : `${lowerFirst(type)}Id`;

/** The names of the files of both paths, without folder and extension: `book-copies` and `book-copy`. */
function pathFiles({ path, singular }: ResourceSketch): readonly [collection: string, one: string] {
  const segments = pathSegments(path);
  const ancestors = segments.flatMap((segment) => parameterOf(segment) ?? []).map((name) => name.replace(/Id$/, ''));
  const above = ancestors.map(kebabCase);
  const below = (name: string): string =>
    name.startsWith(`${above.join('-')}-`)
      ? name
      : [...above.filter((ancestor) => !name.startsWith(`${ancestor}-`)), name].join('-');
  return [below(segments.at(-1)!), below(kebabCase(singular))];
}

/** The properties by which one may be read, besides the id. */
export const keysOf = ({ key, otherKeys = [] }: ResourceSketch): readonly string[] =>
  key === undefined ? otherKeys : [key, ...otherKeys];

/** A path of a resource: its Path Item Object, undefined without an operation, and the name of its file without folder and extension. */
interface SketchedPath {
  readonly path: string;
  readonly file: string;
  readonly item: Json | undefined;
}

/** The paths of the collection, of one resource, and of one by each other key. */
export function pathsOf(sketch: ResourceSketch): readonly SketchedPath[] {
  const [collection, one] = pathFiles(sketch);
  return [
    { path: sketch.path, file: collection, item: pathItem(sketch, true) },
    { path: itemPathOf(sketch), file: one, item: pathItem(sketch, false) },
    ...(sketch.otherKeys ?? []).map((key) => ({
      path: lookupPathOf(sketch, key),
      file: `${one}-by-${kebabCase(key)}`,
      item: lookupItem(sketch, key),
    })),
  ];
}

/** The Path Item Object of the collection, or of one resource; undefined without an operation. */
function pathItem(sketch: ResourceSketch, ofCollection: boolean): Json | undefined {
  const actions = ACTIONS.filter((action) => REQUESTS[action].ofCollection === ofCollection && sketch.actions[action]);
  if (actions.length === 0) return undefined;
  const parameters = ofCollection ? pathParameters(sketch) : pathParameters(sketch, sketch.idParameter);
  return {
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(actions.map((action) => [REQUESTS[action].method, operationOf(sketch, action)])),
  };
}

/** The Path Item Object by which one is read by another key. */
function lookupItem(sketch: ResourceSketch, key: string): Json {
  const get = operationOf(sketch, 'get');
  const one = wordsOf(sketch.singular);
  const words = { summary: `Get ${withArticle(one)} by its ${wordsOf(key)}` };
  return {
    parameters: pathParameters(sketch, key),
    get: { ...get, operationId: `get${sketch.type}By${upperFirst(key)}`, ...words },
  };
}

const inPath = (
  name: string,
  what: string,
  of: string,
  schema: unknown = { type: 'string', format: 'uuid' },
): Json => ({
  name,
  in: 'path',
  required: true,
  description: `${what} of the ${of}.`,
  schema,
});

/** The parameters of a path that ends with one; without a name, that of a collection. */
function pathParameters({ path, parameters, singular }: ResourceSketch, own?: string): readonly Json[] {
  const ancestors = pathSegments(path).flatMap((segment) => parameterOf(segment) ?? []);
  const parameter = (name: string, of: string): Json => {
    const schema = parameters[name];
    return inPath(name, /Id$/.test(name) || !schema ? 'Id' : upperFirst(wordsOf(name)), of, schema);
  };
  return [
    ...ancestors.map((name) => parameter(name, wordsOf(name.replace(/Id$/, '')))),
    ...(own === undefined ? [] : [parameter(own, wordsOf(singular))]),
  ];
}

/** The Operation Object of an action. */
export function operationOf(sketch: ResourceSketch, action: Action): Json {
  const { type, plural } = sketch;
  const { parameters = [], ...own } = sketch.actions[action]!;
  const [summary, description, answer] = wordsFor(sketch)[action];
  const { input, types, status, output } = REQUESTS[action];
  return operationObject({
    operationId: `${action}${action === 'list' ? upperFirst(plural) : type}`,
    tags: [upperFirst(plural)],
    summary,
    description: own.description ?? description,
    security: own.security,
    deprecated: own.deprecated,
    parameters: [...parameters, ...(action === 'list' ? listParameters(sketch.list!) : [])],
    body: input && { schema: schemaReference(type + input), types },
    answer: {
      status,
      description: answer,
      schema: output === undefined ? undefined : schemaReference(answered(sketch, output)),
    },
  });
}

const answered = (sketch: ResourceSketch, output: string): string =>
  output === 'Page' ? pageNameOf(sketch) : sketch.type + output;

/** The name of the schema of its pages. */
export const pageNameOf = ({ type, page = `${type}Page` }: Pick<ResourceSketch, 'type' | 'page'>): string => page;

type Words = readonly [summary: string, description: string, answer: string];

function wordsFor({ plural, singular }: ResourceSketch): Readonly<Record<Action, Words>> {
  const [many, one] = [wordsOf(plural), wordsOf(singular)];
  const [a, changed] = [withArticle(one), `The changed ${one}.`];
  const once = 'Repeating a request with the same `Idempotency-Key` does not create another.';
  return {
    list: [`List ${many}`, `All ${many} that the caller may see, in pages.`, `A page of ${many}.`],
    create: [`Create ${a}`, once, `The new ${one}.`],
    get: [`Get ${a}`, `${startWithArticle(one)} by id.`, `The ${one}.`],
    replace: [`Replace ${a}`, 'Optional properties that are left out are cleared.', changed],
    update: [`Update ${a}`, 'Changes the given properties; null clears a property (RFC 7396).', changed],
    delete: [`Delete ${a}`, 'A resource that others refer to may not be deleted.', `The ${one} was deleted.`],
  };
}

/** The parameters of a list, in their order. */
export function listParameters({ filters, sorts, defaultSort = [], paging }: ListSketch): readonly Json[] {
  return [...filters, ...(sorts.length > 0 ? [sortParameter(sorts, defaultSort)] : []), ...paging];
}

/** The number of properties that values of `sort` name. */
export const sortedProperties = (values: readonly string[]): number =>
  new Set(values.map((value) => value.replace(/^-/, ''))).size;

/** The parameter `sort` with these values. */
export function sortParameter(values: readonly string[], defaultSort: readonly string[] = []): Json {
  const byDefault = defaultSort.length === 0 ? ' By default by id, oldest first.' : '';
  return {
    name: 'sort',
    in: 'query',
    description: `Order of the entries, by one or more keys; \`-\` means descending.${byDefault}`,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: sortedProperties(values),
      uniqueItems: true,
      items: { type: 'string', enum: values },
      ...(defaultSort.length > 0 && { default: defaultSort }),
    },
  };
}

export const limitParameter = (defaultLimit = 20, maximum = 100): Json => ({
  name: 'limit',
  in: 'query',
  description: 'Maximum number of entries on a page.',
  schema: { type: 'integer', minimum: 1, maximum, default: defaultLimit },
});

export const CURSOR_PARAMETER: Json = {
  name: 'cursor',
  in: 'query',
  description: '`page.nextCursor` of the previous page.',
  schema: { type: 'string', minLength: 1, maxLength: 2048 },
};

export const COUNT_PARAMETER: Json = {
  name: 'count',
  in: 'query',
  description: 'Whether to count the entries that match, in `page.totalCount`.',
  schema: { type: 'boolean', default: false },
};

/** As many entries are counted in lists that are made here. */
export const COUNT_BOUND = 10_000;

/** The schema of a page; `pageInfo` is the name of a schema that the contract has for what is beside the data. */
export function pageSchema({ type, plural, list }: ResourceSketch, maximum: number, pageInfo: boolean): Json {
  const { pagesBack = false, countsAll = false } = list ?? {};
  const own = {
    type: 'object',
    properties: {
      nextCursor: { type: ['string', 'null'], maxLength: 2048 },
      ...(pagesBack && { previousCursor: { type: ['string', 'null'], maxLength: 2048 } }),
      totalCount: { type: 'integer', minimum: 0, maximum: countsAll ? Number.MAX_SAFE_INTEGER : COUNT_BOUND },
      ...(!countsAll && { totalCountIsExact: { type: 'boolean' } }),
    },
    required: ['nextCursor', ...(pagesBack ? ['previousCursor'] : [])],
  };
  return {
    description: `A page of ${wordsOf(plural)}.`,
    type: 'object',
    properties: {
      data: { type: 'array', maxItems: maximum, items: schemaReference(type) },
      page: pageInfo ? schemaReference('PageInfo') : own,
    },
    required: ['data', 'page'],
  };
}

/** What custom operations answer. */
export const DONE: OperationParts['answer'] = { status: 204, description: 'Done.' };
export const resultOf = (schema: Json): OperationParts['answer'] => ({
  status: 200,
  description: 'The result.',
  schema,
});

/** A path parameter of a new path, of the type that it has on the paths of the resource whose id it is. */
export function pathParameter({ draft }: Pick<ContractSide, 'draft'>, name: string): Json {
  const known = draft.resources.find(({ idParameter }) => idParameter === name)?.operations.get;
  const declared = known?.parameters.find((one) => one.in === 'path' && one.name === name);
  return inPath(name, 'Id', wordsOf(name.replace(/Id$/, '')), declared?.schema);
}

/** The names of the parameters in the path of one. */
export const pathNames = (resource: ResourceDescriptor): readonly string[] => [
  ...ancestorParameters(resource),
  resource.idParameter,
];
