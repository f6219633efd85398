import type { AnySchema, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { formats } from '../../descriptor/formats/formats.ts';
import { once } from '../../descriptor/once.ts';
import { DirectedSchemas } from './directed-schema.ts';
import type { Direction } from './foreign-properties.ts';
import { lenientPattern } from './pattern.ts';
import type { SchemaRegistry, Validate } from './schema-registry.ts';
import { withUniqueItems } from './unique-items.ts';
import { createValidator, type Validator } from './validator.ts';

/** Schemas are compiled on first use, or all of them by `compileAll`. */
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

/** Validators for one direction. */
class Compiler {
  readonly #first: Dialect;
  readonly #every: Dialect;
  readonly #known = new Map<Schema, Validator>();
  readonly #validators = new Map<string, Validator>();

  constructor(document: OpenApiDocument, direction: Direction, useDefaults: boolean) {
    this.#first = new Dialect(document, direction, { useDefaults, allErrors: false });
    this.#every = new Dialect(document, direction, { useDefaults, allErrors: true });
  }

  validator(schema: Schema, isInput: boolean): Validate {
    const known = this.#known.get(schema);
    if (known) return known.validate;
    const text = textOf(schema);
    const compilers = { first: () => this.#first.compile(schema), every: () => this.#every.compile(schema) };
    const validator = this.#validators.get(text) ?? createValidator(schema, compilers, isInput);
    this.#known.set(schema, validator);
    this.#validators.set(text, validator);
    return validator.validate;
  }

  compileAll(): void {
    for (const { compile } of this.#validators.values()) compile();
  }
}

/** Many operations have equal schemas, each by an object of its own, which differ in what is said of them. */
function textOf(schema: Schema): string {
  if (typeof schema === 'boolean') return String(schema);
  const { title: _, description: __, example: ___, examples: ____, ...rest } = schema;
  return JSON.stringify(rest);
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
  code: { regExp: lenientPattern, optimize: false },
};
