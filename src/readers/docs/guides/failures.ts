import { errorClassOf } from '../../../compiler/emit/sdk/sdk-errors.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { PRODUCTION_REQUESTS_PER_MINUTE } from '../../../runtime/settings/settings.ts';
import { link } from '../layout/links.ts';
import { block, code, firstSentence, inline, items, lines, table } from '../layout/markdown.ts';
import { literal } from '../samples/typescript.ts';
import { EACH, type Guide, guidePath } from './guide.ts';

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
  INTERNAL_ERROR: 'report its `requestId` to whoever runs the API',
  NOT_IMPLEMENTED: 'ask whoever runs the API',
  EVENTS_MISSED: 'read again what is watched; the subscription goes on',
};

/** What to do about an error. */
export const adviceOn = ({ code: name, retryable }: Pick<ErrorDescriptor, 'code' | 'retryable'>): string =>
  ADVICE[name] ?? (retryable ? 'wait, and send it again' : 'change the request');

export const errors: Guide = {
  name: 'errors',
  title: 'Errors, and what to do about each',
  description: 'How errors look over both protocols, and which are worth another try.',
  words: [
    'error',
    'errors',
    'error handling',
    'handle errors',
    'problem',
    'status code',
    'failure',
    'exception',
    'what does mean',
    'validation',
  ],
  text(shown, { model, places }) {
    const resource = shown.resource(['create']) ?? shown.resource(['get']);
    const action = resource?.actions.create ? 'create' : 'get';
    const rows = Object.values(model.errors)
      .toSorted((a, b) => a.status - b.status)
      .map(({ code: name, status, description, retryable }) => [
        link(code(name), places.error(name)),
        String(status),
        inline(firstSentence(description)),
        adviceOn({ code: name, retryable }),
      ]);
    return lines(
      `An error has a code; programs read the code, never the text. Over REST it is a problem (RFC 9457) with the status of the code. ${model.graphql ? `Over GraphQL it stands in ${code('errors[].extensions.code')}. ` : ''}The clients throw an error of a class for each code.`,
      resource &&
        [
          shown.curl(resource, action),
          shown.typescript(
            resource,
            action,
            ({ expression, parent, target }, { body }) => {
              const given = action === 'create' ? [...parent, literal(body?.value).replaceAll('\n', '\n  ')] : [target];
              return `try {
  await ${expression}.${action}(${given.join(', ')});
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.code, error.detail, error.errors, error.requestId);
}`;
            },
            ['ApiError'],
          ),
          shown.others(resource, action, {}, 'refused'),
          shown.graphql(resource, action),
        ].join('\n'),
      `${code('errors')} names every fault of a request and where it is: by ${code('pointer')} (RFC 6901) in the body, ${code('parameter')} in the path or the query, or ${code('header')}${model.graphql ? `; over GraphQL by ${code('argument')}` : ''}. ${code('requestId')} finds the request in the logs of whoever runs the API.`,
      '## Each code',
      table(['Code', 'Status', 'Meaning', 'What to do'], rows),
    );
  },
};

export const retries: Guide = {
  name: 'retries',
  title: 'Retries and rate limits',
  description: 'How many requests a caller may send, what 429 and 503 mean, and how to wait.',
  words: [
    'rate limit',
    'rate limits',
    'throttle',
    'throttling',
    '429',
    '503',
    'too many requests',
    'quota',
    'retry',
    'retries',
    'backoff',
    'Retry-After',
    'unavailable',
    'how many requests',
  ],
  text(shown, { model }) {
    const resource = model.errors['TOO_MANY_REQUESTS'] && shown.resource(['list']);
    const failed = errorClassOf('TOO_MANY_REQUESTS');
    const worth = Object.values(model.errors).filter(({ code: name, retryable }) => retryable && !ADVICE[name]);
    return lines(
      `A caller has ${PRODUCTION_REQUESTS_PER_MINUTE} requests a minute unless whoever runs the API has set another limit. While a limit is in force, the header ${code('RateLimit')} of an answer has what is left; beyond it requests are refused with 429 and ${code('Retry-After')}, in seconds.`,
      resource && 'The clients wait and try again; where they give up, the error has what the last answer asked for:',
      resource &&
        [
          block('sh', shown.command(resource, 'list').replace('curl', 'curl --retry 3'), 'curl'),
          shown.typescript(
            resource,
            'list',
            ({ expression, parent }) => `try {
  ${EACH(`${expression}.list(${parent.join(', ')})`)}
} catch (error) {
  if (!(error instanceof ${failed})) throw error;
  console.log(error.response?.headers.get('Retry-After'));
}`,
            [failed],
          ),
          shown.others(resource, 'list', {}, 'waits'),
        ].join('\n'),
      '## What to send again, and when',
      items([
        'Wait as long as `Retry-After` says; where it says nothing, a growing random time: the clients take about a quarter of a second, half a second and a second.',
        `Worth another try, unchanged: ${worth.map(({ code: name, status }) => `${link(code(name), `errors/${name}.html`)} (${status})`).join(', ')}.`,
        'A request without an answer is safe to repeat if it reads, replaces or deletes.',
        shown.resource(['get', 'update']) &&
          `A patch without ${code('If-Match')} may be repeated: it writes the same values. With it, a repetition that says 412 may have met ${link('your own change', guidePath('changing-what-was-read'))}.`,
        shown.resource(['create']) &&
          `A create may be repeated with an ${link('Idempotency-Key', guidePath('creating-safely'))}.`,
        'The clients do this by themselves for 408 and 429, and for 502, 503, 504 and no answer at all where it is safe.',
      ]),
      `${link('Limits', 'docs/limits.html')} has what one request may ask for.`,
    );
  },
};
