import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { OperationDescriptor } from '../../descriptor/rest.ts';
import { ApiError } from '../../runtime/errors/index.ts';
import { operationOf } from '../../runtime/telemetry/index.ts';

const MAX_DELAY_MS = 60_000;

/** One preference: `code=404`, `delay="500"` (RFC 7240, 2). */
const PREFERENCE = /(?:^|,)\s*([\w-]+)\s*=\s*"?([\w-]+)"?\s*(?=[;,]|$)/g;

/**
 * Honours the `Prefer` header (RFC 7240): `code=OUT_OF_STOCK` answers with that error, `code=409` with the first error
 * of that status, if the operation declares it; `delay=500` delays the answer, in milliseconds.
 */
export function applyPreferences(app: FastifyInstance, { rest, errors }: CompiledContract): void {
  const operations = new Map(rest.operations.map((operation) => [operation.operationId, operation]));
  app.addHook('onRequest', async (request, reply) => {
    const preferences = preferencesOf(request.headers['prefer']);
    const wait = Number(preferences.get('delay') ?? 0);
    if (wait > 0) {
      reply.header('preference-applied', `delay=${preferences.get('delay')}`);
      await delay(Math.min(wait, MAX_DELAY_MS));
    }
    const code = preferences.get('code');
    const operation = operations.get(operationOf(request) ?? '');
    if (code === undefined || code.startsWith('2') || !operation) return;
    const declared = operation.errorCodes ?? [];
    const chosen = declared.find((one) => one === code || String(errors[one]?.status) === code);
    if (chosen === undefined) throw undeclared(code, operation, declared);
    reply.header('preference-applied', `code=${code}`);
    throw new ApiError<string>(chosen, { detail: 'This error was requested by the Prefer header.' });
  });
}

function preferencesOf(field: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const text = [field ?? []].flat().join(',');
  return new Map([...text.matchAll(PREFERENCE)].map(([, name, value]) => [name!.toLowerCase(), value!]));
}

function undeclared(code: string, { operationId }: OperationDescriptor, declared: readonly string[]): ApiError {
  const detail = `${operationId} does not declare ${code}; it declares ${declared.join(', ')}.`;
  return new ApiError('VALIDATION_FAILED', {
    detail,
    errors: [{ header: 'Prefer', detail: 'must name a declared error' }],
  });
}
