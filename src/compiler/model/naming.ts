const PARAMETER = /^\{(.+)\}$/;

/** Segments of a path template: `/orders/{orderId}/items` → `orders`, `{orderId}`, `items`. */
export function pathSegments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Name of a path parameter segment; undefined for a static one. */
export function parameterOf(segment: string | undefined): string | undefined {
  return PARAMETER.exec(segment ?? '')?.[1];
}

/** Path templates that differ only in the names of their parameters are one path (OpenAPI 3.1, 4.8.8). */
export function pathShape(path: string): string {
  return `/${pathSegments(path)
    .map((segment) => (parameterOf(segment) === undefined ? segment : '{}'))
    .join('/')}`;
}

/** `/orders/{orderId}/line-items` → `orders.lineItems`. */
export function resourceKey(path: string): string {
  return staticSegments(path).map(camelCase).join('.');
}

/** `/orders/{orderId}/line-items` → `orders_line_items`. */
export function tableName(path: string): string {
  return staticSegments(path).map(snakeCase).join('_');
}

export function camelCase(words: string): string {
  return words.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
}

/** Name of the type of a resource's rows, by the GraphQL type that they stand for. */
export const rowTypeOf = (type: string): string => `${type}Row`;

export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export function snakeCase(words: string): string {
  return words
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

export function kebabCase(words: string): string {
  return snakeCase(words).replaceAll('_', '-');
}

function staticSegments(path: string): readonly string[] {
  return pathSegments(path).filter((segment) => parameterOf(segment) === undefined);
}
