import { type DocumentNode, GraphQLError, type GraphQLScalarType, Kind } from 'graphql';
import { resolvers as libraryScalars } from 'graphql-scalars';
import { formats } from '../../../descriptor/formats/formats.ts';
import { describeFormat } from '../../schema/field-errors.ts';

/** JSON Schema formats of the scalars that are sent as strings. */
export const SCALAR_FORMATS: Readonly<Record<string, string>> = {
  DateTime: 'date-time',
  Date: 'date',
  EmailAddress: 'email',
  URL: 'uri',
  UUID: 'uuid',
  BigInt: 'int64',
  Decimal: 'decimal',
};

/** Scalars whose literals may be numbers: in the document, their digits are not rounded. */
const NUMERIC: Readonly<Record<string, readonly Kind[]>> = {
  BigInt: [Kind.INT],
  Decimal: [Kind.INT, Kind.FLOAT],
};

/** Serializes and parses the values of a scalar. */
type ScalarResolver = Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'>;

/**
 * Resolvers of the scalars that an SDL declares. Those with a JSON Schema format are validated like values over REST, and
 * stay JSON; any other is implemented by graphql-scalars. Throws for an unknown scalar.
 */
export function scalarResolvers(sdl: DocumentNode): Readonly<Record<string, ScalarResolver>> {
  const names = sdl.definitions.flatMap((node) => (node.kind === Kind.SCALAR_TYPE_DEFINITION ? [node.name.value] : []));
  return Object.fromEntries(names.map((name) => [name, scalarResolver(name)]));
}

function scalarResolver(name: string): ScalarResolver {
  const format = SCALAR_FORMATS[name];
  if (format !== undefined) return textResolver(name, format);
  const known = (libraryScalars as Readonly<Record<string, GraphQLScalarType>>)[name];
  if (!known) throw new Error(`The scalar ${name} is unknown.`);
  const { serialize, parseValue, parseLiteral } = known;
  if (name !== 'SafeInt') return { serialize, parseValue, parseLiteral };
  return {
    serialize,
    parseValue: (value) => parseValue(withinSafe(value)),
    parseLiteral: (node, variables) => {
      if (node.kind === Kind.INT) withinSafe(Number(node.value));
      return parseLiteral(node, variables);
    },
  };
}

/** Refuses integers that JSON rounds, in the words in which schemas do. */
function withinSafe(value: unknown): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const bound = Number(value) > 0 ? `at most ${Number.MAX_SAFE_INTEGER}` : `at least ${Number.MIN_SAFE_INTEGER}`;
  throw new GraphQLError(`SafeInt must be ${bound}.`);
}

function textResolver(name: string, format: string): ScalarResolver {
  const isValid = validator(format);
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && isValid(value)) return value;
    throw new GraphQLError(`${name} must be ${describeFormat(format)}, in a string.`);
  };
  return {
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => {
      const isText = node.kind === Kind.STRING || NUMERIC[name]?.includes(node.kind);
      return parse(isText && 'value' in node ? node.value : undefined);
    },
  };
}

function validator(format: string): (text: string) => boolean {
  const check = formats[format]!;
  return typeof check === 'function' ? check : (text) => check.test(text);
}
