import {
  type DirectiveNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  visit,
} from 'graphql';
import { type ContractSource, pathShape, securitySchemes } from '../../compiler/model/index.ts';
import type { ContractFiles } from './contract-files.ts';
import { schemaWithout } from './coordinates.ts';
import {
  itemPathOf,
  type Json,
  keysOf,
  pageNameOf,
  pageSchema,
  parentPropertyOf,
  pathsOf,
  type ResourceSketch,
} from './openapi-resource.ts';
import { OpenApiWriter } from './openapi-writer.ts';
import {
  type Above,
  aboveOf,
  ancestorsOf,
  isProperty,
  referredBy,
  resourceTypes,
  sketchOf,
} from './resources-of-schema.ts';
import { SchemaDeriver } from './schemas-of-types.ts';
import { syncConditions } from './sync-conditions.ts';
import { syncJoins } from './sync-joins.ts';
import { syncProperties } from './sync-properties.ts';

const EMPTY_DOCUMENT = `openapi: 3.1.0
info:
  title: API
  version: 1.0.0
servers:
  - url: /v1
paths: {}
`;

/** What an SDL does not say of a resource. */
const UNSAID =
  'lengths, patterns and bounds, `x-unique`, `x-immutable`, `x-column`, `x-owner`, `x-access`, `x-inverse`, `x-transitions`, `x-on-delete`, `x-reference-hidden`';

/**
 * Adds to the OpenAPI document of a contract the resources that its SDL has and it lacks, the properties of those that it has, and the lists
 * of what other resources join. `removed`: coordinates of what the document has lost on purpose. Resolves with sentences on what cannot be derived.
 */
export async function syncOpenapi(
  files: ContractFiles,
  removed?: ReadonlySet<string>,
): Promise<{ readonly gaps: readonly string[] }> {
  const { sdl } = await files.source();
  if (!sdl?.schema) return { gaps: [] };
  if (!files.has(files.entry)) await files.write(files.entry, EMPTY_DOCUMENT);
  const source = await files.source();
  if (source.findings.some(({ severity }) => severity === 'error')) return { gaps: [] };
  const gaps = await addResources(files, source, removed ? schemaWithout(sdl.document, removed) : sdl.schema);
  const others = await syncProperties(files, removed);
  await syncConditions(files, removed);
  return { gaps: [...gaps, ...others, ...(await syncJoins(files, removed))] };
}

async function addResources(
  files: ContractFiles,
  source: ContractSource,
  schema: GraphQLSchema,
): Promise<readonly string[]> {
  const { document } = source;
  const writer = new OpenApiWriter(files, source);
  const { paths, resources } = writer.view.draft;
  const known: Above[] = resources.map(aboveOf);
  const deriver = new SchemaDeriver((name) => writer.has('schemas', name));
  const types = resourceTypes(schema)
    .filter((type) => !known.some((one) => one.type === type.name))
    .sort((a, b) => ancestorsOf(schema, a).length - ancestorsOf(schema, b).length);
  const gaps: string[] = [];
  for (const type of types) {
    const parameter = ancestorsOf(schema, type).at(-1);
    const parent = known.find(({ idParameter }) => idParameter === parameter);
    const derived = sketchOf(schema, document, type, parent, deriver);
    // A type of the SDL may have the usual name of pages.
    const page = ['Page', 'List', 'Listing'].map((end) => type.name + end).find((one) => !schema.getType(one));
    const sketch = derived && page !== undefined ? { ...derived, page } : derived;
    if (!sketch || (parameter !== undefined && !parent)) {
      gaps.push(`where \`${type.name}\` is served: none of its lists has a path.`);
      continue;
    }
    const taken = [sketch.path, itemPathOf(sketch)].find((path) =>
      paths.some((one) => pathShape(one.path) === pathShape(path)),
    );
    if (taken !== undefined) {
      gaps.push(
        `the missing parts of \`${type.name}\` in the document: \`${taken}\` exists, but is not a path of this resource.`,
      );
      continue;
    }
    known.push(sketch);
    const isNew = !writer.has('schemas', type.name);
    await addSchemas(writer, deriver, schema, type, sketch, parent && parentPropertyOf(parent));
    await addPaths(writer, sketch);
    if (isNew) gaps.push(`the facts of \`${type.name}\` that SDL cannot express: ${UNSAID}.`);
  }
  for (const [name, value] of deriver.schemas) await writer.addComponent('schemas', name, value);
  if (types.length > 0) await addBearer(files, writer, source);
  return [...gaps, ...deriver.gaps];
}

async function addSchemas(
  writer: OpenApiWriter,
  deriver: SchemaDeriver,
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  sketch: ResourceSketch,
  parentProperty: string | undefined,
): Promise<void> {
  const { name } = type;
  const keys = keysOf(sketch);
  const keyOf = (field: string, extensions: Json): Json =>
    keys.includes(field) ? { ...sketch.parameters[field], ...extensions } : {};
  const own = deriver.objectSchema(type, {
    isProperty: (field) => isProperty(schema, type, field),
    extension: (field) => ({ ...referenceOf(schema, type, field, parentProperty), ...keyOf(field, IS_KEY) }),
  });
  await writer.addComponent('schemas', name, { ...described(type), ...own });
  for (const input of [schema.getType(`${name}Input`), schema.getType(`${name}Patch`)].filter(isInputObjectType)) {
    const value = deriver.objectSchema(input, {
      isNullable: (field) => !isNonNullType(type.getFields()[field]?.type),
      extension: (field) => keyOf(field, {}),
    });
    await writer.addComponent('schemas', input.name, { ...described(input), ...value });
  }
  const page = pageSchema(sketch, maximumOf(sketch), writer.has('schemas', 'PageInfo'));
  await writer.addComponent('schemas', pageNameOf(sketch), page);
}

/** What a property that names one in a path must be. */
const IS_KEY: Json = { 'x-unique': true, 'x-immutable': true };

const described = ({ description }: { readonly description?: string | null | undefined }): Json =>
  description == null ? {} : { description };

const maximumOf = ({ list }: ResourceSketch): number => {
  const limit = list!.paging.find(({ name }) => name === 'limit') as { readonly schema: { readonly maximum: number } };
  return limit.schema.maximum;
};

/** What a property has that refers to another resource. */
function referenceOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
  parentProperty: string | undefined,
): Json {
  const target = referredBy(schema, type, name);
  if (target === undefined) return {};
  const onDelete = isNonNullType(type.getFields()[name]?.type) ? 'restrict' : 'set-null';
  return { 'x-references': target, 'x-on-delete': name === parentProperty ? 'cascade' : onDelete };
}

/** Adds the paths of a resource. */
export async function addPaths(writer: OpenApiWriter, sketch: ResourceSketch): Promise<void> {
  for (const { path, file, item } of pathsOf(sketch)) if (item) await writer.addPath(path, file, item);
}

/** A document whose operations ask for tokens declares the scheme of them. */
async function addBearer(
  files: ContractFiles,
  writer: OpenApiWriter,
  { document, sdl }: ContractSource,
): Promise<void> {
  let usesAuth = false;
  const note = ({ name }: DirectiveNode): void => {
    if (name.value === 'auth') usesAuth = true;
  };
  if (sdl) visit(sdl.document, { Directive: note });
  if (!usesAuth || Object.keys(securitySchemes(document)).length > 0) return;
  const scheme = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
  await writer.addEntry({ file: files.entry, pointer: '/components/securitySchemes' }, 'bearer', scheme);
}
