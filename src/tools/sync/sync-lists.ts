import {
  type GraphQLInputField,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type ContractSide, draftOf, listsOf, parentOf } from '../../compiler/graphql/convention/contract-side.ts';
import { isDeliberate } from '../../compiler/graphql/convention/directives.ts';
import { sortName } from '../../compiler/graphql/fields/names.ts';
import type { OperationDraft, PropertyDraft } from '../../compiler/model/draft.ts';
import {
  filterParameters,
  pagingParameter,
  parameterSchema,
  sortValues,
} from '../../compiler/model/resources/list-parameters.ts';
import type { Parameter } from '../../descriptor/document.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { type FilterShape, filterParameter, operandSchema } from './filter-parameters.ts';
import { addListParameter, addSortValues, type OpenDocument } from './list-parameters.ts';
import { aboveOf, isResourceType, listField } from './resources-of-schema.ts';
import { conditionsOf } from './sync-conditions.ts';

/** Adds to the lists of a document the filters, operators and orders that the connections of its SDL have. */
export async function syncLists(side: ContractSide, document: OpenDocument): Promise<void> {
  const conditions: ReadonlySet<unknown> = conditionsOf(side);
  for (const resource of side.resources) {
    const draft = draftOf(side, resource);
    const { list } = draft.operations;
    const connection = list && connectionOf(side, resource);
    if (!list || !connection) continue;
    const argument = (name: string): GraphQLNamedType | undefined => {
      const found = connection.field.args.find((one) => one.name === name);
      return found && getNamedType(found.type);
    };
    // Those become properties of the parameter `filter`.
    const isPlain = !conditions.has(argument('filter'));
    for (const one of listsOf(draft)) {
      if (isPlain) await addFilters(side, document, resource, one, argument('filter'));
      await addOrders(side, document, resource, one, argument('sort'));
    }
  }
}

function connectionOf(side: ContractSide, resource: ResourceDescriptor): ReturnType<typeof listField> {
  const type = side.schema!.getType(resource.name);
  const parent = parentOf(side, resource);
  const above = parent && aboveOf(draftOf(side, parent));
  return isResourceType(side.schema!, type) ? listField(side.schema!, type, above) : undefined;
}

/** A filter by what is not a property stays a finding. */
async function addFilters(
  side: ContractSide,
  document: OpenDocument,
  resource: ResourceDescriptor,
  list: OperationDraft,
  type: GraphQLNamedType | undefined,
): Promise<void> {
  const { properties } = draftOf(side, resource).schema;
  for (const field of isInputObjectType(type) ? Object.values(type.getFields()) : []) {
    const property = properties.get(field.name);
    if (!property || isDeliberate(side.schema!, field)) continue;
    const known = filterParameters(list, draftOf(side, resource).schema).find(({ name }) => name === field.name);
    const shape = shapeOf(field);
    if (!known) await addListParameter(document, list, filterParameter(property, shape));
    else if (typeof shape !== 'string') await addOperators(side, document, property, known, shape);
  }
}

function shapeOf({ type }: GraphQLInputField): FilterShape {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return 'in';
  return isInputObjectType(inner) ? Object.keys(inner.getFields()) : 'equal';
}

async function addOperators(
  side: ContractSide,
  { source, writer }: OpenDocument,
  property: PropertyDraft,
  parameter: Parameter,
  operators: readonly string[],
): Promise<void> {
  const { properties } = parameterSchema(side.document, parameter);
  const holder = [...properties.values()].at(-1)?.holder;
  if (!holder) return;
  for (const operator of operators)
    if (!properties.has(operator))
      await writer.addEntry(source.locate(holder), operator, operandSchema(property, operator));
}

async function addOrders(
  side: ContractSide,
  document: OpenDocument,
  { properties }: ResourceDescriptor,
  list: OperationDraft,
  type: GraphQLNamedType | undefined,
): Promise<void> {
  if (!isEnumType(type)) return;
  const sort = pagingParameter(list, 'sort');
  const known = sort ? sortValues(side.document, sort) : [];
  const wanted = new Set(type.getValues().flatMap((value) => (isDeliberate(side.schema!, value) ? [] : value.name)));
  const values = properties
    .flatMap(({ name }) => [name, `-${name}`])
    .filter((value) => wanted.has(sortName(value)) && !known.includes(value));
  if (values.length > 0) await addSortValues(document, list, values);
}
