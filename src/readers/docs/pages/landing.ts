import { baseUrlOf } from '../../../compiler/emit/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import { basePathOf } from '../../../descriptor/base-path.ts';
import { link } from '../layout/links.ts';
import { code, escaped, firstSentence, items, lines, plain, withoutMarkup } from '../layout/markdown.ts';
import type { NavLink, Page } from '../layout/page.ts';

/** What a visitor needs first: what the API is, a call that works, and links to the rest. */
export function landingPage(model: ContractModel, links: readonly Described[], origin: string | undefined): Page {
  const { info } = model.document;
  const { summary, description = '' } = info as { readonly summary?: string; readonly description?: string };
  return {
    path: 'index.html',
    title: info.title,
    description: summary ?? (withoutMarkup(firstSentence(description)) || `The documentation of ${info.title}.`),
    kind: 'page',
    text: () =>
      lines(
        `# ${plain(info.title)}`,
        summary && `**${summary}**`,
        description,
        '## Start here',
        start(model, origin),
        '## More',
        items(links.map(({ path, title, about }) => `${link(title, path)}: ${about}`)),
      ),
    finished: (html) => html.replace(/<ul>(?![\s\S]*<ul>)[\s\S]*<\/ul>\s*$/, () => cards(links)),
  };
}

/** A page that the menu has, and what stands there. */
export interface Described extends NavLink {
  readonly about: string;
}

const cards = (links: readonly Described[]): string => {
  const all = links.map(
    ({ path, title, about }) =>
      `<li><a href="site:${path}"><b>${escaped(title)}</b><span>${escaped(about)}</span></a></li>`,
  );
  return `<ul class="cards">\n${all.join('\n')}\n</ul>`;
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
