import { baseUrlOf } from '../../../compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../compiler/model/model.ts';
import { basePathOf } from '../../../descriptor/base-path.ts';
import { code, escaped, plain, rendered } from '../layout/markdown.ts';
import type { NavLink, Page } from '../layout/page.ts';

/** What a visitor needs first: what the API is, a call that works, and links to the rest. */
export function landingPage(model: ContractModel, links: readonly NavLink[], origin: string | undefined): Page {
  const { info } = model.document;
  const { summary, description } = info as { readonly summary?: string; readonly description?: string };
  const words = `# ${plain(info.title)}\n\n${summary ? `**${summary}**\n\n` : ''}${description ?? ''}\n\n## Start here\n\n${start(model, origin)}`;
  const cards = links.flatMap(({ path, title }) => {
    const about = ABOUT[path];
    return about === undefined
      ? []
      : [`<li><a href="${path}"><b>${escaped(title)}</b><span>${escaped(about)}</span></a></li>`];
  });
  const list = links.map(({ path, title }) => `- [${title}](${path}): ${ABOUT[path] ?? ''}`).join('\n');
  const body = `${rendered(words)}<h2 id="more">More</h2>\n<ul class="cards">\n${cards.join('\n')}\n</ul>`;
  return { path: 'index.html', title: info.title, body, text: `${words}\n\n## More\n\n${list}\n` };
}

const TRY = 'Try GraphQL in the browser.';

const ABOUT: Readonly<Record<string, string>> = {
  'docs/rest.html': 'Every operation, to try out, with samples in five languages.',
  'docs/graphql.html': 'Every query, mutation and subscription, ready to run.',
  graphiql: TRY,
  'docs/graphiql.html': TRY,
  'docs/resources.html': 'References between resources, their rules, lists and states.',
  'docs/access.html': 'Who may do what.',
  'docs/errors.html': 'Every code, the same over both protocols.',
  'docs/limits.html': 'What one request may ask for.',
  'docs/parity.html': 'REST and GraphQL side by side, fact by fact.',
  'docs/changelog.html': 'What changed from release to release.',
  'docs/downloads.html': 'OpenAPI, SDL and the TypeScript client.',
};

function start({ document, operations, resources, graphql }: ContractModel, origin: string | undefined): string {
  const base = origin === undefined ? baseUrlOf(document) : origin + basePathOf(document);
  const isPublic = (id: string | undefined) =>
    operations.some(({ operationId, access }) => operationId === id && access.anyOf.length === 0);
  const lists = resources.filter(({ actions, parent }) => actions.list && !parent);
  const list = lists.find(({ actions }) => isPublic(actions.list?.operationId)) ?? lists[0];
  const isOpen = isPublic(list?.actions.list?.operationId);
  const credentials = isOpen ? '' : " -H 'Authorization: Bearer TOKEN'";
  const field = Object.entries(graphql?.descriptor.fields ?? {})
    .find(([, one]) => one.kind === 'list' && one.resource === list?.key)?.[0]
    .split('.')[1];
  const endpoint = `${new URL(base).origin}/graphql`;
  const lines = [
    list && `curl '${base}${list.path}?limit=2'${credentials}`,
    field &&
      `curl '${endpoint}' -H 'Content-Type: application/json'${credentials} -d '{"query":"{ ${field}(first: 2) { nodes { id } } }"}'`,
  ].filter(Boolean);
  const everything = [
    `The API is at ${code(base)}${graphql ? `, GraphQL at ${code(endpoint)}` : ''}.`,
    ...(lines.length > 0 ? [`\`\`\`sh\n${lines.join('\n')}\n\`\`\``] : []),
  ];
  return everything.join('\n\n');
}
