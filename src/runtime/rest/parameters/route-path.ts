import { sentPath } from '../../../descriptor/sent-path.ts';

const PARAMETER = /\{([^{}]+)\}/g;

/** A path template in the syntax of Fastify's router: `/orders/{orderId}` becomes `/orders/:orderId`. */
export function routePathOf(path: string): string {
  const parts = sentPath(path).split(PARAMETER);
  return parts.map((part, i) => (i % 2 === 0 ? escapeStatic(part) : parameter(part, parts[i + 1]!))).join('');
}

/** The name of a path parameter in the router: its own name if the router supports it. */
export function routeParameterOf(name: string): string {
  return /^\w+$/.test(name) ? name : `_${Buffer.from(name).toString('hex')}`;
}

/** A colon begins a parameter; two stand for a colon. A star is a wildcard, but for the pattern of a parameter that nothing reads. */
const escapeStatic = (text: string): string =>
  text.replaceAll(':', '::').replaceAll('*', (_, at: number) => `:_star${at}(\\x2a)`);

/** For the router, a parameter ends at `/`, `-` or `.`; before any other text it needs a pattern. */
function parameter(name: string, next: string): string {
  return `:${routeParameterOf(name)}${/^[^/.-]/.test(next) ? '([^/]+?)' : ''}`;
}
