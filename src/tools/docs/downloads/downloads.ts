import { emitDocument } from '../../../compiler/emit/emit-data.ts';
import { openapiTypes } from '../../../compiler/emit/emit-types.ts';
import { emitSdk } from '../../../compiler/emit/sdk/emit-sdk.ts';
import { packageNameOf } from '../../../compiler/emit/sdk/sdk-package.ts';
import type { ContractModel } from '../../../compiler/model/model.ts';
import { code, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';
import { tarball } from './tarball.ts';

/** A file to download. */
export interface Download {
  /** Path in the site. */
  readonly path: string;
  readonly about: string;
  readonly content: string | Buffer;
}

/** What programs and other tools read of a contract. */
export async function downloadsOf(model: ContractModel, license?: string): Promise<readonly Download[]> {
  const { graphql, versions = {} } = model;
  const sdk = await emitSdk(model, await openapiTypes(model.document), license);
  const files = [...sdk].map(([path, text]) => [path.replace(/^sdk\//, 'package/'), text] as const);
  return [
    { path: 'docs/openapi.json', about: 'The REST half: OpenAPI 3.1, one file.', content: emitDocument(model) },
    ...(graphql
      ? [{ path: 'docs/schema.graphql', about: 'The GraphQL half: the schema in SDL.', content: graphql.sdl }]
      : []),
    {
      path: 'docs/sdk.tgz',
      about: `The TypeScript client ${code(packageNameOf(model))}: \`npm install\` takes its address.`,
      content: tarball(files),
    },
    ...Object.entries(versions).map(([name, { document }]) => ({
      path: `docs/openapi-${name}.json`,
      about: `The REST half of the older version ${name}.`,
      content: JSON.stringify(document, undefined, 2),
    })),
  ];
}

/** Links to all of them. */
export function downloadsPage(downloads: readonly Download[]): Page {
  const rows = downloads.map(({ path, about }) => {
    const name = path.replace('docs/', '');
    return [`[${name}](${name})`, about];
  });
  const text = `# Downloads

The contract, and what is made from it.

${table(['File', 'What it is'], rows)}

Each page of this site is there as Markdown, too, at the same address with \`.md\` in place of \`.html\`;
[llms.txt](../llms.txt) lists them.
`;
  return markdownPage('docs/downloads.html', 'Downloads', text);
}
