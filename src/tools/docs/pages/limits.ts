import type { ContractModel } from '../../../compiler/model/model.ts';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import { settings } from '../../../runtime/settings/settings.ts';
import { code, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';

const WORDS: Readonly<Record<keyof GraphqlLimits, string>> = {
  documentBytes: 'Size of a document, in bytes',
  tokens: 'Tokens of a document',
  depth: 'Levels of fields',
  cost: 'Cost of a document: what it may answer at most, weighed',
  aliases: 'Fields with an alias',
  directives: 'Directives in a document',
  subscriptions: 'Operations of one socket at a time',
};

/** What one request may ask: what the contract promises, and what a server has unless its operator says otherwise. */
export function limitsPage({ resources, graphql }: ContractModel): Page {
  const lists = resources.flatMap(({ path, list }) =>
    list ? [[code(path), String(list.defaultLimit), String(list.maximumLimit)]] : [],
  );
  const servers = [
    ['Size of a body, in bytes', settings.bodyLimitBytes.fallback, 'CONTENT_TOO_LARGE'],
    ['Time for a whole request to arrive, in ms', settings.requestTimeoutMs.fallback, 'REQUEST_TIMEOUT'],
    ['Requests of one caller in a minute', '300', 'TOO_MANY_REQUESTS'],
  ].map(([what, value, error]) => [what!, value!, `[\`${error}\`](../errors/${error}.html)`]);
  const query = graphql
    ? `## GraphQL

Checked before anything is executed; beyond them the answer is [\`LIMIT_EXCEEDED\`](../errors/LIMIT_EXCEEDED.html).

${table(
  ['', 'At most'],
  (Object.keys(WORDS) as (keyof GraphqlLimits)[]).map((name) => [
    WORDS[name],
    graphql.descriptor.limits[name].toLocaleString('en'),
  ]),
)}
`
    : '';
  return markdownPage(
    'docs/limits.html',
    'Limits',
    `# Limits

${lists.length > 0 ? `## Pages of lists\n\nThe same over both protocols.\n\n${table(['List', 'Entries unless told', 'Entries at most'], lists)}\n` : ''}
${query}
## Requests

What a server has unless whoever runs it says otherwise.

${table(['', 'At most', 'Beyond it'], servers)}

Answers tell what is left of the allowance in \`RateLimit\`; \`Retry-After\` says when to try again.
`,
  );
}
