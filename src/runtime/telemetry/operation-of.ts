import type { FastifyRequest } from 'fastify';

/** The operationId of the route that a request matches. */
export function operationOf({ routeOptions }: FastifyRequest): string | undefined {
  return (routeOptions.config as { operationId?: string } | undefined)?.operationId;
}
