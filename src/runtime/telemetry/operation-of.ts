import type { FastifyRequest } from 'fastify';

/** The route of a request, in the syntax of the router; undefined: it has none. */
export type RouteOf = (request: FastifyRequest) => string | undefined;

/** The operationId of the route that a request matches. */
export function operationOf({ routeOptions }: FastifyRequest): string | undefined {
  return (routeOptions.config as { operationId?: string } | undefined)?.operationId;
}
