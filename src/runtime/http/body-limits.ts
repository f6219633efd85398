import { MAX_BODIES_BYTES } from '../../descriptor/body-limits.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';

/** The bytes that each of the workers has for all bodies that it receives at the same time. */
export const bodyShare = (workers: number): number => Math.floor(MAX_BODIES_BYTES / workers);

/**
 * Holds the limits of bodies against the share of each worker. Throws `ConfigError` for those above it; in a contract that
 * does not follow the conventions they do not hold, and `warn` gets the message.
 */
export function checkBodyLimits(
  { rest, versions = {} }: CompiledContract,
  workers: number,
  warn: (message: string) => void,
): void {
  const all = [rest, ...Object.values(versions).map((version) => version.rest)];
  const faults = all.flatMap(({ operations }) => operations.flatMap((operation) => faultOf(operation, workers) ?? []));
  if (faults.length > 0 && !rest.yieldsLimits) throw new ConfigError(faults);
  for (const fault of faults) warn(`${fault} BODY_LIMIT_BYTES is its limit.`);
}

function faultOf({ operationId, requestBody }: OperationDescriptor, workers: number): string | undefined {
  const bytes = Math.max(0, ...Object.values(requestBody?.content ?? {}).map(({ maxBytes = 0 }) => maxBytes));
  const share = bodyShare(workers);
  if (bytes <= share) return undefined;
  const most = Math.floor(MAX_BODIES_BYTES / bytes);
  return `WORKERS: ${operationId} accepts bodies of ${bytes} bytes, and each of ${workers} workers has ${share} for all bodies. Set WORKERS to ${most}${most > 1 ? ' or less' : ''}.`;
}
