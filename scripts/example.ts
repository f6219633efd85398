import type { OpenApiDocument } from '../src/descriptor/document.ts';

interface ExampleSchema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly oneOf?: readonly ExampleSchema[];
  readonly allOf?: readonly ExampleSchema[];
}

/** A value that the schema's own examples make up; undefined where they say nothing. */
export function exampleOf(document: OpenApiDocument, schema: ExampleSchema): unknown {
  if (schema.$ref) return exampleOf(document, component(document, schema.$ref));
  const given = [schema.examples?.[0], schema.example, schema.const, schema.enum?.[0]].find(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  if (schema.oneOf) return exampleOf(document, schema.oneOf[0]!);
  if (schema.properties) return exampleObject(document, schema);
  return schema.default;
}

function component(document: OpenApiDocument, ref: string): ExampleSchema {
  return document.components!.schemas![ref.slice('#/components/schemas/'.length)] as ExampleSchema;
}

function exampleObject(document: OpenApiDocument, { properties = {}, required = [] }: ExampleSchema): unknown {
  return Object.fromEntries(required.map((name) => [name, exampleOf(document, properties[name] ?? {})]));
}
