import type { ParameterDescriptor } from '../../../descriptor/rest.ts';
import type { FieldError } from '../../errors/api-error.ts';
import { nameWithin, parameterError, parameterFault } from '../../schema/parameter-error.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';

/** The value of a parameter that is absent or not valid. */
export const ABSENT = Symbol('absent');

/** Decodes the percent-encoding of a raw text in a query, and returns any other text as it is. */
export type Plain = (raw: string) => string;

/** Reads a parameter whose text is its value, and adds its faults to `faults`. */
export class TextReader {
  readonly name: string;
  readonly #parameter: ParameterDescriptor;
  readonly #validate: Validate;
  readonly #fallback: unknown;

  constructor(parameter: ParameterDescriptor, schemas: SchemaRegistry) {
    this.name = parameter.name;
    this.#parameter = parameter;
    this.#validate = schemas.input(parameter.schema);
    this.#fallback = 'default' in parameter ? parameter.default : ABSENT;
  }

  /** From raw texts; undefined if the parameter is absent. */
  read(raws: readonly string[] | undefined, plain: Plain, faults: FieldError[]): unknown {
    if (raws === undefined) return this.absent(faults);
    return raws.length === 1 ? this.accept(plain(raws[0]!), faults) : this.refuse('must be given once', faults);
  }

  /** The value of an absent parameter: its default, or none. It is a fault if a required parameter has none. */
  absent(faults: FieldError[]): unknown {
    if (this.#fallback !== ABSENT) return this.#fallback;
    return this.#parameter.required ? this.refuse('is required', faults) : ABSENT;
  }

  /** Validates a decoded value. */
  accept(value: unknown, faults: FieldError[]): unknown {
    const errors = this.#validate(value);
    if (!errors) return value;
    for (const error of errors) faults.push(parameterError(this.#parameter, error));
    return ABSENT;
  }

  isValid(value: unknown): boolean {
    return this.#validate(value) === undefined;
  }

  /** `at`: the property or item that has the fault. */
  refuse(detail: string, faults: FieldError[], at?: string): typeof ABSENT {
    faults.push(parameterFault(this.#parameter, nameWithin(this.#parameter, at), detail));
    return ABSENT;
  }
}
