import type { OperationModel } from '../../../compiler/model/index.ts';
import { TRANSPORT_CODES } from '../../../compiler/read/complete/index.ts';
import { link } from '../layout/links.ts';
import { code, firstSentence, inline, lines, table } from '../layout/markdown.ts';
import { codesOf } from './error-codes.ts';
import type { Reference } from './reference.ts';

/** What the server answers before it knows which operation is asked for. */
export const CODES_OF_ANY_REQUEST: readonly string[] = ['REQUEST_TIMEOUT', 'EXPECTATION_FAILED', ...TRANSPORT_CODES];

/** What may go wrong with this operation in particular, and with any. */
export function errorsOf({ model, places, sharedCodes }: Reference, operation: OperationModel): string {
  const own = codesOf(operation);
  const ofAny = new Set([...CODES_OF_ANY_REQUEST.filter((name) => !own.has(name)), ...sharedCodes()]);
  const byStatus = Object.values(model.errors).toSorted((a, b) => a.status - b.status);
  const rows = byStatus
    .filter(({ code: name }) => own.has(name) && !ofAny.has(name))
    .map(({ code: name, status, description, retryable }) => [
      link(code(name), places.error(name)),
      String(status),
      preconditionOfRead(operation, [name]) ?? inline(firstSentence(description)),
      retryable ? 'yes' : 'no',
    ]);
  const others = byStatus
    .filter(({ code: name }) => ofAny.has(name))
    .map(({ code: name, status }) => `${link(code(name), places.error(name))} (${status})`);
  return lines(
    table(['Code', 'Status', 'Meaning', 'May succeed later'], rows),
    others.length > 0 && `Any request may also fail with ${others.join(', ')}.`,
    `${model.graphql ? `Over GraphQL the code is in ${code('extensions.code')}. ` : ''}${link('All codes', 'docs/errors.html')}.`,
  );
}

/** Reads take `If-Match`, too (RFC 9110, 13.1.1), whether or not they declare it: what it means there. */
export function preconditionOfRead(
  { method, parameters }: OperationModel,
  codes: readonly string[],
): string | undefined {
  const isDeclared = parameters.some(({ in: place, name }) => place === 'header' && /^if-match$/i.test(name));
  if (method !== 'get' || isDeclared || codes.join() !== 'PRECONDITION_FAILED') return undefined;
  return 'Only where the request has `If-Match`: what would be answered has another entity tag.';
}
