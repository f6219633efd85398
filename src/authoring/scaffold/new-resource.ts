import { draftOf, wordsOf } from '../../compiler/graphql/convention/index.ts';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { upperFirst } from '../../compiler/model/index.ts';
import { withArticle } from '../../descriptor/article.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { MANAGED } from '../../descriptor/managed-properties.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OpenContract } from '../sync/open-contract.ts';
import { type Json, pageSchema, parentPropertyOf, type ResourceSketch } from '../sync/openapi-resource.ts';
import type { OpenApiWriter } from '../sync/openapi-writer.ts';
import { aboveOf } from '../sync/resources-of-schema.ts';
import { addPaths } from '../sync/sync-openapi.ts';
import { securityOf } from './access.ts';
import { type Addition, addTo, collectionOf, type Outcome, resourceNamed } from './addition.ts';
import type { Field } from './field.ts';
import { enumName, enumSchema, inputSchema, patchSchema, propertyName, propertySchema } from './field-schemas.ts';
import { ID_SCHEMAS, idSchemaOf, isSent, withTargets } from './id-schemas.ts';
import { listOf, sharedParameter } from './list-sketch.ts';
import { type Noun, nounBelow } from './noun.ts';
import type { IdKind } from './words/addition-kinds.ts';

/**
 * Adds a resource to both sides of a contract, below another if `parent` names its collection. Throws `ConfigError` for names that
 * are taken, and for collections that are not known.
 */
export const addResource = (contracts: string, noun: Noun, fields: readonly Field[], place?: Place): Promise<Outcome> =>
  addTo(contracts, resourceAddition(noun, fields, place));

/** Where a new resource stands, and what its ids are. */
export interface Place {
  /** The collection that it is below: `books`. */
  readonly parent?: string | undefined;
  /** UUIDs if left out. */
  readonly id?: IdKind | undefined;
}

/** Rows of immutable fields alone, such as what joins two resources, are only created and deleted. */
const isChangeable = (fields: readonly Field[]): boolean => fields.some(({ isImmutable }) => !isImmutable);

/** The addition of a resource with its six actions. */
export const resourceAddition =
  (word: Noun, given: readonly Field[], { parent, id = 'uuid' }: Place = {}): Addition =>
  async (contract) => {
    const { side } = contract;
    const above = parent === undefined ? undefined : resourceNamed(side, parent);
    const noun = above ? nounBelow(word, above.name) : word;
    const collection = above ? `${collectionOf(above)}/${noun.collection}` : noun.collection;
    const fields = withTargets(side, given, { collection, type: noun.type, id: ID_SCHEMAS[id] });
    const sketch = sketchOf(contract, noun, `${word.singular}Id`, fields, above, id);
    refuseTaken(contract, sketch);
    await addSchemas(contract, sketch, fields, above, id);
    await addPaths(contract.writer, sketch);
    await addTag(contract, sketch);
  };

function sketchOf(
  { side, writer }: OpenContract,
  noun: Noun,
  idParameter: string,
  fields: readonly Field[],
  parent: ResourceDescriptor | undefined,
  id: IdKind,
): ResourceSketch {
  const { type, singular, plural, collection } = noun;
  const { read, write } = securityOf(side.document, noun);
  const header = (name: string): readonly Json[] => [sharedParameter(writer, name) ?? []].flat();
  const change = { security: write, parameters: header('IfMatch') };
  return {
    type,
    singular,
    plural,
    path: `${parent ? `${parent.path}/{${parent.idParameter}}` : ''}/${collection}`,
    idParameter,
    parameters: {
      ...(parent && aboveOf(draftOf(side, parent)).parameters),
      ...(id !== 'uuid' && { [idParameter]: ID_SCHEMAS[id] }),
    },
    actions: {
      list: { security: read },
      create: { security: write, parameters: header('IdempotencyKey') },
      get: { security: read },
      ...(isChangeable(fields) && { replace: change, update: change }),
      delete: change,
    },
    list: listOf(type, fields, writer),
  };
}

