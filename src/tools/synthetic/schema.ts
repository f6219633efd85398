import type { OpenApiDocument } from '../../descriptor/document.ts';
import { dereference, isReference } from '../../runtime/schema/reference.ts';

/** The keywords of JSON Schema that values are made from. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: ValueSchema;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly oneOf?: readonly ValueSchema[];
  readonly anyOf?: readonly ValueSchema[];
  readonly allOf?: readonly ValueSchema[];
  readonly discriminator?: { readonly propertyName: string };
}

/** The schema without references at its top and without `allOf`; what stands beside them wins. */
export function flat(document: OpenApiDocument, schema: ValueSchema | undefined): ValueSchema {
  if (schema === undefined || typeof schema === 'boolean') return {};
  if (isReference(schema)) {
    const { $ref, ...beside } = schema as ValueSchema & { $ref: string };
    return { ...flat(document, dereference<ValueSchema>(document, { $ref })), ...beside };
  }
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  return [...allOf.map((part) => flat(document, part)), own].reduce(both, {});
}

function both(a: ValueSchema, b: ValueSchema): ValueSchema {
  const required = [...(a.required ?? []), ...(b.required ?? [])];
  const properties = { ...a.properties, ...b.properties };
  return {
    ...a,
    ...b,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

export function typesOf({ type }: ValueSchema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

/** The alternatives that are not null, flat. */
export function branchesOf(document: OpenApiDocument, schema: ValueSchema): readonly ValueSchema[] {
  const branches = (schema.oneOf ?? schema.anyOf ?? []).map((branch) => flat(document, branch));
  return branches.filter((branch) => typesOf(branch).join() !== 'null');
}

export function takesNull(document: OpenApiDocument, schema: ValueSchema): boolean {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  return (
    typesOf(schema).includes('null') || branches.some((branch) => typesOf(flat(document, branch)).includes('null'))
  );
}
