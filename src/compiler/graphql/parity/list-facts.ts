import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  valueFromASTUntyped,
} from 'graphql';
import type { FilterDescriptor, FilterOperator, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import type { OperationDraft } from '../../model/draft.ts';
import type { Side } from '../../model/parity-row.ts';
import { filterOperands, referenceInput } from '../convention/derive-list.ts';
import { sortName } from '../convention/names.ts';
import { typeText } from '../convention/type-text.ts';
import { costFact } from './cost-facts.ts';
import { defaultFact } from './field-facts.ts';
import { atParameter, pageFacts, shapeFacts } from './page-facts.ts';
import type { Field, Parity } from './parity.ts';
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
  const at = (text: string | undefined) => atParameter(parity, operation, 'sort', text);
  const names = list!.sorts.map(({ value }) => sortName(value));
  valueFacts(parity, { resource: { key }, coordinate, field, operation }, 'sort', names);
  const rest = list!.defaultSort.length === 0 ? undefined : JSON.stringify(list!.defaultSort.map(sortName));
  const written = argument?.astNode?.defaultValue;
  const given = written && JSON.stringify([valueFromASTUntyped(written)].flat());
  if (!argument) return;
  parity.add(key, 'sort-default', coordinate, at(rest), parity.graphql(given, argument, coordinate), () =>
    setDefault(argument.astNode, rest && `[${list!.defaultSort.map(sortName).join(', ')}]`),
  );
}

/** A field, and its operation. */
export interface ListedSite {
  readonly resource: Pick<ResourceDescriptor, 'key'>;
  readonly coordinate: string;
  readonly field: Field;
  readonly operation: OperationDraft;
}

/** The values of an argument whose enum has names of REST's parameter in their own spelling. */
export function valueFacts(
  parity: Parity,
  { resource: { key }, coordinate, field, operation }: ListedSite,
  parameter: string,
  wanted: readonly string[],
): void {
  const argument = field.args.find(({ name }) => name === parameter);
  const type = argument && getNamedType(argument.type);
  const values = isEnumType(type) ? type.getValues() : [];
  const at = (text: string | undefined) => atParameter(parity, operation, parameter, text);
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
  const at = (text: string | undefined): Side => parity.rest(text, operation.item, operation.method);
  referenceFacts(parity, resource, coordinate, type);
  // What the schema of `filter` says is compared as inputs are.
  const isOwn = (name: string): boolean => list!.filter === undefined && !list!.referenceFilters?.includes(name);
  const names = [...list!.filters.map(({ parameter }) => parameter), ...Object.keys(fields).filter(isOwn)];
  for (const name of new Set(names)) {
    const filter = list!.filters.find(({ parameter }) => parameter === name);
    const found = fields[name];
    const rest = filter && filterText(parity, resource, filter);
    const part = filter && list!.filter !== undefined ? filter : undefined;
    const graphql = found && (operandsText(found.type, part) ?? String(found.type));
    const place = isInputObjectType(type) ? `${type.name}.${name}` : coordinate;
    parity.add(
      key,
      'filter',
      `${coordinate} ${name}`,
      atParameter(parity, operation, name, rest),
      parity.graphql(graphql, found ?? (isInputObjectType(type) ? type : field), place),
      () => (filter && filter.shape !== 'object' ? filterFix(type, name, found, rest) : undefined),
    );
    for (const input of found ? [found, ...operatorsOf(found)] : []) {
      const holder = input === found ? type : getNamedType(found!.type);
      defaultFact(parity, { area: key, coordinate: `${holder?.name}.${input.name}`, node: input }, undefined, at);
    }
  }
}

/**
 * The parameters named for references, each property of which is a field of the input of that name. Where the list has the
 * parameter `filter`, too, its schema may offer more.
 */
function referenceFacts(
  parity: Parity,
  resource: ResourceDescriptor,
  coordinate: string,
  filter: GraphQLNamedType | undefined,
): void {
  for (const name of resource.list?.referenceFilters ?? []) {
    const found = isInputObjectType(filter) ? filter.getFields()[name] : undefined;
    const type = found && getNamedType(found.type);
    const fields = isInputObjectType(type) ? type.getFields() : {};
    const { members, node } = referenceInput(parity, resource, name, (site) =>
      typeText(parity.document, site.schemas, 'input', fields[site.name]?.type),
    );
    const extra = resource.list?.filter === undefined ? Object.keys(fields) : [];
    for (const own of new Set([...members.map((one) => one.name), ...extra])) {
      const { type: text, origin = { node } } = members.find((one) => one.name === own) ?? {};
      const at = fields[own] ?? found ?? filter;
      parity.add(
        resource.key,
        'filter',
        `${coordinate} ${name}[${own}]`,
        parity.rest(text, origin.node, origin.key),
        parity.graphql(fields[own] && String(fields[own].type), at, `${filter?.name}.${name}`),
      );
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

/** The operators of a filter that has an input of its own. */
function operatorsOf({ type }: GraphQLInputField): readonly GraphQLInputField[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
}

/** The type of a filter, or those of its operators. */
function filterText(parity: Parity, resource: ResourceDescriptor, filter: FilterDescriptor): string {
  const actual = parity.field(`${resource.name}.${filter.property}`)?.type;
  const operands = filterOperands(parity, resource, filter, (schemas) =>
    typeText(parity.document, schemas, 'input', actual),
  );
  return typeof operands === 'string' ? operands : rangeText(operands);
}

const rangeText = (operators: readonly (readonly [string, string])[]): string =>
  `{ ${operators
    .map(([operator, type]) => `${operator}: ${type}`)
    .sort()
    .join(', ')} }`;

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
  return rangeText(asked.map(({ name, type: operand }) => [name, String(operand)]));
}
