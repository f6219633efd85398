import type { OpenApiDocument } from '../../descriptor/document.ts';
import { isImpliedPattern } from '../../descriptor/implied-patterns.ts';
import { isReference, resolveReference } from './references.ts';

/** The keywords of JSON Schema that values are made from. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: ValueSchema;
  readonly prefixItems?: readonly ValueSchema[];
  readonly contains?: ValueSchema;
  readonly minContains?: number;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** What clients call its values. */
  readonly 'x-enum-varnames'?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: ValueSchema;
  readonly propertyNames?: ValueSchema;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, ValueSchema>>;
  readonly if?: ValueSchema;
  readonly then?: ValueSchema;
  readonly else?: ValueSchema;
  readonly oneOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly allOf?: readonly ValueSchema[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly discriminator?: { readonly propertyName: string };
}

/** The schema without references at its top, `allOf` and implied patterns; what stands beside them wins. */
export function flat(document: OpenApiDocument, schema: ValueSchema | undefined): ValueSchema {
  if (schema === undefined || typeof schema === 'boolean') return {};
  if (isReference(schema)) {
    const { $ref, ...beside } = schema as ValueSchema & { readonly $ref: string };
    return { ...flat(document, resolveReference<ValueSchema>(document, { $ref })), ...beside };
  }
  if (isImpliedPattern(schema)) return flat(document, withoutPattern(schema));
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = allOf.map((part) => flat(document, part));
  const isComposed = [...parts, own].filter(({ properties }) => properties).length > 1;
  return [...(isComposed ? parts.map(withExamplesOfProperties) : parts), own].reduce(laidOver, {});
}

function withoutPattern({ pattern: _, ...schema }: ValueSchema): ValueSchema {
  return schema;
}

/** Two schemas that both apply to a value, as one; where they differ, the second wins. */
function laidOver(a: ValueSchema, b: ValueSchema): ValueSchema {
  const required = [...(a.required ?? []), ...(b.required ?? [])];
  const properties = { ...a.properties, ...b.properties };
  return {
    ...a,
    ...b,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** An example of one part does not meet the whole, but it says what the properties of that part may be. */
function withExamplesOfProperties(part: ValueSchema): ValueSchema {
  const { examples: _, example: __, ...schema } = part;
  const [given] = documentedOf(part);
  if (typeof given !== 'object' || given === null || !part.properties) return schema;
  const properties = Object.entries(part.properties).map(([name, property]) => {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    return [name, value === undefined ? property : { ...property, examples: [value] }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The examples that a schema itself gives. */
export function documentedOf({ examples = [], example }: ValueSchema): readonly unknown[] {
  return example === undefined ? examples : [...examples, example];
}

export function typesOf({ type }: ValueSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

/** The alternatives that are not null, flat. */
export function branchesOf(document: OpenApiDocument, schema: ValueSchema): readonly ValueSchema[] {
  return alternativesOf(document, schema).map((branch) => flat(document, branch));
}

/** The alternatives that are not null, as the schema has them. */
function alternativesOf(document: OpenApiDocument, { oneOf, anyOf }: ValueSchema): readonly ValueSchema[] {
  return (oneOf ?? anyOf ?? []).filter((branch) => typesOf(flat(document, branch)).join() !== 'null');
}

export function takesNull(document: OpenApiDocument, schema: ValueSchema): boolean {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  return (
    typesOf(schema).includes('null') || branches.some((branch) => typesOf(flat(document, branch)).includes('null'))
  );
}
