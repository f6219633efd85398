import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import type { FastifyOpenapiGlueOptions } from 'fastify-openapi-glue';
import type { OperationDescriptor } from '../../descriptor/rest.ts';

/** What glue validates documents with, and what stands in for it. */
const VALIDATOR = '@seriousme/openapi-schema-validator';
const STAND_IN = new URL(`./glue-validator${extname(import.meta.url)}`, import.meta.url).href;

/**
 * Loads glue without its validator, which compiles the schema of OpenAPI at every start: a third of its time. Operations
 * that have been compiled are valid.
 */
export async function loadGlue(): Promise<FastifyPluginAsync<FastifyOpenapiGlueOptions>> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === VALIDATOR && context.parentURL?.includes('/fastify-openapi-glue/')
        ? { url: STAND_IN, shortCircuit: true }
        : next(specifier, context),
  });
  try {
    return (await import('fastify-openapi-glue')).default;
  } finally {
    hooks.deregister();
  }
}

/** All that glue needs to know of operations: where each one is, and its name. */
export function glueDocument(operations: readonly OperationDescriptor[]): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operationId } of operations) paths[path] = { ...paths[path], [method]: { operationId } };
  return { openapi: '3.1.0', info: { title: 'Operations', version: '1' }, paths };
}
