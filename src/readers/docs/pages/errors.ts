import type { ContractModel } from '../../../compiler/model/index.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { GRAPHQL_ERROR_CODES } from '../../../descriptor/standard-errors.ts';
import type { ProblemOf } from '../console/recorded-errors.ts';
import { adviceOn } from '../guides/failures.ts';
import { guidePath } from '../guides/guide.ts';
import { link } from '../layout/links.ts';
import { code, firstSentence, inline, json, lines, plain, table, withoutMarkup } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';
import { CODES_OF_ANY_REQUEST } from '../reference/operation-errors.ts';
import type { Places } from '../reference/places.ts';

/** What the pages of errors are made of. */
export interface ErrorSource {
  readonly model: ContractModel;
  readonly places: Places;
  readonly problems: () => Promise<ProblemOf>;
  readonly guides: readonly Page[];
}

/** A list of all error codes, and a page for each, which the `type` of a problem links to. */
export const errorPages = (source: ErrorSource): readonly Page[] => [
  listPage(source),
  ...Object.values(source.model.errors).map((error) => pageOf(error, source)),
];

function listPage({ model, places }: ErrorSource): Page {
  const rows = Object.values(model.errors).map(({ code: name, status, description, retryable }) => [
    link(code(name), places.error(name)),
    String(status),
    inline(description),
    retryable ? 'yes' : 'no',
  ]);
  return {
    path: 'docs/errors.html',
    title: 'Errors',
    description: 'Every error code, and what it means.',
    kind: 'page',
    text: () =>
      lines(
        '# Errors',
        `Every error has one of these codes${model.graphql ? ', the same over REST and GraphQL' : ''}. REST returns a problem (RFC 9457, ${code('application/problem+json')}), whose
${code('type')} links to the page of its code${model.graphql ? `; GraphQL has the code, the status and the faults in ${code('extensions')}` : ''}. Rely on the code, never on the text.`,
        table(['Code', 'Status', 'Meaning', 'The same request may succeed later'], rows),
      ),
  };
}

function pageOf(error: ErrorDescriptor, { model, places, problems, guides }: ErrorSource): Page {
  const { code: name, status, title, description, retryable } = error;
  const answering = model.operations.filter(({ errorCodes }) => errorCodes.includes(name));
  const rows = answering
    .slice(0, MAX_LISTED)
    .map(({ operationId, method, path }) => [
      link(code(operationId), places.operation(operationId)),
      code(`${method.toUpperCase()} ${path}`),
    ]);
  const more = answering.length - rows.length;
  const isOfGraphql = model.graphql !== undefined && GRAPHQL_ERROR_CODES.has(name);
  const isGraphqlOnly = isOfGraphql && answering.length === 0;
  const isMissed = isGraphqlOnly && name === 'EVENTS_MISSED';
  const guide = guideOf(name, guides);
  return {
    path: places.error(name),
    title: name,
    description: withoutMarkup(`${status} ${title}. ${firstSentence(description)}`),
    kind: 'error',
    words: [name, String(status), title, ...(CALLED[name] ?? [])],
    group: { title: 'Errors', path: 'docs/errors.html' },
    text: async () => {
      const problem = (await problems())(undefined, error);
      const { title: message, detail, code: _, ...rest } = problem;
      const extensions = { code: name, status, requestId: rest['requestId'] };
      return lines(
        `# ${code(name)}`,
        `**${status} ${plain(title)}.** ${description.trim()}`,
        isMissed
          ? 'It comes only in the stream of a subscription, in the place of events; the stream goes on.'
          : retryable
            ? 'The same request may succeed later, unchanged.'
            : 'The same request will fail again unless something changes.',
        `What to do: ${adviceOn(error)}.${guide ? ` See ${link(guide.title, guide.path)}.` : ''}`,
        !isGraphqlOnly && '## Over REST',
        !isGraphqlOnly && json(problem),
        model.graphql && '## Over GraphQL',
        model.graphql &&
          json({ ...(isMissed && { data: null }), errors: [{ message: detail ?? message, extensions }] }),
        model.graphql &&
          problem['errors'] !== undefined &&
          `Each of ${code('errors')} stands there, too, with ${code('argument')} in the place of ${code('pointer')} or ${code('parameter')}.`,
        '## Operations that return it',
        table(['Operation', 'Request'], rows) || whence(name, isGraphqlOnly, model.document.info.title),
        more > 0 && `And ${more} more.`,
        isOfGraphql && !isGraphqlOnly && 'Every request of GraphQL can return it, too.',
        link('All codes', 'docs/errors.html'),
      );
    },
  };
}

/** What can return a code that no operation has of its own. */
function whence(name: string, isGraphqlOnly: boolean, title: string): string {
  if (name === 'EVENTS_MISSED' && isGraphqlOnly) return 'Every subscription.';
  if (isGraphqlOnly) return 'Every request of GraphQL.';
  if (CODES_OF_ANY_REQUEST.includes(name)) return 'Every operation can return it.';
  return `No operation of ${plain(title)} declares it; any request can fail with it.`;
}

/** The guide that has the most to say of a code; not every contract has each. */
function guideOf(name: string, guides: readonly Page[]): Page | undefined {
  const find = (one: string) => guides.find(({ path }) => path === guidePath(one));
  return find(GUIDES[name] ?? 'errors') ?? find('errors');
}

const GUIDES: Readonly<Record<string, string>> = {
  EVENTS_MISSED: 'subscriptions',
  FORBIDDEN: 'tokens',
  IDEMPOTENCY_KEY_REUSED: 'creating-safely',
  ILLEGAL_TRANSITION: 'states',
  INVALID_CURSOR: 'paging',
  PRECONDITION_FAILED: 'changing-what-was-read',
  SERVICE_UNAVAILABLE: 'retries',
  TOO_MANY_REQUESTS: 'retries',
  UNAUTHENTICATED: 'tokens',
};

/** What readers call errors of the conventions. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  ALREADY_EXISTS: ['duplicate', 'taken', 'unique', 'conflict'],
  FORBIDDEN: ['permission denied', 'not allowed', 'scope missing'],
  LIMIT_EXCEEDED: ['GraphQL query too deep', 'depth', 'complexity', 'cost', 'too expensive', 'aliases'],
  PRECONDITION_FAILED: ['version conflict', 'If-Match', 'etag'],
  SERVICE_UNAVAILABLE: ['down', 'outage', 'overloaded'],
  STILL_REFERENCED: ["can't delete", 'cannot delete', 'in use', 'foreign key'],
  TOO_MANY_REQUESTS: ['rate limit', 'throttled'],
  UNAUTHENTICATED: ['unauthorized', 'token expired', 'invalid token', 'login'],
};

/** More operations make a page that nobody reads. */
const MAX_LISTED = 100;
