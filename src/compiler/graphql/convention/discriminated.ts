import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { schemaNameOf } from '../../json-schema/references.ts';
import { flatNamed, flatSchema, namedSchemas, schemaNamed } from '../../model/schemas.ts';

/** A `oneOf` with a discriminator: the names of its variants' schemas, by the property's value. */
export interface Discriminated {
  readonly property: string;
  readonly schemas: Readonly<Record<string, string>>;
}

/** The variants of a named schema; undefined if it has none, or a variant does not fix the property. */
export function discriminated(document: OpenApiDocument, name: string): Discriminated | undefined {
  const schema = schemaNamed(document, name);
  if (!isSchemaObject(schema)) return undefined;
  const { oneOf, discriminator } = schema as { oneOf?: Schema[]; discriminator?: { propertyName?: string } };
  const property = discriminator?.propertyName;
  if (!Array.isArray(oneOf) || property === undefined) return undefined;
  const variants = oneOf.map(schemaNameOf).filter((variant) => variant !== undefined);
  const values = variants.map((variant) => valuesOf(document, variant, property));
  return values.some(({ length }) => length === 0)
    ? undefined
    : { property, schemas: Object.fromEntries(values.flat()) };
}

/** The discriminators of the unions that a schema is a variant of; input types do not have them. */
export function discriminatorsOf(document: OpenApiDocument, variant: string): ReadonlySet<string> {
  const unions = Object.keys(namedSchemas(document)).flatMap((name) => discriminated(document, name) ?? []);
  const own = unions.filter(({ schemas }) => Object.values(schemas).includes(variant));
  return new Set(own.map(({ property }) => property));
}

/** The discriminator's values in a variant: a `const` or an `enum`. */
function valuesOf(document: OpenApiDocument, variant: string, property: string): [string, string][] {
  const flat = flatNamed(document, variant);
  const { keywords } = flatSchema(document, ...(flat.properties.get(property)?.schemas ?? []));
  const values = [keywords.get('const')?.value ?? keywords.get('enum')?.value ?? []].flat();
  return values.map((value) => [String(value), variant]);
}
