import type { OpenApiDocument, Parameter, Schema } from '../../../descriptor/document.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import { parseJsonText } from '../../http/json-body.ts';
import { checkValues } from '../../http/json-values.ts';
import { parameterError, schemaOf } from '../../schema/operation-parameters.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
import { parameterFault } from './parameter-fault.ts';
import { typesOf } from './scalar.ts';
import { type Decoded, type DecodeTexts, resolved, scalarOf, single, styleOf, textsDecoder } from './styles.ts';

/** The value of a parameter that is absent or not valid. */
export const ABSENT = Symbol('absent');

/** Reads the value of one parameter, and adds its faults to `faults`. */
export interface ValueReader {
  readonly name: string;
  /** From raw texts; undefined if the parameter is absent. */
  read(raws: readonly string[] | undefined, plain: (raw: string) => string, faults: FieldError[]): unknown;
  /** Validates a decoded value. */
  accept(decoded: Decoded, faults: FieldError[]): unknown;
  /** The value of an absent parameter: its default, or none. It is a fault if a required parameter has none. */
  absent(faults: FieldError[]): unknown;
}

/** The reader for the format that the `schema` and style of a parameter, or its `content`, declare. */
export function createValueReader(
  document: OpenApiDocument,
  parameter: Parameter,
  schemas: SchemaRegistry,
): ValueReader {
  const schema = schemaOf(parameter);
  const decode = parameter.content ? jsonDecoder() : textsDecoder(document, parameter);
  const validate = schemas.input(schema);
  const isText = isPlainText(document, parameter);
  const decodeOne = parameter.content || isText ? undefined : scalarBesideList(document, schema);
  const fallback = defaultOf(document, schema);
  const fault = (detail: string, at?: string): FieldError =>
    parameterFault(parameter.in, nameOf(parameter, at), detail);

  const reader: ValueReader = {
    name: parameter.name,
    read: (raws, plain, faults) => {
      if (raws === undefined) return reader.absent(faults);
      if (isText && raws.length === 1) {
        const text = plain(raws[0]!);
        return validate(text) ? reader.accept({ value: text }, faults) : text;
      }
      const one = raws.length === 1 ? decodeOne?.(plain(raws[0]!)) : undefined;
      if (one && 'value' in one && !validate(one.value)) return one.value;
      return reader.accept(decode(raws, plain), faults);
    },
    accept: (decoded, faults) => {
      if ('detail' in decoded) {
        faults.push(fault(decoded.detail, decoded.at));
        return ABSENT;
      }
      const errors = validate(decoded.value);
      if (!errors) return decoded.value;
      for (const error of errors) faults.push(parameterError(parameter, error));
      return ABSENT;
    },
    absent: (faults) => {
      if (fallback !== ABSENT) return fallback;
      if (parameter.required) faults.push(fault('is required'));
      return ABSENT;
    },
  };
  return reader;
}

/** Whether the text of a parameter is its value. */
function isPlainText(document: OpenApiDocument, parameter: Parameter): boolean {
  const { style } = styleOf(parameter);
  const types = [...typesOf(document, schemaOf(parameter))];
  return !parameter.content && (style === 'simple' || style === 'form') && types.every((type) => type === 'string');
}

/**
 * What decodes one text as a scalar where the schema allows a list as well: `oneOf: [{ type: string }, { type: array
 * }]`.
 */
function scalarBesideList(document: OpenApiDocument, schema: Schema): ((text: string) => Decoded) | undefined {
  const types = typesOf(document, schema);
  const isBoth = types.has('array') && ['string', 'integer', 'number', 'boolean'].some((type) => types.has(type));
  return isBoth ? scalarOf(document, schema) : undefined;
}

/** `price[gte]` for a property of a deepObject; faults of other properties and of items have the parameter's name. */
function nameOf(parameter: Parameter, at: string | undefined): string {
  return at === undefined || parameter.style !== 'deepObject' ? parameter.name : `${parameter.name}[${at}]`;
}

function defaultOf(document: OpenApiDocument, schema: Schema): unknown {
  if (typeof schema === 'object' && 'default' in schema) return schema.default;
  const target = resolved(document, schema);
  return typeof target === 'object' && 'default' in target ? target.default : ABSENT;
}

/** A parameter with `content` is JSON text. */
function jsonDecoder(): DecodeTexts {
  return single((text) => {
    try {
      checkValues(Buffer.from(text), 'It');
      return { value: parseJsonText(text, 'It') };
    } catch (error) {
      if (error instanceof ApiError) return { detail: `must be valid JSON (${error.detail})` };
      throw error;
    }
  });
}
