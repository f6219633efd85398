import type { FastifyRequest } from 'fastify';

/** The operationId of the route that a request has found. */
export function operationOf({ routeOptions }: FastifyRequest): string | undefined {
  return (routeOptions.config as { operationId?: string } | undefined)?.operationId;
}
