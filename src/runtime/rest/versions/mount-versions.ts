import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../../descriptor/base-path.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../../descriptor/error.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import type { ReplyProblem } from '../../http/problem-reply.ts';
import { createSchemaRegistry } from '../../schema/create-schema-registry.ts';
import { mountOperations, registerPlainly } from '../mount-rest.ts';
import { readOperations } from '../operation.ts';
import type { RouteParts } from '../route-compiler.ts';
import type { Route } from '../routes.ts';
import { createForward } from './forward.ts';
import type { VersionStep } from './version.ts';

export interface VersionsOptions {
  /** By name: `v1`. */
  readonly versions: Readonly<Record<string, OldVersion>>;
  readonly steps: Readonly<Record<string, VersionStep>>;
  /** What the present version is served with. */
  readonly present: RouteParts;
  readonly replyProblemOf: (errors: ErrorCatalogue) => ReplyProblem;
  /** A version without a step is not served, instead of failing the boot. */
  readonly allowMissing: boolean;
}

/**
 * Serves old versions beside the present one, over the same data: each is told by its step. Throws `HandlerError` when a version
 * has no step, unless what is missing is allowed, or a step no version.
 */
export async function mountVersions(app: FastifyInstance, options: VersionsOptions): Promise<void> {
  const { versions, steps, present, replyProblemOf, allowMissing } = options;
  const missing = Object.keys(versions).filter((name) => !steps[name]);
  if (missing.length > 0 && !allowMissing)
    throw new HandlerError(`No step for the version ${missing.join(', ')} (handlers.versions)`);
  const extra = Object.keys(steps).filter((name) => !versions[name]);
  if (extra.length > 0)
    throw new HandlerError(`Steps for versions that the contract does not declare: ${extra.join(', ')}`);
  for (const [name, version] of Object.entries(versions)) {
    const step = steps[name];
    if (!step) continue;
    const document = outdated(version, present.document);
    const forward = createForward(app, present.document, version, step);
    const routes = readOperations(document).map((operation): [string, Route] => [
      operation.operationId,
      { isForwarded: true, answer: (request, context) => forward(operation, request, context) },
    ]);
    await mountOperations(
      app,
      new Map(routes),
      {
        ...present,
        document,
        schemas: createSchemaRegistry(document),
        identification: present.identification.of(document),
        replyProblem: replyProblemOf(version.errors),
      },
      registerPlainly,
    );
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
