import type { ValidateFunction } from 'ajv';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { once } from '../../descriptor/once.ts';
import { type CompiledValidators, Dialect, type DialectName, textOf } from './dialect.ts';
import type { SchemaRegistry, Validate } from './schema-registry.ts';
import { createValidator, type Validator } from './validator.ts';

/** Schemas are compiled on first use, or all of them by `compileAll`, but for those that have been compiled before. */
export function createSchemaRegistry(document: OpenApiDocument, compiled: CompiledValidators = {}): SchemaRegistry {
  const compilers = {
    input: new Compiler(document, 'input', compiled),
    filling: new Compiler(document, 'filling', compiled),
    output: new Compiler(document, 'output', compiled),
  };
  return {
    input: (schema, options) => compilers[options?.defaults ? 'filling' : 'input'].validator(schema),
    output: (schema) => compilers.output.validator(schema),
    compileAll: () => {
      for (const compiler of Object.values(compilers)) compiler.compileAll();
    },
  };
}

/** Validators for one purpose. */
class Compiler {
  readonly #isInput: boolean;
  readonly #first: Compile;
  readonly #every: Compile;
  readonly #known = new Map<Schema, Validator>();
  readonly #validators = new Map<string, Validator>();

  constructor(document: OpenApiDocument, purpose: 'input' | 'filling' | 'output', compiled: CompiledValidators) {
    this.#isInput = purpose !== 'output';
    this.#first = compilerOf(document, `${purpose} first`, compiled);
    this.#every = compilerOf(document, `${purpose} every`, compiled);
  }

  validator(schema: Schema): Validate {
    const known = this.#known.get(schema);
    if (known) return known.validate;
    const text = textOf(schema);
    const compilers = { first: () => this.#first(schema, text), every: () => this.#every(schema, text) };
    const validator = this.#validators.get(text) ?? createValidator(schema, compilers, this.#isInput);
    this.#known.set(schema, validator);
    this.#validators.set(text, validator);
    return validator.validate;
  }

  compileAll(): void {
    for (const { compile } of this.#validators.values()) compile();
  }
}

type Compile = (schema: Schema, text: string) => ValidateFunction;

/** What has been compiled before may be loaded when it is first read. */
function compilerOf(document: OpenApiDocument, name: DialectName, compiled: CompiledValidators): Compile {
  const dialect = once(() => new Dialect(document, name));
  return (schema, text) => compiled[name]?.[text] ?? dialect().compile(schema);
}
