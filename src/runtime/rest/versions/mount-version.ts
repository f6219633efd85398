import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../../descriptor/base-path.ts';
import type { OldVersion } from '../../../descriptor/version.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import type { ReplyProblem } from '../../http/problem-reply.ts';
import { compiledValidators } from '../../schema/compiled-validators.ts';
import { createSchemaRegistry } from '../../schema/create-schema-registry.ts';
import { mountOperations } from '../mount-rest.ts';
import type { RouteParts } from '../route-compiler.ts';
import type { Route } from '../routes.ts';
import { createForwarder, type ForwardedVersion } from './forwarder.ts';
import type { VersionStep } from './version.ts';

/**
 * The versions with their steps, both by name (`v1`). `allowMissing`: a version without a step is not served. Throws
 * `HandlerError` for any other version without a step, and for a step without a version.
 */
export function servedVersions(
  versions: Readonly<Record<string, OldVersion>>,
  steps: Readonly<Record<string, VersionStep>>,
  allowMissing: boolean,
): readonly Omit<ForwardedVersion, 'engine'>[] {
  const missing = Object.keys(versions).filter((name) => !steps[name]);
  if (missing.length > 0 && !allowMissing)
    throw new HandlerError(`No step for the version ${missing.join(', ')} (handlers.versions)`);
  const extra = Object.keys(steps).filter((name) => !versions[name]);
  if (extra.length > 0)
    throw new HandlerError(`Steps for versions that the contract does not declare: ${extra.join(', ')}`);
  return Object.entries(versions).flatMap(([name, version]) => (steps[name] ? [{ version, step: steps[name] }] : []));
}

/** Serves an old version beside the current one, whose parts are `current`, over the same data. */
export async function mountVersion(
  app: FastifyInstance,
  served: ForwardedVersion,
  current: RouteParts,
  replyProblem: ReplyProblem,
): Promise<void> {
  const { document, rest, errors } = served.version;
  const forward = createForwarder(app, current, served);
  const routes = rest.operations.map((operation): [string, Route] => [
    operation.operationId,
    { isForwarded: true, answer: (request, context) => forward(operation, request, context) },
  ]);
  const parts: RouteParts = {
    ...current,
    document,
    rest,
    schemas: createSchemaRegistry(document, compiledValidators[basePathOf(document)]),
    admission: current.admission.of(rest),
    errors,
    replyProblem,
  };
  await mountOperations(app, new Map(routes), parts);
}
