import {
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  Kind,
  specifiedScalarTypes,
} from 'graphql';
import { resolvers as libraryScalars } from 'graphql-scalars';
import { formats } from '../../schema/formats.ts';

/** JSON Schema format of the scalars that travel as strings. */
export const SCALAR_FORMATS: Readonly<Record<string, string>> = {
  DateTime: 'date-time',
  Date: 'date',
  EmailAddress: 'email',
  URL: 'uri',
  UUID: 'uuid',
  BigInt: 'int64',
  Decimal: 'decimal',
};

/** Scalars whose literals may be numbers: the document has their digits, unrounded. */
const NUMERIC: Readonly<Record<string, readonly Kind[]>> = {
  BigInt: [Kind.INT],
  Decimal: [Kind.INT, Kind.FLOAT],
};

/**
 * Gives the schema's scalars their values. Those that a format of the contract's schemas describes are checked as REST
 * checks them and stay JSON; any other is what graphql-scalars makes of its name. Throws for a name that nobody knows.
 */
export function defineScalars(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isScalarType(type) || specifiedScalarTypes.some(({ name }) => name === type.name)) continue;
    const format = SCALAR_FORMATS[type.name];
    if (format !== undefined) defineText(type, format);
    else defineFromLibrary(type);
  }
}

function defineText(type: GraphQLScalarType, format: string): void {
  const isValid = validator(format);
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && isValid(value)) return value;
    throw new GraphQLError(`${type.name} must be a string in the format ${format}.`);
  };
  type.serialize = (value) => value;
  type.parseValue = parse;
  type.parseLiteral = (node) => {
    const isText = node.kind === Kind.STRING || NUMERIC[type.name]?.includes(node.kind);
    return parse(isText && 'value' in node ? node.value : undefined);
  };
}

function validator(format: string): (text: string) => boolean {
  const check = formats[format]!;
  return typeof check === 'function' ? check : (text) => check.test(text);
}

function defineFromLibrary(type: GraphQLScalarType): void {
  const known = (libraryScalars as Readonly<Record<string, GraphQLScalarType>>)[type.name];
  if (!known) throw new Error(`The scalar ${type.name} is not one that the server knows.`);
  type.serialize = known.serialize;
  type.parseValue = known.parseValue;
  type.parseLiteral = known.parseLiteral;
}
