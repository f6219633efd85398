import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  valueFromASTUntyped,
} from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { Fix } from '../../findings/fix.ts';
import { closest } from '../../findings/wording.ts';
import type { OperationDraft } from '../../model/draft.ts';
import type { Aspect, Side } from '../../model/parity-row.ts';
import { pagingParameter, SEARCH_PARAMETER } from '../../model/resources/list-parameters.ts';
import { type Member, printArgument, printOnOneLine } from '../convention/definition.ts';
import { accessOf, authText } from '../convention/directives.ts';
import { isWritable } from '../convention/type-text.ts';
import type { Field, Parity } from './parity.ts';
import { addAfter, addMember, defaultFix, removeNode, replaceNode, setDirectives } from './sdl-edits.ts';

/** A field, by the key of its resource, or the name of what several share. */
export interface FieldSite {
  readonly area: string;
  readonly coordinate: string;
  readonly field: Field;
}

/** A member of a type, or of an input, that REST implies. */
export interface MemberSite {
  readonly area: string;
  readonly aspect: Aspect;
  readonly holder: GraphQLNamedType;
  readonly found: Field | GraphQLInputField | undefined;
}

/** Whether a type has a member, and its type. */
export function memberFact(
  parity: Parity,
  { area, aspect, holder, found }: MemberSite,
  member: Member,
  rest: Side,
): void {
  const { name, type = '' } = member;
  const coordinate = `${holder.name}.${name}`;
  const graphql = parity.graphql(found && String(found.type), found ?? holder, coordinate);
  parity.add(area, aspect, coordinate, rest, graphql, () => {
    if (found) return replaceNode(found.astNode?.type, type);
    return isWritable(type) ? addMember(holder.astNode, printOnOneLine(member)) : undefined;
  });
}

/**
 * The result, arguments, access and deprecation of a field, which are those of an operation. `beside`: what else there is to say of
 * the values of custom code.
 */
export function fieldFacts(
  parity: Parity,
  site: FieldSite,
  operation: OperationDraft,
  member: Member,
  beside?: Beside,
): void {
  const { area, coordinate, field } = site;
  const { type = '', args = [] } = member;
  const graphql = parity.own(String(field.type), field, coordinate);
  parity.add(area, 'return', coordinate, parity.operation(type, operation), graphql, () =>
    isWritable(type) ? replaceNode(field.astNode?.type, type) : undefined,
  );
  beside?.(member, field.type);
  const at = (text: string | undefined): Side => parity.operation(text, operation);
  argumentFacts(parity, site, args, (text, name) => searchSide(parity, operation, name, text) ?? at(text), beside);
  accessFact(parity, site, operation);
  deprecationFact(parity, site, operation.node.deprecated === true, at);
}

/** Compares what is inside of the values of a field or an argument. */
export type Beside = (member: Member, type: GraphQLType) => void;

/** The parameter by which a list is searched, which may say that GraphQL lacks it. */
function searchSide(
  parity: Parity,
  operation: OperationDraft,
  name: string,
  type: string | undefined,
): Side | undefined {
  const parameter = name === SEARCH_PARAMETER ? pagingParameter(operation, name) : undefined;
  return parameter && parity.rest(type, parameter);
}

/** Arguments whose default values are facts of the list. */
const WITH_DEFAULT = new Set(['first', 'sort']);

/**
 * The arguments of a field: those of the conventions with their types and default values, and no others. `at`: what REST states
 * where the document has no place for an argument alone.
 */
export function argumentFacts(
  parity: Parity,
  { area, coordinate, field }: FieldSite,
  wanted: readonly Member[],
  at: (text: string | undefined, name: string) => Side,
  beside?: Beside,
): void {
  const known = wanted.map((one) => one.name);
  for (const name of new Set([...known, ...field.args.map((arg) => arg.name)])) {
    const found = field.args.find((arg) => arg.name === name);
    const place = `${coordinate}(${name}:)`;
    const argument = wanted.find((one) => one.name === name);
    const { type = '', origin } = argument ?? {};
    const rest = (text: string | undefined): Side =>
      origin ? parity.rest(text, origin.node, origin.key) : at(text, name);
    const near = argument || beside ? undefined : closest(name, known);
    const graphql = parity.graphql(found && String(found.type), found ?? field, place);
    // Any other would be ignored, declared or not.
    const mayBeMore = argument !== undefined || mayHaveMore(parity, coordinate, name);
    parity.add(
      area,
      'argument',
      place,
      rest(argument?.type),
      mayBeMore ? graphql : { ...graphql, because: undefined },
      () => (isWritable(type) ? argumentFix(field, name, argument) : undefined),
      near && `Did you mean \`${near}\`?`,
    );
    if (!found || !argument) continue;
    if (beside || !WITH_DEFAULT.has(name))
      defaultFact(parity, { area, coordinate: place, node: found }, argument.given, rest);
    beside?.(argument, found.type);
  }
}

