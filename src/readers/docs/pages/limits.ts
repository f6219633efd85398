import type { ContractModel } from '../../../compiler/model/index.ts';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import type { RestDescriptor } from '../../../descriptor/rest.ts';
import { PRODUCTION_REQUESTS_PER_MINUTE, settings } from '../../../runtime/settings/index.ts';
import { code, table } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';

const LABELS: Readonly<Record<keyof GraphqlLimits, string>> = {
  documentBytes: 'Size of a document, in bytes',
  tokens: 'Tokens of a document',
  depth: 'Levels of fields',
  cost: 'Cost of a document: the weighted size of its largest possible answer',
  aliases: 'Fields with an alias',
  directives: 'Directives in a document',
  subscriptions: 'Concurrent operations on one socket',
};

/** The limits of a request: those of the contract, and the defaults of a server. */
export const limitsPage = (model: ContractModel): Page =>
  textPage('docs/limits.html', 'Limits', 'What one request may ask for, and how many there may be.', () =>
    textOf(model),
  );

/** The bodies that the contract itself limits. */
const bodyLimits = ({ operations }: RestDescriptor): readonly (readonly string[])[] =>
  operations.flatMap(({ operationId, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).flatMap(([type, { maxBytes }]) =>
      maxBytes === undefined ? [] : [[code(operationId), code(type), maxBytes.toLocaleString('en')]],
    ),
  );

function textOf({ resources, rest, graphql }: ContractModel): string {
  const bodies = bodyLimits(rest);
  const lists = resources.flatMap(({ path, list }) =>
    list ? [[code(path), String(list.defaultLimit), String(list.maximumLimit)]] : [],
  );
  const servers = [
    ['Size of a body, in bytes', settings.bodyLimitBytes.fallback, 'CONTENT_TOO_LARGE'],
    ['Time for a whole request to arrive, in ms', settings.requestTimeoutMs.fallback, 'REQUEST_TIMEOUT'],
    ['Requests of one caller in a minute', String(PRODUCTION_REQUESTS_PER_MINUTE), 'TOO_MANY_REQUESTS'],
  ].map(([what, value, error]) => [what!, value!, `[\`${error}\`](site:errors/${error}.html)`]);
  const query = graphql
    ? `## GraphQL

These are checked before anything is executed; the error is [\`LIMIT_EXCEEDED\`](site:errors/LIMIT_EXCEEDED.html).

${table(
  ['What', 'Maximum'],
  (Object.keys(LABELS) as (keyof GraphqlLimits)[]).map((name) => [
    LABELS[name],
    graphql.descriptor.limits[name].toLocaleString('en'),
  ]),
)}
`
    : '';
  return `# Limits

${lists.length > 0 ? `## Pages of lists\n\nWhat one request may ask for.\n\n${table(['List', 'Default page size', 'Maximum page size'], lists)}\n` : ''}
${query}
## Requests

These are the defaults; the operator of a server can change them.

${table(['What', 'Maximum', 'Error'], servers)}

${bodies.length > 0 ? `Bodies of these operations have limits of their own:\n\n${table(['Operation', 'Media type', 'Bytes'], bodies)}\n\n` : ''}While a limit is in force, the \`RateLimit\` header of a response has the number of requests left; \`Retry-After\` says when to try again.
`;
}
