import { openapiTypes, publishedDocument } from '../../../compiler/emit/index.ts';
import { emitSdk, packageNameOf } from '../../../compiler/emit/sdk/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { Keep } from '../../../descriptor/keep.ts';
import type { MakeContent } from '../../../runtime/site/index.ts';
import { link } from '../layout/links.ts';
import { code, lines, table } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';
import { tarball } from './tarball.ts';

/** A file to download. */
export interface Download {
  /** Path in the site. */
  readonly path: string;
  readonly about: string;
  readonly content: MakeContent;
}

/** What programs and other tools read of a contract. */
export function downloadsOf(model: ContractModel, license?: string, keep?: Keep): readonly Download[] {
  const { graphql, versions = {} } = model;
  return [
    {
      path: 'docs/openapi.json',
      about: 'The REST half: OpenAPI 3.1, one file.',
      content: () => `${textOf(model.document)}\n`,
    },
    ...(graphql
      ? [{ path: 'docs/schema.graphql', about: 'The GraphQL half: the schema in SDL.', content: () => graphql.sdl }]
      : []),
    {
      path: 'docs/sdk.tgz',
      about: `The TypeScript client ${code(packageNameOf(model))}: \`npm install\` takes its address.`,
      content: () => packed(model, license, keep),
    },
    ...Object.entries(versions).map(([name, { document }]) => ({
      path: `docs/openapi-${name}.json`,
      about: `The REST half of the older version ${name}.`,
      content: () => textOf(document),
    })),
  ];
}

const textOf = (document: OpenApiDocument): string => JSON.stringify(publishedDocument(document), undefined, 2);

async function packed(model: ContractModel, license: string | undefined, keep: Keep | undefined): Promise<Buffer> {
  const sdk = await emitSdk(model, await openapiTypes(model.document, keep), license, keep);
  return tarball([...sdk].map(([path, text]) => [path.replace(/^sdk\//, 'package/'), text] as const));
}

/** Links to all of them. */
export const downloadsPage = (downloads: readonly Download[], isDivided: boolean): Page =>
  textPage('docs/downloads.html', 'Downloads', 'The contract, and what is made from it.', () =>
    lines(
      '# Downloads',
      'The contract, and what is made from it.',
      table(
        ['File', 'What it is'],
        downloads.map(({ path, about }) => [link(path.replace('docs/', ''), path), about]),
      ),
      `Each page of this site is there as Markdown, too, at the same address with ${code('.md')} in place of ${code('.html')};
${link('llms.txt', 'llms.txt')} lists ${isDivided ? 'all but those of operations and types, which the pages of their tags list' : 'them'}, and ${link('llms-full.txt', 'llms-full.txt')} has ${isDivided ? 'what it lists' : 'them all'}.`,
    ),
  );
