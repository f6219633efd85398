import type { ParameterDescriptor } from '../../../descriptor/rest.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import { parseJsonText } from '../../http/json-body.ts';
import { checkValues } from '../../http/json-values.ts';
import type { SchemaRegistry } from '../../schema/schema-registry.ts';
import { type DecodeText, scalarDecoder } from './scalar.ts';
import { type DecodeTexts, single, textsDecoder } from './styles.ts';
import { type Plain, TextReader } from './text-reader.ts';

/** The reader for the form of a parameter. Throws `HandlerError` for a style that is not served. */
export function createValueReader(parameter: ParameterDescriptor, schemas: SchemaRegistry): TextReader {
  if (parameter.kind === 'text') return new TextReader(parameter, schemas);
  const decode = parameter.kind === 'json' ? single(decodeJson) : textsDecoder(parameter);
  const one = parameter.kind === 'list' && parameter.single ? scalarDecoder(parameter.single) : undefined;
  return new ValueReader(parameter, schemas, decode, one);
}

/** Reads a parameter whose texts are decoded. */
class ValueReader extends TextReader {
  readonly #decode: DecodeTexts;
  /** Decodes a single text where the schema allows a list as well: `oneOf: [{ type: string }, { type: array }]`. */
  readonly #decodeOne: DecodeText | undefined;

  constructor(parameter: ParameterDescriptor, schemas: SchemaRegistry, decode: DecodeTexts, one?: DecodeText) {
    super(parameter, schemas);
    this.#decode = decode;
    this.#decodeOne = one;
  }

  override read(raws: readonly string[] | undefined, plain: Plain, faults: FieldError[]): unknown {
    if (raws === undefined) return this.absent(faults);
    const one = raws.length === 1 ? this.#decodeOne?.(plain(raws[0]!)) : undefined;
    if (one && 'value' in one && this.isValid(one.value)) return one.value;
    const decoded = this.#decode(raws, plain);
    return 'detail' in decoded ? this.refuse(decoded.detail, faults, decoded.at) : this.accept(decoded.value, faults);
  }
}

const decodeJson: DecodeText = (text) => {
  try {
    checkValues(Buffer.from(text), 'It');
    return { value: parseJsonText(text, 'It') };
  } catch (error) {
    if (error instanceof ApiError) return { detail: `must be valid JSON (${error.detail})` };
    throw error;
  }
};
