import { _, type AnySchema, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import { formats } from '../../descriptor/formats/formats.ts';
import { DirectedSchemas } from './directed-schema.ts';
import { lenientPattern } from './parts/pattern.ts';
import { withUniqueItems } from './parts/unique-items.ts';

/** What validators are for: inputs, inputs that get their defaults, outputs; `first` stops at the first fault. */
export const DIALECTS = {
  'input first': { direction: 'input', useDefaults: false, allErrors: false },
  'input every': { direction: 'input', useDefaults: false, allErrors: true },
  'filling first': { direction: 'input', useDefaults: true, allErrors: false },
  'filling every': { direction: 'input', useDefaults: true, allErrors: true },
  'output first': { direction: 'output', useDefaults: false, allErrors: false },
  'output every': { direction: 'output', useDefaults: false, allErrors: true },
} as const;

export type DialectName = keyof typeof DIALECTS;

/** Validators of a document that have been compiled before, by their dialect and by the text of their schema. */
export type CompiledValidators = { readonly [D in DialectName]?: Readonly<Record<string, ValidateFunction>> };

/** Ajv with the schemas of a document for one dialect. */
export class Dialect {
  readonly ajv: Ajv2020;
  readonly #schemas: DirectedSchemas;

  constructor(document: OpenApiDocument, name: DialectName, code: Options['code'] = {}) {
    const { direction, ...options } = DIALECTS[name];
    this.ajv = withUniqueItems(new Ajv2020({ ...OPTIONS, ...options, code: { ...OPTIONS.code, ...code } }));
    this.#schemas = new DirectedSchemas(document, direction, (id, schema) =>
      this.ajv.addSchema(schema as AnySchema, id),
    );
  }

  compile(schema: Schema): ValidateFunction {
    return this.ajv.compile(this.translated(schema));
  }

  translated(schema: Schema): AnySchema {
    return this.#schemas.of(schema) as AnySchema;
  }
}

/** Many operations have equal schemas, each by an object of its own, which differ in what is said of them. */
export function textOf(schema: Schema): string {
  if (typeof schema === 'boolean') return String(schema);
  const { title: _title, description: _description, example: _example, examples: _examples, ...rest } = schema;
  return JSON.stringify(rest);
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
  // What V8 does as well would take a third of the time.
  code: { regExp: lenientPattern, formats: _`formats`, optimize: false },
};
