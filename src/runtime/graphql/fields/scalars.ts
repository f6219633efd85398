import {
  GraphQLError,
  GraphQLFloat,
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  print,
} from 'graphql';
import { formats } from '../../../descriptor/formats/formats.ts';
import { ownMember } from '../../../descriptor/look-up.ts';
import { WrittenNumber } from '../../../descriptor/written-number.ts';
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

type ScalarResolvers = Readonly<Record<string, ScalarResolver>>;

/**
 * Resolvers of the scalars that a schema declares. Those with a JSON Schema format are validated like values over REST, and
 * stay JSON; `SafeInt` has the words of schemas; any other is implemented by graphql-scalars, which is loaded only then.
 * Throws for an unknown scalar.
 */
export async function scalarResolvers(schema: GraphQLSchema): Promise<ScalarResolvers> {
  const declared = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  const names = declared.map(({ name }) => name);
  const library = names.every((name) => ownResolver(name)) ? {} : (await import('graphql-scalars')).resolvers;
  return Object.fromEntries(names.map((name) => [name, ownResolver(name) ?? libraryResolver(name, library)]));
}

function ownResolver(name: string): ScalarResolver | undefined {
  const format = ownMember(SCALAR_FORMATS, name);
  if (format !== undefined) return textResolver(name, format);
  return name === 'SafeInt' ? SAFE_INT : undefined;
}

function libraryResolver(name: string, library: Readonly<Record<string, GraphQLScalarType>>): ScalarResolver {
  const known = library[name];
  if (!known) throw new Error(`The scalar ${name} is unknown.`);
  const { serialize, parseValue, parseLiteral } = known;
  return { serialize, parseValue, parseLiteral };
}

/** Integers that JSON does not round; others are refused in the words in which schemas do. */
const SAFE_INT: ScalarResolver = {
  serialize: (value) => {
    const number = numberOf(value);
    if (Number.isSafeInteger(number)) return number;
    const kind = Number.isInteger(number) ? 'unsafe integer' : 'non-integer';
    throw new GraphQLError(`SafeInt cannot represent ${kind} value: ${value}`);
  },
  parseValue: (value) => safeInteger(value instanceof WrittenNumber ? value.valueOf() : value, String(value)),
  parseLiteral: (node) =>
    safeInteger(
      node.kind === Kind.INT ? Number(node.value) : undefined,
      node.kind === Kind.INT ? node.value : print(node),
    ),
};

/** A number as `Float` would send it: texts and booleans are numbers, too. */
function numberOf(value: unknown): number {
  try {
    return GraphQLFloat.serialize(value);
  } catch {
    return Number.NaN;
  }
}

function safeInteger(value: unknown, text: string): number {
  if (Number.isSafeInteger(value)) return value as number;
  if (!Number.isInteger(value)) throw new GraphQLError(`SafeInt cannot represent non-integer value: ${text}`);
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