/** Throws `ConfigError` when a name that the new resource needs is taken. */
function refuseTaken({ side: { draft, sdl }, writer }: OpenContract, { path, type }: ResourceSketch): void {
  if (draft.paths.some((one) => one.path === path)) throw new ConfigError([`${path} already exists.`]);
  const names = [type, `${type}Input`, `${type}Patch`, `${type}Page`];
  const taken = names.find((name) => writer.has('schemas', name) || sdl.defined.has(name));
  if (taken !== undefined) throw new ConfigError([`${taken} already exists.`]);
}

async function addSchemas(
  { side, writer }: OpenContract,
  sketch: ResourceSketch,
  fields: readonly Field[],
  parent: ResourceDescriptor | undefined,
  id: IdKind,
): Promise<void> {
  const { type, singular } = sketch;
  const words = wordsOf(singular);
  const changes = `Changes to ${withArticle(words)} (RFC 7396); properties left out keep their values.`;
  const enums = fields.flatMap((field) =>
    field.type.kind === 'enum' ? [[enumName(type, field), enumSchema(type, field, field.type.values)] as const] : [],
  );
  const maximum = await maximumOf(writer);
  const schemas: readonly (readonly [string, Json])[] = [
    [type, resourceSchema(side, writer, sketch, fields, parent, id)],
    [
      `${type}Input`,
      inputSchema(type, fields, `Input for ${withArticle(words)}.`, isSent(id) ? ID_SCHEMAS[id] : undefined),
    ],
    ...(isChangeable(fields) ? [[`${type}Patch`, patchSchema(type, fields, changes)] as const] : []),
    [`${type}Page`, pageSchema(sketch, maximum, writer.has('schemas', 'PageInfo'))],
    ...enums,
  ];
  const taken = enums.map(([name]) => name).find((name) => writer.has('schemas', name));
  if (taken !== undefined) throw new ConfigError([`${taken} already exists.`]);
  for (const [name, schema] of schemas) await writer.addComponent('schemas', name, schema);
}

/** The most that a page holds, as the parameter that lists share says. */
async function maximumOf(writer: OpenApiWriter): Promise<number> {
  const shared = (await writer.component('parameters', 'Limit')) as { schema?: { maximum?: number } } | undefined;
  return shared?.schema?.maximum ?? 100;
}

function resourceSchema(
  side: OpenContract['side'],
  writer: OpenApiWriter,
  { type, singular }: ResourceSketch,
  fields: readonly Field[],
  parent: ResourceDescriptor | undefined,
  id: IdKind,
): Json {
  const shared = (name: string, schema: Json): Json => (writer.has('schemas', name) ? schemaReference(name) : schema);
  const moment = shared('Timestamp', { type: 'string', format: 'date-time' });
  const own = fields.map((field): [string, Json] => [propertyName(field), propertySchema(type, field)]);
  const above = parent ? { [parentPropertyOf(aboveOf(draftOf(side, parent)))]: idSchemaOf(side, parent) } : {};
  return {
    description: `${upperFirst(withArticle(wordsOf(singular)))}.`,
    type: 'object',
    properties: {
      id: id === 'uuid' ? shared('Id', ID_SCHEMAS.uuid) : ID_SCHEMAS[id],
      version: shared('Version', { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      createdAt: moment,
      updatedAt: moment,
      ...above,
      ...Object.fromEntries(own),
    },
    required: [...MANAGED, ...Object.keys(above), ...fields.map(propertyName)],
  };
}

async function addTag({ files, writer }: OpenContract, sketch: ResourceSketch): Promise<void> {
  const entry = (await files.read(files.entry)) ?? '';
  if (!/^tags:/m.test(entry)) return;
  const tag = { name: upperFirst(sketch.plural), description: `Operations on ${wordsOf(sketch.plural)}.` };
  await writer.addItem({ file: files.entry, pointer: '/tags' }, tag);
}
