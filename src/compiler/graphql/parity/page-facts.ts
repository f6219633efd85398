import { getNamedType, getNullableType, isListType, isObjectType, print, valueFromASTUntyped } from 'graphql';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { OperationDraft } from '../../model/draft.ts';
import type { Side } from '../../model/parity-row.ts';
import { pagingParameter } from '../../model/resources/list-parameters.ts';
import { printOnOneLine } from '../convention/definition.ts';
import { PAGE_INFO, pageTypes, TOTAL_COUNT, TOTAL_COUNT_IS_EXACT } from '../convention/derive-list.ts';
import { listSizeText } from '../convention/directives.ts';
import { memberFact } from './field-facts.ts';
import type { Field, Parity } from './parity.ts';
import { addMember, setDefault, setDirectives } from './sdl-edits.ts';

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
  const fields = isObjectType(connection) ? connection.getFields() : {};
  const { [TOTAL_COUNT.name]: counted, [TOTAL_COUNT_IS_EXACT.name]: exact } = fields;
  const count = (text: string | undefined) => atParameter(parity, operation, 'count', text);
  const isCounted = pagingParameter(operation, 'count') !== undefined;
  parity.add(
    key,
    'total-count',
    coordinate,
    count(isCounted ? 'counted' : undefined),
    parity.graphql(counted && 'counted', counted ?? field, `${connection.name}.${TOTAL_COUNT.name}`),
    () => (counted ? undefined : addMember(connection.astNode, printOnOneLine(TOTAL_COUNT))),
  );
  parity.add(
    key,
    'total-count-exact',
    coordinate,
    count(list!.countBound === undefined ? undefined : TOTAL_COUNT_IS_EXACT.type),
    parity.graphql(exact && String(exact.type), exact ?? field, `${connection.name}.${TOTAL_COUNT_IS_EXACT.name}`),
    () => (exact ? undefined : addMember(connection.astNode, printOnOneLine(TOTAL_COUNT_IS_EXACT))),
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
  for (const definition of [...pageTypes(name), PAGE_INFO]) {
    const type = parity.schema.getType(definition.name);
    if (!type || !parity.isNew(type.name, parity.document)) continue;
    for (const member of definition.members) {
      const found = isObjectType(type) ? type.getFields()[member.name] : undefined;
      const rest = parity.operation(member.type, operation);
      memberFact(parity, { area: key, aspect: 'connection', holder: type, found }, member, rest);
    }
  }
}
