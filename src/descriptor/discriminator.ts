import type { OpenApiDocument, Schema } from './document.ts';
import { isNullSchema } from './null-union.ts';
import { dereference, isReference, schemaUri } from './references.ts';

/** A union in which the value of one property decides which branch must match (OpenAPI 3.1, 4.8.25). */
export interface Discriminated {
  readonly property: string;
  readonly branches: readonly { readonly schema: Schema; readonly values: readonly unknown[] }[];
  /** The branch for values that name no other. */
  readonly rest?: Schema;
}

/** The member of a discriminator that refers to the schema of all other values: the `defaultMapping` of OpenAPI 3.2. */
export const DEFAULT_MAPPING = 'x-default-mapping';

/**
 * Reads the `discriminator` of a `oneOf` or `anyOf`, if there is one that names each branch. A branch for null is left out.
 */
export function discriminatedUnion(
  document: OpenApiDocument,
  schema: Readonly<Record<string, unknown>>,
): Discriminated | undefined {
  const union = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  if (!schema.discriminator || !union) return undefined;
  const {
    propertyName,
    mapping = {},
    [DEFAULT_MAPPING]: others,
  } = schema.discriminator as {
    propertyName: string;
    mapping?: Readonly<Record<string, string>>;
    [DEFAULT_MAPPING]?: string;
  };
  const all = union.filter((branch) => !isNullSchema(branch));
  const rest =
    others === undefined ? undefined : all.find((branch) => isReference(branch) && names(others, branch.$ref));
  const branches = all
    .map((branch) => ({
      schema: branch,
      values: branch === rest ? mapped(branch, mapping) : valuesOf(document, branch, propertyName, mapping),
    }))
    .filter(({ schema: branch, values }) => branch !== rest || values.length > 0);
  // Schemas without a name cannot be chosen by one (OpenAPI 3.1, 4.8.25).
  if (!branches.every(({ values }) => values.length > 0)) return undefined;
  return { property: propertyName, branches, ...(rest !== undefined && { rest }) };
}

/** The value from `mapping`, else the one that the branch requires, else the name of the schema. */
function valuesOf(
  document: OpenApiDocument,
  branch: Schema,
  property: string,
  mapping: Readonly<Record<string, string>>,
): readonly unknown[] {
  const reference = isReference(branch) ? branch.$ref : undefined;
  const given = mapped(branch, mapping);
  if (given.length > 0) return given;
  const declared = declaredValues(document, branch, property);
  if (declared.length > 0) return declared;
  return reference === undefined ? [] : [reference.slice(reference.lastIndexOf('/') + 1)];
}

function mapped(branch: Schema, mapping: Readonly<Record<string, string>>): readonly string[] {
  const reference = isReference(branch) ? branch.$ref : undefined;
  return Object.keys(mapping).filter((value) => names(mapping[value]!, reference));
}

/** A mapping names a schema by reference or by name. */
const names = (target: string, reference: string | undefined): boolean =>
  reference !== undefined && (target === reference || schemaUri(target) === reference);

function declaredValues(document: OpenApiDocument, branch: Schema, property: string): readonly unknown[] {
  const schema = dereference(document, branch);
  if (typeof schema === 'boolean') return [];
  const own = (schema.properties as Readonly<Record<string, Schema>> | undefined)?.[property];
  const declared = own === undefined ? undefined : dereference(document, own);
  if (typeof declared === 'object' && 'const' in declared) return [declared.const];
  if (typeof declared === 'object' && Array.isArray(declared.enum)) return declared.enum;
  const parts = (schema.allOf ?? []) as readonly Schema[];
  return parts.map((part) => declaredValues(document, part, property)).find((values) => values.length > 0) ?? [];
}
