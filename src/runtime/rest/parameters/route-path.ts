const PARAMETER = /\{([^{}]+)\}/g;

/** A templated path as Fastify's router spells it: `/orders/{orderId}` is `/orders/:orderId`. */
export function routePathOf(path: string): string {
  const parts = path.split(PARAMETER);
  return parts.map((part, i) => (i % 2 === 0 ? escapeStatic(part) : parameter(part, parts[i + 1]!))).join('');
}

/** The router's name for a path parameter: its own where the router can take it. */
export function routeParameterOf(name: string): string {
  return /^\w+$/.test(name) ? name : `_${Buffer.from(name).toString('hex')}`;
}

/** Matches the paths of a template. */
export function pathPatternOf(path: string): RegExp {
  const parts = path.split(PARAMETER);
  const source = parts.map((part, i) => (i % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : '[^/]+')).join('');
  return new RegExp(`^${source}$`);
}

/** A colon begins a parameter; doubled, it is itself. */
const escapeStatic = (text: string): string => text.replaceAll(':', '::');

/** The router ends a parameter at `/`, `-` and `.`; before other text it needs a pattern. */
function parameter(name: string, next: string): string {
  return `:${routeParameterOf(name)}${/^[^/.-]/.test(next) ? '([^/]+?)' : ''}`;
}
