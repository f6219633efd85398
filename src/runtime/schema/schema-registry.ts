import type { Schema } from '../../descriptor/document.ts';
import type { FieldError } from '../errors/api-error.ts';

/** Checks a value; no errors: undefined. Input validators may set defaults in the value. */
export type Validate = (value: unknown) => readonly FieldError[] | undefined;

/** JSON Schema validators over one bundled document (JSON Schema 2020-12). */
export interface SchemaRegistry {
  /** What a caller may send: read-only properties refused, unknown ones too, no coercion. `defaults` fills in `default`s. */
  input(schema: Schema, options?: { readonly defaults?: boolean }): Validate;
  /** What the server may answer: write-only properties refused, unknown ones too. */
  output(schema: Schema): Validate;
  /** Compiles now what was handed out and would else be compiled on first use. Throws on a schema that is none. */
  compileAll(): void;
}
