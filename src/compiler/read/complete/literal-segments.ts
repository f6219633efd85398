import type { Schema } from '../../../descriptor/document.ts';
import { namingProperty, propertyNamed, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { parameterOf, pathSegments } from '../../model/naming.ts';
import { flatSchema, namedSchemas } from '../../model/schemas.ts';
import type { Completed } from './implied-patterns.ts';
import { withProperties } from './included-schemas.ts';

/**
 * Refuses, in place, texts that could not name a row in a path, because the path of another operation has them as a literal:
 * `/branches/stats` is never the branch `stats` (OpenAPI 3.1, 4.8.8.2).
 */
export function refuseLiteralSegments(
  { document, operations }: Completed,
  resources: readonly ResourceDescriptor[],
): void {
  const schemas = namedSchemas(document) as Record<string, Schema>;
  const done = new Set<object>();
  for (const resource of resources) {
    const property = namingProperty(resource);
    if (propertyNamed(resource.properties, property).type !== 'string') continue;
    const own = pathSegments(resource.path);
    const beside = operations.flatMap((operation) => {
      const segments = pathSegments(operation.path);
      const isBelow = segments.length > own.length && own.every((one, i) => isAlike(one, segments[i]));
      return isBelow ? [{ operation, segment: segments[own.length] ?? '' }] : [];
    });
    const literals = [...new Set(beside.map(({ segment }) => segment).filter((one) => parameterOf(one) === undefined))];
    if (literals.length === 0) continue;
    const refused = { not: { enum: literals.map(decodeURIComponent) } };
    for (const name of Object.values(resource.schemas)) {
      const schema = schemas[name];
      if (schema === undefined || !flatSchema(document, schema).properties.has(property)) continue;
      const known = Object(Object(schema).properties)[property];
      schemas[name] = withProperties(schema, { [property]: known === undefined ? refused : both(known, refused) });
    }
    for (const { operation, segment } of beside)
      for (const parameter of operation.parameters) {
        const { in: place, name, schema } = parameter;
        if (place !== 'path' || name !== parameterOf(segment) || typeof schema !== 'object' || done.has(schema))
          continue;
        done.add(schema);
        Object.assign(schema, both(schema, refused));
      }
  }
}

const isAlike = (a: string, b: string | undefined): boolean =>
  parameterOf(a) === undefined ? a === b : parameterOf(b) !== undefined;

function both(schema: Schema, refused: { readonly not: Schema }): Schema {
  if (typeof schema !== 'object') return { allOf: [schema, refused] };
  const { allOf } = schema as { readonly allOf?: readonly Schema[] };
  return 'not' in schema ? { ...schema, allOf: [...(allOf ?? []), refused] } : { ...schema, ...refused };
}
