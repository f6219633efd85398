/** The keywords of a schema that is an object. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Keywords whose schemas apply to the same instance as the schema itself. */
export const SAME_INSTANCE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
  'dependentSchemas',
]);

/** Keywords whose schemas apply to parts of the instance. */
export const PARTS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

const ANNOTATION =
  /^(?:title|description|examples?|deprecated|readOnly|writeOnly|externalDocs|xml|discriminator|nullable|\$id|\$schema|\$anchor|\$comment|\$defs|definitions|x-.*)$/;

/** Whether a keyword has no effect on validation: an annotation, an extension, or a place for definitions. */
export const isAnnotation = (keyword: string): boolean => ANNOTATION.test(keyword);
