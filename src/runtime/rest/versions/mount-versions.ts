import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../../descriptor/base-path.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import { createSchemaRegistry } from '../../schema/create-schema-registry.ts';
import { mountOperations } from '../mount-rest.ts';
import type { RestOptions } from '../rest-options.ts';
import { createForward } from './forward.ts';
import type { VersionStep } from './version.ts';

export interface VersionsOptions {
  /** By name: `v1`. */
  readonly versions: Readonly<Record<string, OldVersion>>;
  readonly steps: Readonly<Record<string, VersionStep>>;
  readonly rest: RestOptions;
}

/**
 * Serves old versions beside the present one, over the same data: each is told by its step. Throws `HandlerError` when a version
 * has no step, unless what is missing is allowed, or a step no version.
 */
export async function mountVersions(app: FastifyInstance, { versions, steps, rest }: VersionsOptions): Promise<void> {
  const missing = Object.keys(versions).filter((name) => !steps[name]);
  if (missing.length > 0 && !rest.allowMissing)
    throw new HandlerError(`No step for the version ${missing.join(', ')} (handlers.versions)`);
  const extra = Object.keys(steps).filter((name) => !versions[name]);
  if (extra.length > 0)
    throw new HandlerError(`Steps for versions that the contract does not declare: ${extra.join(', ')}`);
  for (const [name, version] of Object.entries(versions)) {
    const step = steps[name];
    if (!step) continue;
    const document = outdated(version, rest.document);
    // Compiled when they are first needed: an old version is asked less and less.
    const schemas = createSchemaRegistry(document);
    const forward = createForward(app, rest.document, version, step);
    const { operations: _, ...shared } = rest;
    await mountOperations(app, { ...shared, document, resources: [], errors: version.errors, schemas, forward });
  }
}

/** Every operation is deprecated, and its successor known (RFC 5829: `successor-version`). */
function outdated({ document, deprecated, sunset }: OldVersion, present: OpenApiDocument): OpenApiDocument {
  const old = {
    deprecated: true,
    'x-deprecated-since': deprecated,
    ...(sunset !== undefined && { 'x-sunset': sunset }),
  };
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([key, value]) =>
        key === 'parameters'
          ? [key, value]
          : [key, { ...(value as object), ...old, 'x-successor': basePathOf(present) }],
      ),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