/** Whether an argument that REST lacks has a meaning: it names one by a key, or the field has code of its own. */
function mayHaveMore({ descriptor }: Parity, coordinate: string, argument: string): boolean {
  const field = descriptor.fields[coordinate];
  if (field?.kind === 'custom') return !field.isOperation;
  return field?.kind === 'get' && field.by?.includes(argument) === true;
}

/** Gives a field an argument, or its type; one that is not wanted is removed. */
function argumentFix({ args, astNode }: Field, name: string, wanted: Member | undefined): Fix | undefined {
  const found = args.find((one) => one.name === name)?.astNode;
  if (found) return wanted ? replaceNode(found.type, wanted.type!) : args.length > 1 ? removeNode(found) : undefined;
  if (!wanted) return undefined;
  const last = args.at(-1)?.astNode;
  return last ? addAfter(last, `, ${printArgument(wanted)}`) : addAfter(astNode?.name, `(${printArgument(wanted)})`);
}

/** An argument, or a field of an input, as the SDL has it. */
interface DefaultSite {
  readonly area: string;
  readonly coordinate: string;
  readonly node: GraphQLArgument | GraphQLInputField;
}

/**
 * The default value in both protocols; `given` is REST's as JSON, undefined where it has none. `mayLack`: whether one protocol
 * may deliberately lack it.
 */
export function defaultFact(
  parity: Parity,
  { area, coordinate, node }: DefaultSite,
  given: unknown,
  at: (text: string | undefined) => Side,
  mayLack = false,
): void {
  const own = (side: Side): Side => (mayLack ? side : { ...side, because: undefined });
  const written = node.astNode?.defaultValue && JSON.stringify(valueFromASTUntyped(node.astNode.defaultValue));
  const rest = own(at(given === undefined ? undefined : JSON.stringify(given)));
  parity.add(area, 'default', coordinate, rest, own(parity.graphql(written, node, coordinate)), () =>
    defaultFix(node, given),
  );
}

/** The access of a field, which is that of an operation. */
export function accessFact(parity: Parity, { area, coordinate, field }: FieldSite, operation: OperationDraft): void {
  const { document } = parity;
  const graphql = parity.own(accessText(accessOf(field, document)), field, coordinate);
  const rest = parity.operation(accessText(operation.access), operation);
  parity.add(area, 'scope', coordinate, rest, graphql, () => {
    const text = authText(operation.access, document);
    return text === undefined ? undefined : setDirectives(field.astNode, 'auth', text);
  });
}

/** An access rule as text, the same for equal rules: `a and b, or c`. */
export function accessText({ anyOf }: Access): string {
  const alternatives = anyOf.map(({ schemes }) =>
    schemes
      .map(({ name, scopes }) => [name, ...[...scopes].sort()].join(' '))
      .sort()
      .join(' and '),
  );
  return alternatives.length === 0 || alternatives.includes('')
    ? 'anyone'
    : [...new Set(alternatives)].sort().join(', or ');
}

/** Whether a field is deprecated, as an operation or a property is. */
export function deprecationFact(
  parity: Parity,
  { area, coordinate, field }: FieldSite,
  isDeprecated: boolean,
  at: (text: string | undefined) => Side,
): void {
  const textOf = (is: boolean): string | undefined => (is ? 'deprecated' : undefined);
  const graphql = parity.own(textOf(field.deprecationReason != null), field, coordinate);
  parity.add(area, 'deprecation', coordinate, { ...at(textOf(isDeprecated)), because: undefined }, graphql, () =>
    setDirectives(field.astNode, 'deprecated', isDeprecated ? '@deprecated' : ''),
  );
}
