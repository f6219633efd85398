import {
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  valueFromASTUntyped,
} from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { FilterDescriptor, FilterOperator, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { INT32_BOUNDS, isWithin } from '../../json-schema/integer-bounds.ts';
import type { OperationDraft } from '../../model/draft.ts';
import type { Side } from '../../model/parity-row.ts';
import { flatSchema } from '../../model/schemas.ts';
import { sortName } from '../convention/names.ts';
import { propertyText } from '../convention/schema-owner.ts';
import { costFact } from './cost-facts.ts';
import { noDefaultFact } from './field-facts.ts';
import { atParameter, pageFacts, shapeFacts } from './page-facts.ts';
import type { Field, Parity } from './parity.ts';
import { referenceFacts } from './reference-filter-facts.ts';
import { addEntry, schemaOfType } from './rest-edits.ts';
import { addMember, removeNode, replaceNode, setDefault } from './sdl-edits.ts';

/** Paging, order and filters of a connection and of the list. */
export function listFacts(parity: Parity, resource: ResourceDescriptor, coordinate: string, field: Field): void {
  const operation = parity.draftOf(resource.key).operations.list;
  const isConnection = getNamedType(field.type).name === `${resource.name}Connection`;
  if (!operation || !resource.list || !isConnection) return;
  shapeFacts(parity, resource, operation);
  pageFacts(parity, resource, coordinate, field, operation);
  sortFacts(parity, resource, coordinate, field, operation);
  filterFacts(parity, resource, coordinate, field, operation);
  costFact(parity, resource, coordinate, field);
}

function sortFacts(
  parity: Parity,
  { key, list }: ResourceDescriptor,
  coordinate: string,
  field: Field,
  operation: OperationDraft,
): void {
  const argument = field.args.find(({ name }) => name === 'sort');
  const type = argument && getNamedType(argument.type);
  const values = isEnumType(type) ? type.getValues() : [];
  const at = (text: string | undefined) => atParameter(parity, operation, 'sort', text);
  const wanted = list!.sorts.map(({ value }) => sortName(value));
  for (const name of new Set([...wanted, ...values.map((value) => value.name)])) {
    const found = values.find((value) => value.name === name);
    const place = isEnumType(type) ? `${type.name}.${name}` : coordinate;
    parity.add(
      key,
      'sort',
      `${coordinate} ${name}`,
      at(wanted.includes(name) ? name : undefined),
      parity.graphql(found?.name, found ?? (isEnumType(type) ? type : field), place),
      () => (found ? removeNode(found.astNode) : isEnumType(type) ? addMember(type.astNode, name) : undefined),
    );
  }
  const rest = list!.defaultSort.length === 0 ? undefined : JSON.stringify(list!.defaultSort.map(sortName));
  const written = argument?.astNode?.defaultValue;
  const given = written && JSON.stringify([valueFromASTUntyped(written)].flat());
  if (!argument) return;
  parity.add(key, 'sort-default', coordinate, at(rest), parity.graphql(given, argument, coordinate), () =>
    setDefault(argument.astNode, rest && `[${list!.defaultSort.map(sortName).join(', ')}]`),
  );
}

function filterFacts(
  parity: Parity,
  resource: ResourceDescriptor,
  coordinate: string,
  field: Field,
  operation: OperationDraft,
): void {
  const argument = field.args.find(({ name }) => name === 'filter');
  const type = argument && getNamedType(argument.type);
  const fields = isInputObjectType(type) ? type.getFields() : {};
  const { key, list } = resource;
  const at = (text: undefined): Side => parity.rest(text, operation.item, operation.method);
  referenceFacts(parity, resource, coordinate, operation, type);
  // What the schema of `filter` says is compared as inputs are.
  const isOwn = (name: string): boolean => list!.filter === undefined && !list!.referenceFilters?.includes(name);
  const names = [...list!.filters.map(({ parameter }) => parameter), ...Object.keys(fields).filter(isOwn)];
  for (const name of new Set(names)) {
    const filter = list!.filters.find(({ parameter }) => parameter === name);
    const found = fields[name];
    const rest = filter && filterText(parity, resource, filter, operation);
    const part = filter && list!.filter !== undefined ? filter : undefined;
    const graphql = found && (operandsText(found.type, part) ?? String(found.type));
    const place = isInputObjectType(type) ? `${type.name}.${name}` : coordinate;
    parity.add(
      key,
      'filter',
      `${coordinate} ${name}`,
      atParameter(parity, operation, name, rest),
      parity.graphql(graphql, found ?? (isInputObjectType(type) ? type : field), place),
      () =>
        filter
          ? filterFix(type, name, found, filter.shape === 'object' ? undefined : rest)
          : found && parameterFix(parity, resource, name, found.type, operation),
    );
    for (const input of found ? [found, ...operatorsOf(found)] : []) {
      const holder = input === found ? type : getNamedType(found!.type);
      noDefaultFact(parity, key, `${holder?.name}.${input.name}`, at, input);
    }
  }
}

/** Adds a filter or gives it its type; a filter by operators has an input of its own, which is not derived here. */
function filterFix(
  type: ReturnType<typeof getNamedType> | undefined,
  name: string,
  found: GraphQLInputField | undefined,
  rest: string | undefined,
): Fix | undefined {
  if (rest === undefined) return undefined;
  return found ? replaceNode(found.astNode?.type, rest) : addMember(type?.astNode, `${name}: ${rest}`);
}

/** Lets the list of REST be narrowed by a property, as GraphQL's is. */
function parameterFix(
  parity: Parity,
  { properties }: ResourceDescriptor,
  name: string,
  type: GraphQLInputType,
  { node }: OperationDraft,
): Fix | undefined {
  const schema = isInputObjectType(getNamedType(type)) ? undefined : schemaOfType(parity, type);
  if (!schema || !properties.some((property) => property.name === name)) return undefined;
  const isList = isListType(getNullableType(type));
  return addEntry(parity, node.parameters ?? [], { name, in: 'query', ...(isList && { explode: false }), schema });
}

/** The operators of a filter that has an input of its own. */
function operatorsOf({ type }: GraphQLInputField): readonly GraphQLInputField[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}

function filterText(
  parity: Parity,
  resource: ResourceDescriptor,
  { parameter, property, shape, operators }: FilterDescriptor,
  list: OperationDraft,
): string {
  const text = operandText(parity, resource, property);
  const declared = list.parameters.find((one) => one.in === 'query' && one.name === parameter);
  const flat = flatSchema(parity.document, declared?.schema ?? true);
  const operand = (schemas: readonly Schema[]): string => widened(text, flatSchema(parity.document, ...schemas));
  if (shape === 'in') return `[${operand([(flat.keywords.get('items')?.value ?? true) as Schema])}!]`;
  if (shape === 'eq') return widened(text, flat);
  const fields = [...operators].sort().map((operator) => {
    return `${operator}: ${operator === 'contains' ? 'String' : operand(flat.properties.get(operator)?.schemas ?? [])}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** A filter may declare that it takes integers that its property never has, and that `Int` refuses. */
const widened = (text: string, operand: FlatSchema): string =>
  text === 'Int' && !isWithin(operand, INT32_BOUNDS) ? 'SafeInt' : text;

/** The type of a property's values; for a list, the type of its entries. */
function operandText(parity: Parity, resource: ResourceDescriptor, property: string): string {
  const flat = parity.draftOf(resource.key).schema.flat.properties.get(property);
  const actual = parity.field(`${resource.name}.${property}`)?.type;
  const site = flat && { area: resource.key, name: property, schemas: flat.schemas };
  return site ? propertyText(parity, site, 'input', actual) : 'String';
}

/** The operators of a filter, in the notation of `filterText`. `part`: the filter that is compared with some of them. */
function operandsText(type: GraphQLInputType, part: FilterDescriptor | undefined): string | undefined {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return undefined;
  const own = Object.values(named.getFields());
  if (part && part.shape !== 'object') {
    const operand = own.find(({ name }) => name === part.shape);
    return operand && String(operand.type);
  }
  const asked = part ? own.filter(({ name }) => part.operators.includes(name as FilterOperator)) : own;
  const fields = asked.map(({ name, type: operand }) => `${name}: ${String(operand)}`);
  return `{ ${fields.sort().join(', ')} }`;
}
