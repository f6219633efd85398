import type { AnySchema, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { formats } from '../../descriptor/formats/formats.ts';
import { isReference } from '../../descriptor/references.ts';
import { DirectedSchemas } from './directed-schema.ts';
import { toFieldErrors } from './field-errors.ts';
import type { Direction } from './foreign-properties.ts';
import { lenientPattern } from './pattern.ts';
import type { SchemaRegistry, Validate } from './schema-registry.ts';
import { findUnstorableText, isAlwaysStorable } from './text.ts';
import { withUniqueItems } from './unique-items.ts';

/**
 * In longer values, only the first fault is found: to find all takes several times as long as to parse them. In those that
 * code makes, an earlier fault must not hide a later one.
 */
const MAX_SEARCHED = { input: 16_000, output: 1_000_000 };

/** Schemas are compiled on first use: otherwise, schemas of errors that never occur would take most of the boot time. */
export function createSchemaRegistry(document: OpenApiDocument): SchemaRegistry {
  const compilers = {
    input: new Compiler(document, 'input', false),
    filling: new Compiler(document, 'input', true),
    output: new Compiler(document, 'output', false),
  };
  return {
    input: (schema, options) => compilers[options?.defaults ? 'filling' : 'input'].validator(schema, true),
    output: (schema) => compilers.output.validator(schema, false),
    compileAll: () => {
      for (const compiler of Object.values(compilers)) compiler.compileAll();
    },
  };
}

/**
 * Validators for one direction. Each value is first validated up to the first fault, which is fast. Only a value that is
 * not valid is validated again to find all faults.
 */
class Compiler {
  readonly #first: Dialect;
  readonly #every: Dialect;
  readonly #validators = new Map<Schema | string, { readonly validate: Validate; readonly compile: () => void }>();

  constructor(document: OpenApiDocument, direction: Direction, useDefaults: boolean) {
    this.#first = new Dialect(document, direction, { useDefaults, allErrors: false });
    this.#every = new Dialect(document, direction, { useDefaults, allErrors: true });
  }

  validator(schema: Schema, isInput: boolean): Validate {
    // Many operations refer to the same schema, each by an object of its own.
    const key = isReference(schema) && Object.keys(schema).length === 1 ? schema.$ref : schema;
    const known = this.#validators.get(key);
    if (known) return known.validate;
    const first = once(() => this.#first.compile(schema));
    const every = once(() => this.#every.compile(schema));
    const isStorable = !isInput || isAlwaysStorable(schema);
    const most = isInput ? MAX_SEARCHED.input : MAX_SEARCHED.output;
    const validate: Validate = (value) => {
      const isValid = first();
      if (isValid(value)) return isStorable ? undefined : findUnstorableText(value);
      if (lengthUpTo(most, value) >= most) return toFieldErrors(isValid.errors!);
      const search = every();
      search(value);
      return [...toFieldErrors(search.errors!), ...((isInput && findUnstorableText(value)) || [])];
    };
    this.#validators.set(key, { validate, compile: first });
    return validate;
  }

  compileAll(): void {
    for (const { compile } of this.#validators.values()) compile();
  }
}

/** Ajv with the schemas for one direction, created on first use. */
class Dialect {
  readonly #make: () => { readonly ajv: Ajv2020; readonly schemas: DirectedSchemas };

  constructor(document: OpenApiDocument, direction: Direction, options: Options) {
    this.#make = once(() => {
      const ajv = withUniqueItems(new Ajv2020({ ...OPTIONS, ...options }));
      const schemas = new DirectedSchemas(document, direction, (id, schema) => ajv.addSchema(schema as AnySchema, id));
      return { ajv, schemas };
    });
  }

  compile(schema: Schema): ValidateFunction {
    const { ajv, schemas } = this.#make();
    return ajv.compile(schemas.of(schema) as AnySchema);
  }
}

/** Ajv is not strict: the compiler has checked the schemas, which may have keywords of other vocabularies. */
const OPTIONS: Options = {
  strict: false,
  strictNumbers: true,
  logger: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  coerceTypes: false,
  removeAdditional: false,
  ownProperties: true,
  multipleOfPrecision: 9,
  formats: { ...formats },
  code: { regExp: lenientPattern },
};

/** About the length of a value's JSON, in which each value counts at least eight: it may have a fault. Stops at the limit. */
function lengthUpTo(limit: number, value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const children = Array.isArray(value) ? value : Object.values(value);
  let length = 8 * children.length;
  for (let i = 0; i < children.length && length < limit; i++)
    length += (names[i]?.length ?? 0) + lengthUpTo(limit - length, children[i]);
  return length;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
