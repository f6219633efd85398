import { type InputValueDefinitionNode, print } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { Fix } from '../../findings/fix.ts';
import { closest } from '../../findings/wording.ts';
import type { OperationDraft } from '../../model/draft.ts';
import type { Side } from '../../model/parity-row.ts';
import { pagingParameter, SEARCH_PARAMETER } from '../../model/resources/list-parameters.ts';
import { accessOf } from '../convention/access-of.ts';
import { type Member, printArgument } from '../convention/definition.ts';
import { authText, type SdlNode } from '../convention/directives.ts';
import type { Field, Parity } from './parity.ts';
import { addAfter, removeNode, replaceNode, setDefault, setDirectives } from './sdl-edits.ts';

/** A field, by the key of its resource, or the name of what several share. */
export interface FieldSite {
  readonly area: string;
  readonly coordinate: string;
  readonly field: Field;
}

/** The result, arguments, access and deprecation of a field, which are those of an operation. */
export function fieldFacts(
  parity: Parity,
  site: FieldSite,
  operation: OperationDraft,
  { type = '', args = [] }: Member,
): void {
  const { area, coordinate, field } = site;
  const graphql = parity.own(String(field.type), field, coordinate);
  parity.add(area, 'return', coordinate, parity.operation(type, operation), graphql, () =>
    replaceNode(field.astNode?.type, type),
  );
  argumentFacts(
    parity,
    site,
    args,
    (text, name) => searchSide(parity, operation, name, text) ?? parity.operation(text, operation),
  );
  accessFact(parity, site, operation);
  deprecationFact(parity, site, operation.node.deprecated === true, (text) => parity.operation(text, operation));
}

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

/** The arguments of a field: those of the conventions with their types, and no others. */
export function argumentFacts(
  parity: Parity,
  { area, coordinate, field }: FieldSite,
  wanted: readonly Member[],
  at: (text: string | undefined, name: string) => Side,
): void {
  const known = wanted.map((one) => one.name);
  for (const name of new Set([...known, ...field.args.map((arg) => arg.name)])) {
    const found = field.args.find((arg) => arg.name === name);
    const place = `${coordinate}(${name}:)`;
    const argument = wanted.find((one) => one.name === name);
    const type = argument?.type;
    const near = argument ? undefined : closest(name, known);
    const graphql = parity.graphql(found && String(found.type), found ?? field, place);
    const mayBeMore = argument !== undefined || isKey(parity, coordinate, name);
    parity.add(
      area,
      'argument',
      place,
      at(type, name),
      mayBeMore ? graphql : { ...graphql, because: undefined },
      () => argumentFix(field, name, argument),
      near && `Did you mean \`${near}\`?`,
    );
    if (found && argument && !WITH_DEFAULT.has(name))
      noDefaultFact(parity, area, place, (text) => at(text, name), found);
  }
}

/** Whether an argument names one by a key, which REST may lack a path for. Any other would be ignored, declared or not. */
function isKey({ descriptor }: Parity, coordinate: string, argument: string): boolean {
  const field = descriptor.fields[coordinate];
  return field?.kind === 'get' && field.by?.includes(argument) === true;
}

/** Gives a field an argument, or its type; one that is not wanted is removed. */
export function argumentFix({ args, astNode }: Field, name: string, wanted: Member | undefined): Fix | undefined {
  const found = args.find((one) => one.name === name)?.astNode;
  if (found) return wanted ? replaceNode(found.type, wanted.type!) : args.length > 1 ? removeNode(found) : undefined;
  if (!wanted) return undefined;
  const last = args.at(-1)?.astNode;
  return last ? addAfter(last, `, ${printArgument(wanted)}`) : addAfter(astNode?.name, `(${printArgument(wanted)})`);
}

/** An argument, or a field of an input, as the SDL has it. */
type Defaulted = SdlNode & { readonly astNode?: InputValueDefinitionNode | null | undefined };

/** A difference where an argument has a default value, which REST cannot have for it. */
export function noDefaultFact(
  parity: Parity,
  area: string,
  coordinate: string,
  rest: (text: undefined) => Side,
  argument: Defaulted,
): void {
  const written = argument.astNode?.defaultValue;
  if (!written) return;
  const graphql = { ...parity.graphql(print(written), argument, coordinate), because: undefined };
  parity.add(area, 'default', coordinate, { ...rest(undefined), because: undefined }, graphql, () =>
    setDefault(argument.astNode, undefined),
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
