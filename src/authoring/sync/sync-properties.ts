import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import {
  draftOf,
  inlineObject,
  isDeliberate,
  isLeftover,
  schemaOfInput,
  unpairedTypes,
} from '../../compiler/graphql/convention/index.ts';
import type { FlatSchema } from '../../compiler/json-schema/index.ts';
import { flatSchema, REQUESTS, schemaNamed } from '../../compiler/model/index.ts';
import { parentOf } from '../../descriptor/levels.ts';
import { ACTIONS } from '../../descriptor/resource.ts';
import type { ContractFiles } from './contract-files.ts';
import { type OpenPair, openPair } from './open-contract.ts';
import { operationOf } from './openapi-resource.ts';
import { addProperty } from './parameter-objects.ts';
import {
  aboveOf,
  actionOf,
  fieldOf,
  isProperty,
  isResourceType,
  mappedNames,
  referredBy,
  sketchOf,
} from './resources-of-schema.ts';
import { SchemaDeriver } from './schemas-of-types.ts';
import { conditionsOf } from './sync-conditions.ts';
import { syncCounts, syncLists } from './sync-lists.ts';
import { syncOperations } from './sync-operations.ts';

type Typed = GraphQLObjectType | GraphQLInputObjectType;

/**
 * Adds to the schemas that a contract has the properties that its SDL has, to its resources the actions, to its lists filters and
 * orders, and the custom operations. Resolves with sentences on what cannot be derived.
 */
export async function syncProperties(files: ContractFiles, removed?: ReadonlySet<string>): Promise<readonly string[]> {
  const contract = await openPair(files, removed);
  if (!contract) return [];
  const { schema, side, writer } = contract;
  const deriver = new SchemaDeriver((name) => writer.has('schemas', name));
  const conditions = conditionsOf(contract);
  const unpaired = unpairedTypes(side);
  for (const type of Object.values(schema.getTypeMap())) {
    if (unpaired.has(type.name) || (isInputObjectType(type) && conditions.has(type))) continue;
    const isInput = isInputObjectType(type) && !type.isOneOf;
    if (!isInput && (!isObjectType(type) || type.name === 'PageInfo')) continue;
    const name = isInput ? schemaOfInput(type.name, side.document) : type.name;
    const node = schemaNamed(side.document, name ?? '');
    if (typeof node === 'object') await addProperties(contract, deriver, type, flatSchema(side.document, node), name);
  }
  await addActions(contract);
  await syncLists(contract);
  await syncCounts(contract);
  const gaps = await syncOperations(contract, deriver);
  for (const [name, value] of deriver.schemas) await writer.addComponent('schemas', name, value);
  return [...gaps, ...deriver.gaps];
}

/** Properties whose schemas have no names are looked into. */
async function addProperties(
  contract: OpenPair,
  deriver: SchemaDeriver,
  type: Typed,
  flat: FlatSchema,
  schemaName = '',
): Promise<void> {
  const { schema, side } = contract;
  const mapped = mappedNames(side);
  const isPatch = side.resources.some(({ schemas }) => schemas.patch === schemaName);
  for (const field of Object.values(type.getFields())) {
    const { name } = field;
    const known = flat.properties.get(name);
    const inline = known && inlineObject(side.document, known.schemas);
    const inner = getNamedType(field.type);
    if (inline && (isObjectType(inner) || isInputObjectType(inner)))
      await addProperties(contract, deriver, inner, inline);
    const isOwn = isObjectType(type)
      ? isProperty(schema, type, name, mapped)
      : !isLeftover({ ...side, schema }, schemaName, name);
    if (known || !isOwn) continue;
    const target = isObjectType(type) ? referredBy(schema, type, name, mapped) : undefined;
    const value = {
      ...deriver.propertySchema(field, isNullableIn(schema, type, name)),
      ...(target !== undefined && { 'x-references': target }),
    };
    const isRequired = !isPatch && (isObjectType(type) || isNonNullType(field.type));
    await addProperty(contract, flat, name, value, isRequired);
  }
}

/** A property of an input is nullable where that of the resource is. */
function isNullableIn(schema: GraphQLSchema, type: Typed, name: string): boolean {
  const resource = schema.getType(type.name.replace(/(?:Input|Patch)$/, ''));
  const field = isObjectType(resource) ? resource.getFields()[name] : undefined;
  return !field || !isNonNullType(field.type);
}

async function addActions({ schema, side, source, writer }: OpenPair): Promise<void> {
  // What lists are filtered by is described by their own parameters already.
  const described = new SchemaDeriver(() => true);
  for (const resource of side.resources) {
    const type = schema.getType(resource.name);
    const parent = parentOf(side.resources, resource);
    const above = parent && aboveOf(draftOf(side, parent));
    if (!isResourceType(schema, type, mappedNames(side))) continue;
    const sketch = sketchOf(schema, side.document, type, above, described);
    const { operations } = draftOf(side, resource);
    for (const action of ACTIONS) {
      const field = action === 'list' ? undefined : fieldOf(schema, type, action);
      const item = (REQUESTS[action].ofCollection ? (operations.list ?? operations.create) : operations.get)?.item;
      if (!sketch || operations[action] || !field || !item || isDeliberate(schema, field)) continue;
      const own = { ...sketch, actions: { [action]: actionOf(side.document, field) } };
      await writer.addEntry(source.locate(item), REQUESTS[action].method, operationOf(own, action));
    }
  }
}
