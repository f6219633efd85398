import type { OpenApiDocument } from '../src/descriptor/document.ts';

interface ExampleSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly oneOf?: readonly ExampleSchema[];
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  decimal: '1.50',
  email: 'ada@example.com',
  int64: '1',
  uri: 'https://example.com/',
  uuid: '019bc0de-7c00-7000-8000-000000000001',
};

/** A value that the schema's own examples make up, or else its types; undefined where neither says enough. */
export function exampleOf(document: OpenApiDocument, schema: ExampleSchema): unknown {
  if (schema.$ref) return exampleOf(document, component(document, schema.$ref));
  const { examples, example, const: constant, enum: values, oneOf, properties } = schema;
  const given = [examples?.[0], example, constant, schema.default, values?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;
  if (oneOf) return exampleOf(document, oneOf[0]!);
  return properties ? exampleObject(document, schema) : exampleScalar(schema);
}

function component(document: OpenApiDocument, ref: string): ExampleSchema {
  return document.components!.schemas![ref.slice('#/components/schemas/'.length)] as ExampleSchema;
}

function exampleObject(document: OpenApiDocument, { properties = {}, required = [] }: ExampleSchema): unknown {
  return Object.fromEntries(required.map((name) => [name, exampleOf(document, properties[name] ?? {})]));
}

function exampleScalar(schema: ExampleSchema): unknown {
  switch ([schema.type].flat()[0]) {
    case 'string':
      return exampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    default:
      return undefined;
  }
}

function exampleText({ format, pattern, minLength = 0, maxLength = 100 }: ExampleSchema): string | undefined {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  return pattern === undefined ? 'Example'.padEnd(minLength, '.').slice(0, maxLength) : undefined;
}
