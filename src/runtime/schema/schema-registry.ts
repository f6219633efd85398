import type { Schema } from '../../descriptor/document.ts';
import type { FieldError } from '../errors/api-error.ts';

/** Validates a value. Returns undefined if it is valid. Input validators may set defaults in the value. */
export type Validate = (value: unknown) => readonly FieldError[] | undefined;

/** JSON Schema validators for one bundled document (JSON Schema 2020-12). */
export interface SchemaRegistry {
  /** For requests: rejects read-only and unknown properties, and does not coerce. `defaults` sets default values. */
  input(schema: Schema, options?: { readonly defaults?: boolean }): Validate;
  /** For responses: rejects write-only and unknown properties. */
  output(schema: Schema): Validate;
  /** Compiles all validators that have been created and not used. Throws for a schema that is not valid. */
  compileAll(): void;
}
