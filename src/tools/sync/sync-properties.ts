import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type ContractSide, draftOf } from '../../compiler/graphql/convention/contract-side.ts';
import { isDeliberate } from '../../compiler/graphql/convention/directives.ts';
import { REQUESTS } from '../../compiler/graphql/convention/fields.ts';
import { isLeftover } from '../../compiler/graphql/convention/schema-owner.ts';
import { schemaOfInput } from '../../compiler/graphql/fields/describe-inputs.ts';
import { flatSchema, namedSchemas } from '../../compiler/model/schemas.ts';
import { ACTIONS } from '../../descriptor/resource.ts';
import type { ContractFiles } from './contract-files.ts';
import { addProperty } from './list-parameters.ts';
import { operationObject } from './openapi-resource.ts';
import { OpenApiWriter } from './openapi-writer.ts';
import {
  aboveOf,
  fieldOf,
  isProperty,
  isResourceType,
  operationOf,
  referredBy,
  sketchOf,
} from './resources-of-schema.ts';
import { type AnyField, SchemaDeriver } from './schemas-of-types.ts';
import { conditionsOf } from './sync-conditions.ts';
import { syncCounts } from './sync-counts.ts';
import { syncLists } from './sync-lists.ts';
import { syncOperations } from './sync-operations.ts';
import { contractSide } from './sync-sdl.ts';

type Typed = GraphQLObjectType | GraphQLInputObjectType;

/**
 * Adds to the schemas that a contract has the properties that its SDL has, to its resources the actions, to its lists filters and
 * orders, and the custom operations. Resolves with sentences on what cannot be derived.
 */
export async function syncProperties(files: ContractFiles): Promise<readonly string[]> {
  const source = await files.source();
  const side = contractSide(source);
  if ('findings' in side || !side.schema) return [];
  const writer = new OpenApiWriter(files, source);
  const deriver = new SchemaDeriver((name) => writer.has('schemas', name));
  const conditions = conditionsOf(side);
  for (const type of Object.values(side.schema.getTypeMap())) {
    if (isInputObjectType(type) && conditions.has(type)) continue;
    if (isObjectType(type) && type.name !== 'PageInfo') await addProperties(side, writer, deriver, type, type.name);
    const input = isInputObjectType(type) && !type.isOneOf ? schemaOfInput(type.name, side.document) : undefined;
    if (input !== undefined) await addProperties(side, writer, deriver, type as Typed, input);
  }
  await addActions(side, writer);
  const spelled = { source: side.draft.source, writer };
  await syncLists(side, spelled);
  await syncCounts(side, spelled);
  const gaps = await syncOperations(side, spelled, deriver);
  for (const [name, value] of deriver.schemas) await writer.addComponent('schemas', name, value);
  return [...gaps, ...deriver.gaps];
}

async function addProperties(
  side: ContractSide,
  writer: OpenApiWriter,
  deriver: SchemaDeriver,
  type: Typed,
  schemaName: string,
): Promise<void> {
  const node = namedSchemas(side.document)[schemaName];
  if (typeof node !== 'object') return;
  const flat = flatSchema(side.document, node);
  const isPatch = side.resources.some(({ schemas }) => schemas.patch === schemaName);
  for (const field of Object.values(type.getFields())) {
    if (flat.properties.has(field.name) || !isOwn(side, type, field)) continue;
    if (!isObjectType(type) && isLeftover({ ...side, schema: side.schema! }, schemaName, field.name)) continue;
    const target = isObjectType(type) ? referredBy(side.schema!, type, field.name) : undefined;
    const value = {
      ...deriver.propertySchema(field, isNullableIn(side, type, field.name)),
      ...(target !== undefined && { 'x-references': target }),
    };
    for (const name of deriver.schemas.keys()) writer.plan('schemas', name);
    await addProperty(
      side.draft.source,
      writer,
      flat,
      field.name,
      value,
      !isPatch && (isObjectType(type) || isNonNullType(field.type)),
    );
  }
}

function isOwn({ schema }: ContractSide, type: Typed, field: AnyField): boolean {
  return !isObjectType(type) || isProperty(schema!, type, field.name);
}

/** A property of an input is nullable where that of the resource is. */
function isNullableIn({ schema }: ContractSide, type: Typed, name: string): boolean {
  const resource = schema!.getType(type.name.replace(/(?:Input|Patch)$/, ''));
  const field = isObjectType(resource) ? resource.getFields()[name] : undefined;
  return !field || !isNonNullType(field.type);
}

async function addActions(side: ContractSide, writer: OpenApiWriter): Promise<void> {
  // What lists are filtered by is described by their own parameters already.
  const described = new SchemaDeriver(() => true);
  for (const resource of side.resources) {
    const { schema, document, draft } = side;
    const type = schema!.getType(resource.name);
    const parent = side.resources.find(({ key }) => key === resource.parent?.resource);
    const above = parent && aboveOf(draftOf(side, parent));
    if (!isResourceType(schema!, type)) continue;
    const sketch = sketchOf(schema!, document, type, above, described);
    const { operations } = draftOf(side, resource);
    for (const action of ACTIONS) {
      const field = action === 'list' ? undefined : fieldOf(schema!, type, action);
      const item = (REQUESTS[action].ofCollection ? (operations.list ?? operations.create) : operations.get)?.item;
      if (!sketch || operations[action] || !field || !item || isDeliberate(schema!, field)) continue;
      const own = { ...sketch, actions: { [action]: operationOf(document, field) } };
      await writer.addEntry(draft.source.locate(item), REQUESTS[action].method, operationObject(own, action));
    }
  }
}
