import type { OpenApiDocument } from '../../descriptor/document.ts';
import { resolveReference } from './references.ts';

export interface ExampleSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly items?: ExampleSchema;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly oneOf?: readonly ExampleSchema[];
  readonly anyOf?: readonly ExampleSchema[];
  readonly allOf?: readonly ExampleSchema[];
}

/** Schemas may contain themselves. */
const MAX_DEPTH = 8;

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  decimal: '1.50',
  email: 'ada@example.com',
  int64: '1',
  uri: 'https://example.com/',
  uuid: '019bc0de-7c00-7000-8000-000000000001',
};

/**
 * A value that the schema's own examples make up, or else its types; undefined where neither says enough.
 * It need not be valid.
 */
export function exampleOf(document: OpenApiDocument, schema: ExampleSchema, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if (schema.$ref) {
    const target = resolveReference<ExampleSchema>(document, { $ref: schema.$ref });
    return target && exampleOf(document, target, depth + 1);
  }
  const { examples, example, const: constant, enum: values } = schema;
  const given = [examples?.[0], example, constant, schema.default, values?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const part = (of: ExampleSchema): unknown => exampleOf(document, of, depth + 1);
  const choice = (schema.oneOf ?? schema.anyOf)?.[0];
  if (choice) return part(choice);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part), objectOf(schema, part));
  return schema.properties ? objectOf(schema, part) : scalarOf(schema, part);
}

type Part = (schema: ExampleSchema) => unknown;

function objectOf({ properties = {}, required = [] }: ExampleSchema, part: Part): object {
  return Object.fromEntries(required.map((name) => [name, part(properties[name] ?? {})]));
}

function scalarOf(schema: ExampleSchema, part: Part): unknown {
  switch ([schema.type].flat()[0]) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => part(schema.items ?? {}));
    case 'object':
      return {};
    default:
      return undefined;
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 100 }: ExampleSchema): string | undefined {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  return pattern === undefined ? 'Example'.padEnd(minLength, '.').slice(0, maxLength) : undefined;
}
