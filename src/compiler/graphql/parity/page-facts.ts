import { getNamedType, getNullableType, isListType, isObjectType, print, valueFromASTUntyped } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Fix } from '../../findings/fix.ts';
import type { OperationDraft } from '../../model/draft.ts';
import type { Side } from '../../model/parity-row.ts';
import { pagingParameter } from '../../model/resources/list-parameters.ts';
import { listSizeText } from '../convention/directives.ts';
import type { Field, Parity } from './parity.ts';
import { addEntry } from './rest-edits.ts';
import { addMember, replaceNode, setDefault, setDirectives } from './sdl-edits.ts';

/** A fact at a query parameter, or at the operation when it does not have the parameter. */
export function atParameter(parity: Parity, operation: OperationDraft, name: string, text: string | undefined): Side {
  const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
  return parameter ? parity.rest(text, parameter) : parity.rest(text, operation.item, operation.method);
}

/** The size of pages, and whether entries are counted. */
export function pageFacts(
  parity: Parity,
  resource: ResourceDescriptor,
  coordinate: string,
  field: Field,
  operation: OperationDraft,
): void {
  const { key, list } = resource;
  const first = field.args.find(({ name }) => name === 'first');
  const limit = (text: string | undefined) => atParameter(parity, operation, 'limit', text);
  const given = first?.astNode?.defaultValue && String(valueFromASTUntyped(first.astNode.defaultValue));
  if (first)
    parity.add(
      key,
      'page-default',
      coordinate,
      limit(String(list!.defaultLimit)),
      parity.graphql(given, first, coordinate),
      () => setDefault(first.astNode, String(list!.defaultLimit)),
    );
  parity.add(
    key,
    'page-maximum',
    coordinate,
    limit(String(list!.maximumLimit)),
    parity.graphql(sizeText(parity, field), field, coordinate),
    () => setDirectives(field.astNode, 'listSize', listSizeText(list)),
    `Write \`${listSizeText(list)}\`.`,
  );
  const connection = getNamedType(field.type);
  const counted = isObjectType(connection) ? connection.getFields()['totalCount'] : undefined;
  const isCounted = pagingParameter(operation, 'count') !== undefined;
  parity.add(
    key,
    'total-count',
    coordinate,
    atParameter(parity, operation, 'count', isCounted ? 'counted' : undefined),
    parity.graphql(counted && 'counted', counted ?? field, coordinate),
    () => (counted ? countFix(parity, operation) : addMember(connection.astNode, 'totalCount: Int!')),
  );
  const exact = isObjectType(connection) ? connection.getFields()['totalCountIsExact'] : undefined;
  parity.add(
    key,
    'total-count-exact',
    coordinate,
    atParameter(parity, operation, 'count', list!.countBound === undefined ? undefined : 'Boolean!'),
    parity.graphql(exact && String(exact.type), exact ?? field, coordinate),
    () => (exact ? undefined : addMember(connection.astNode, 'totalCountIsExact: Boolean!')),
  );
}

/** The greatest page by `@listSize`, or the directive itself where the cost of a page does not follow from it. */
function sizeText(parity: Parity, field: Field): string | undefined {
  const size = parity.directive(field, 'listSize') as ListSize | undefined;
  if (!size) return undefined;
  const { assumedSize, slicingArguments, sizedFields } = size;
  const slices = ['first', ...(field.args.some(({ name }) => name === 'last') ? ['last'] : [])];
  const connection = getNamedType(field.type);
  const known = isObjectType(connection) ? Object.values(connection.getFields()) : [];
  const lists = known.filter(({ type }) => isListType(getNullableType(type))).map(({ name }) => name);
  const isWhole =
    slicingArguments?.join() === slices.join() && [...(sizedFields ?? [])].sort().join() === lists.sort().join();
  if (isWhole && assumedSize != null) return String(assumedSize);
  return print(field.astNode!.directives!.find(({ name }) => name.value === 'listSize')!);
}

interface ListSize {
  readonly assumedSize?: number | null;
  readonly slicingArguments?: readonly string[] | null;
  readonly sizedFields?: readonly string[] | null;
}

/** The fields of Relay's cursor connections, once for each type. */
export function shapeFacts(parity: Parity, { key, name }: ResourceDescriptor, operation: OperationDraft): void {
  for (const [typeName, fields] of Object.entries(shapeOf(name))) {
    const type = parity.schema.getType(typeName);
    if (!type || !parity.isNew(typeName, parity.document)) continue;
    for (const [fieldName, wanted] of Object.entries(fields)) {
      const found = isObjectType(type) ? type.getFields()[fieldName] : undefined;
      const coordinate = `${typeName}.${fieldName}`;
      parity.add(
        key,
        'connection',
        coordinate,
        parity.operation(wanted, operation),
        parity.graphql(found && String(found.type), found ?? type, coordinate),
        () => (found ? replaceNode(found.astNode?.type, wanted) : addMember(type.astNode, `${fieldName}: ${wanted}`)),
      );
    }
  }
}

const shapeOf = (name: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  [`${name}Connection`]: { edges: `[${name}Edge!]!`, nodes: `[${name}!]!`, pageInfo: 'PageInfo!' },
  [`${name}Edge`]: { cursor: 'String!', node: `${name}!` },
  PageInfo: { hasNextPage: 'Boolean!', hasPreviousPage: 'Boolean!', startCursor: 'String', endCursor: 'String' },
});

/** Lets the list be counted. */
function countFix(parity: Parity, { node }: OperationDraft): Fix | undefined {
  return addEntry(parity, node.parameters ?? [], { name: 'count', in: 'query', schema: { type: 'boolean' } });
}
