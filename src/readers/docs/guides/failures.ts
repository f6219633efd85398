import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { PRODUCTION_REQUESTS_PER_MINUTE } from '../../../runtime/settings/index.ts';
import { link } from '../layout/links.ts';
import { block, code, firstSentence, inline, table } from '../layout/markdown.ts';
import type { Guide } from './guide.ts';

/** What to do about errors for which neither another request nor a wait is enough. */
const ADVICE: Readonly<Record<string, string>> = {
  INVALID_CURSOR: 'begin with the first page',
  UNAUTHENTICATED: 'get a new token',
  FORBIDDEN: 'use a token that may do this',
  NOT_FOUND: 'check the id, and what the token may see',
  PERSISTED_QUERY_NOT_FOUND: 'send the document, too',
  CONFLICT: 'a create with an `Idempotency-Key`: send it again, unchanged; a change: read again, and send it again',
  PRECONDITION_FAILED: 'read again, decide again, send it again',
  IDEMPOTENCY_KEY_REUSED: 'take another key',
  INTERNAL_ERROR: 'report its `requestId` to the operator of the API',
  NOT_IMPLEMENTED: 'ask the operator of the API',
  EVENTS_MISSED: 'read again what is watched; the subscription goes on',
};

/** What to do about an error. */
export const adviceOn = ({ code: name, retryable }: Pick<ErrorDescriptor, 'code' | 'retryable'>): string =>
  ADVICE[name] ?? (retryable ? 'wait, and send it again' : 'change the request');

export const errors: Guide = {
  name: 'errors',
  values(shown, { model, places }) {
    const creatable = shown.resource(['create']);
    const rows = Object.values(model.errors)
      .toSorted((a, b) => a.status - b.status)
      .map((error) => [
        link(code(error.code), places.error(error.code)),
        String(error.status),
        inline(firstSentence(error.description)),
        adviceOn(error),
      ]);
    return {
      resource: creatable ?? shown.resource(['get']),
      action: creatable ? 'create' : 'get',
      codes: table(['Code', 'Status', 'Meaning', 'What to do'], rows),
    };
  },
};

export const retries: Guide = {
  name: 'retries',
  values(shown, { model, places }) {
    const resource = model.errors['TOO_MANY_REQUESTS'] && shown.resource(['list']);
    const worth = Object.values(model.errors).filter(({ code: name, retryable }) => retryable && !ADVICE[name]);
    return {
      resource,
      isLimited: resource,
      perMinute: PRODUCTION_REQUESTS_PER_MINUTE,
      retrying: resource && block('sh', shown.command(resource, 'list').replace('curl', 'curl --retry 3'), 'curl'),
      worth: worth.map(({ code: name, status }) => `${link(code(name), places.error(name))} (${status})`).join(', '),
      updates: shown.resource(['get', 'update']),
      creates: shown.resource(['create']),
    };
  },
};
