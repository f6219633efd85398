import { type Frame, markdownPath, type Page } from './layout/page.ts';

/** The pages as Markdown, for readers that are programs, and `llms.txt`, which lists them (llmstxt.org). */
export function markdownFiles(
  pages: readonly Page[],
  { title, version, links }: Frame,
): [path: string, text: string][] {
  const files = pages.map(({ path, text }): [string, string] => [markdownPath(path), toMarkdownLinks(text)]);
  const errors = pages.filter(({ path }) => path.startsWith('errors/'));
  const listed = [pages[0]!, ...pages.filter(({ path }) => links.some((link) => link.path === path))];
  const index = `# ${title}

> Version ${version}. REST and GraphQL over the same resources; both are described by one contract.

## Documentation

${listed.map((page) => `- [${page.title}](${markdownPath(page.path)})`).join('\n')}

## Machine-readable

- [OpenAPI 3.1](docs/openapi.json)
${links.some(({ path }) => path === 'docs/graphql.html') ? '- [GraphQL schema](docs/schema.graphql)\n' : ''}
## Errors

${errors.map((page) => `- [${page.title}](${markdownPath(page.path)})`).join('\n')}
`;
  return [...files, ['llms.txt', index]];
}

/** Links to pages lead to their Markdown, where there is some. */
const toMarkdownLinks = (text: string): string =>
  text.replaceAll(/\]\((?!\w+:)([^()#]*?)\.html((?:#[^()]*)?)\)/g, (whole, path: string, fragment: string) =>
    path.endsWith('graphiql') ? whole : `](${path}.md${fragment})`,
  );
