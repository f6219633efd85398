import type { InputDescriptor, ParamArguments } from '../../../descriptor/graphql.ts';
import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import { ApiError, type FieldError, remade } from '../../errors/api-error.ts';

/** Input types by name. */
export type Inputs = Readonly<Record<string, InputDescriptor>>;
type Arguments = Readonly<Record<string, unknown>>;

/** How the arguments of a field map to the parts of an action's call. */
export interface ArgumentNames {
  readonly params: ParamArguments;
  /** Parameters of filters that are not called as their fields. */
  readonly filters?: Readonly<Record<string, string>> | undefined;
  /** Type of the argument `filter`, where callers may combine conditions in it. */
  readonly filterType?: string | undefined;
  /** Pages are asked for from the end: by `last` and `before`. */
  readonly isBackward?: boolean;
  /** Rows are searched by `search`, an argument beside the filter. */
  readonly isSearched?: boolean;
  /** Arguments by further parameters. */
  readonly own?: Readonly<Record<string, string>>;
  /** Type of the argument `input`. */
  readonly input?: string;
}

const LIST_ARGUMENTS: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after', sort: 'sort' };
const BACKWARD_ARGUMENTS: Readonly<Record<string, string>> = { limit: 'last', cursor: 'before', sort: 'sort' };
const HEADER_ARGUMENTS: Readonly<Record<string, string>> = { 'if-match': 'ifVersion', 'if-none-match': 'ifAbsent' };

/** The error with each place in the call as a path into the field's arguments: `input.tags.0`. */
export const inArguments = (error: unknown, names: ArgumentNames, args: Arguments, inputs: Inputs): unknown =>
  withArguments(error, (one) => argumentOf(one, names, args, inputs));

/** The error with each place as a path into arguments, if it has one there. */
export function withArguments(error: unknown, argumentFor: (error: FieldError) => string | undefined): unknown {
  if (!(error instanceof ApiError) || !error.errors) return error;
  return remade(error, { errors: error.errors.map((one) => withArgument(one, argumentFor(one))) });
}

function withArgument(error: FieldError, argument: string | undefined): FieldError {
  if (argument === undefined) return error;
  return { argument, ...(error.code !== undefined && { code: error.code }), detail: error.detail };
}

function argumentOf(
  error: FieldError,
  { params, filters, filterType, isBackward, isSearched, own, input }: ArgumentNames,
  args: Arguments,
  inputs: Inputs,
): string | undefined {
  if ('pointer' in error)
    return ['input', ...inputPath(pointerTokens(error.pointer), input, args['input'], inputs)].join('.');
  if ('parameter' in error && filterType !== undefined && /^filter(\/|$)/.test(error.parameter))
    return ['filter', ...inputPath(pointerTokens(error.parameter), filterType, args['filter'], inputs)].join('.');
  if ('parameter' in error)
    return parameterPath(error.parameter, params, filters, {
      ...(isBackward ? BACKWARD_ARGUMENTS : LIST_ARGUMENTS),
      ...(isSearched && { search: 'search' }),
      ...own,
    });
  if ('header' in error) return HEADER_ARGUMENTS[error.header.toLowerCase()];
  return undefined;
}

/** `price[gte]` becomes `filter.price.gte`, and a path parameter the argument with its value. */
function parameterPath(
  parameter: string,
  params: ParamArguments,
  filters: Readonly<Record<string, string>> = {},
  list: Readonly<Record<string, string>> = LIST_ARGUMENTS,
): string {
  const given = Object.keys(params).find((argument) => params[argument] === parameter);
  if (given !== undefined) return given;
  const known = Object.keys(filters).find((field) => isPlaceOf(parameter, filters[field]!));
  const place = known === undefined ? parameter : known + parameter.slice(filters[known]!.length);
  const [name = '', ...rest] = place.split(/[[\]./]+/).filter((part) => part !== '');
  return [...(list[name] === undefined ? ['filter', name] : [list[name]]), ...rest].join('.');
}

/** Whether a place is a parameter, or an operator or an entry of it. */
export const isPlaceOf = (place: string, parameter: string): boolean =>
  place.startsWith(parameter) && /^(?:[[./]|$)/.test(place.slice(parameter.length));

/** Translates the tokens of a JSON pointer into a value to a path into the input for it, which may contain variants. */
export function inputPath(
  tokens: readonly string[],
  type: string | undefined,
  value: unknown,
  inputs: Inputs,
): string[] {
  const path: string[] = [];
  let at: { type: string | undefined; value: unknown } = { type, value };
  for (const token of tokens) {
    at = intoVariant(at, path, inputs);
    const input = at.type === undefined ? undefined : inputs[at.type];
    if (input?.oneOf?.property === token) break;
    const isIndex = Array.isArray(at.value);
    const field = isIndex || !input ? token : fieldOf(input, token);
    path.push(field);
    at = { type: isIndex ? at.type : input?.fields[field]?.input, value: memberOf(at.value, field) };
  }
  return path;
}

/** The field of an input that stands for a property. */
const fieldOf = ({ fields }: InputDescriptor, property: string): string =>
  Object.keys(fields).find((field) => fields[field]!.property === property) ?? property;

function intoVariant(at: { type: string | undefined; value: unknown }, path: string[], inputs: Inputs) {
  const input = at.type === undefined ? undefined : inputs[at.type];
  const [chosen] = Object.keys(Object(at.value));
  if (!input?.oneOf || chosen === undefined || Array.isArray(at.value)) return at;
  path.push(chosen);
  return { type: input.fields[chosen]?.input, value: memberOf(at.value, chosen) };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Arguments)[name] : undefined;
