import { type GraphQLNamedType, getNamedType, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { draftOf, filteredOf, isDeliberate, listsOf, sortName } from '../../compiler/graphql/convention/index.ts';
import type { ObjectDraft, OperationDraft, ResourceDraft } from '../../compiler/model/index.ts';
import {
  countBoundOf,
  filterParameters,
  offeredValues,
  pageInfoOf,
  pagingParameter,
  parameterSchema,
} from '../../compiler/model/resources/index.ts';
import { parentOf } from '../../descriptor/levels.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OpenContract, OpenPair } from './open-contract.ts';
import { COUNT_BOUND, COUNT_PARAMETER } from './openapi-resource.ts';
import { addListParameter, addProperty, addSortValues, operandSchema, propertyFilter } from './parameter-objects.ts';
import { aboveOf, isResourceType, listField, mappedNames, shapeOf } from './resources-of-schema.ts';
import { conditionsOf } from './sync-conditions.ts';

/** Adds to the lists of a document the filters, operators and orders that the connections of its SDL have. */
export async function syncLists(contract: OpenPair): Promise<void> {
  const conditions: ReadonlySet<unknown> = conditionsOf(contract);
  for (const resource of contract.side.resources) {
    const draft = draftOf(contract.side, resource);
    const connection = draft.operations.list && connectionOf(contract, resource);
    const argument = (name: string): GraphQLNamedType | undefined => {
      const found = connection?.field.args.find((one) => one.name === name);
      return found && getNamedType(found.type);
    };
    // Those become properties of the parameter `filter`.
    const isPlain = !conditions.has(argument('filter'));
    if (!connection) continue;
    for (const list of isPlain ? filteredOf(draft) : []) await addFilters(contract, draft, list, argument('filter'));
    for (const list of listsOf(draft)) await addOrders(contract, resource, list, argument('sort'));
  }
}

function connectionOf({ schema, side }: OpenPair, resource: ResourceDescriptor): ReturnType<typeof listField> {
  const type = schema.getType(resource.name);
  const parent = parentOf(side.resources, resource);
  const above = parent && aboveOf(draftOf(side, parent));
  return isResourceType(schema, type, mappedNames(side)) ? listField(schema, type, above) : undefined;
}

/** A filter by what is not a property stays a finding. */
async function addFilters(
  contract: OpenPair,
  { schema }: ResourceDraft,
  list: OperationDraft,
  type: GraphQLNamedType | undefined,
): Promise<void> {
  const { source, writer } = contract;
  for (const field of isInputObjectType(type) ? Object.values(type.getFields()) : []) {
    const property = schema.properties.get(field.name);
    if (!property || isDeliberate(contract.schema, field)) continue;
    const known = filterParameters(list, schema).find(({ name }) => name === field.name);
    const shape = shapeOf(field);
    if (!known) await addListParameter(contract, list, propertyFilter(property, shape));
    if (!known || typeof shape === 'string') continue;
    const { properties } = parameterSchema(source.document, known);
    const holder = [...properties.values()].at(-1)?.holder;
    for (const operator of shape)
      if (holder && !properties.has(operator))
        await writer.addEntry(source.locate(holder), operator, operandSchema(property, operator));
  }
}

async function addOrders(
  contract: OpenPair,
  { properties }: ResourceDescriptor,
  list: OperationDraft,
  type: GraphQLNamedType | undefined,
): Promise<void> {
  const { schema, source } = contract;
  if (!isEnumType(type)) return;
  const sort = pagingParameter(list, 'sort');
  const known = sort ? offeredValues(source.document, sort) : [];
  const wanted = new Set(type.getValues().flatMap((value) => (isDeliberate(schema, value) ? [] : value.name)));
  const values = properties
    .flatMap(({ name }) => [name, `-${name}`])
    .filter((value) => wanted.has(sortName(value)) && !known.includes(value));
  if (values.length > 0) await addSortValues(contract, list, values);
}

/** Adds to the pages of a document the counts that the connections of its SDL have, and whether those are exact. */
export async function syncCounts(contract: OpenPair): Promise<void> {
  // Pages may share an object.
  const done = new Set<object>();
  for (const draft of contract.side.draft.resources) {
    const connection = contract.schema.getType(`${draft.name}Connection`);
    const fields = isObjectType(connection) ? connection.getFields() : {};
    const info = draft.page && pageInfoOf(contract.source.document, draft.page);
    if (!info || !draft.operations.list || !fields['totalCount']) continue;
    for (const list of listsOf(draft))
      if (!pagingParameter(list, 'count')) await addListParameter(contract, list, COUNT_PARAMETER);
    const shared = [...info.properties.values()].at(-1)?.holder ?? info.flat.nodes.at(-1)!;
    if (!done.has(shared)) await addCount(contract, info, fields['totalCountIsExact'] !== undefined);
    done.add(shared);
  }
}

async function addCount(contract: OpenContract, info: ObjectDraft, isBounded: boolean): Promise<void> {
  const { source, writer } = contract;
  const total = info.properties.get('totalCount');
  const maximum = isBounded ? COUNT_BOUND : Number.MAX_SAFE_INTEGER;
  if (!total) await addProperty(contract, info.flat, 'totalCount', { type: 'integer', minimum: 0, maximum }, false);
  if (!isBounded || info.properties.has('totalCountIsExact')) return;
  if (total && countBoundOf(total) === undefined) {
    const written = total.flat.keywords.get('maximum');
    const node = written?.node ?? total.flat.nodes.at(-1)!;
    if (written) await writer.replaceNumber(source.locate(node), COUNT_BOUND, ['maximum']);
    else await writer.addEntry(source.locate(node), 'maximum', COUNT_BOUND);
  }
  await addProperty(contract, info.flat, 'totalCountIsExact', { type: 'boolean' }, false);
}
