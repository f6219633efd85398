import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ContractModel, Modelled } from '../../compiler/model/model.ts';
import { RELEASED } from '../../compiler/sdl/read-sdl.ts';
import { graphiqlPage } from '../../runtime/graphql/graphiql.ts';
import type { ReplacedEntry } from '../handlers/replaced-entries.ts';
import { type Frame, html, markdownPage, type NavLink, type Page } from './layout/page.ts';
import { accessPage } from './pages/access.ts';
import { errorPages } from './pages/errors.ts';
import { landingPage } from './pages/landing.ts';
import { limitsPage } from './pages/limits.ts';
import { parityPage } from './pages/parity.ts';
import { resourcesPage } from './pages/resources.ts';
import { LIBRARY, type Reference, reference } from './reference.ts';

export interface SiteSource {
  readonly model: ContractModel;
  readonly parity: Modelled['parity'];
  /** Folder of the contract, which contains the record of its releases. */
  readonly contracts: string;
  /** The origin of the API, without a trailing slash; the contract's server if left out. */
  readonly origin?: string | undefined;
  /** Entries of the wiring that hand-written code replaces. */
  readonly replaced?: readonly ReplacedEntry[];
  /** Whether the server has GraphiQL at `/graphiql`; otherwise the site gets its own page. */
  readonly hasGraphiql?: boolean;
}

const GRAPHIQL = 'docs/graphiql.html';

const ASSETS = ['site.css', 'site.js', 'diagrams.js'];

/** The documentation of a contract: the text of each file, by path. The site refers to no other host. */
export async function buildSite(source: SiteSource): Promise<ReadonlyMap<string, string>> {
  const { model, parity, contracts, origin } = source;
  const { title, version } = model.document.info;
  const [references, changelog, assets] = await Promise.all([
    referencesOf(model),
    changelogOf(contracts),
    assetFiles(),
  ]);
  const links = linksOf(source, changelog !== undefined);
  const pages = [
    landingPage(model, links, origin),
    ...references.map(({ page }) => page),
    resourcesPage(model),
    accessPage(model),
    ...errorPages(model),
    limitsPage(model),
    ...(parity.length > 0 ? [parityPage(parity, source.replaced ?? [])] : []),
    ...(changelog === undefined ? [] : [markdownPage('docs/changelog.html', 'Changelog', changelog)]),
  ];
  const frame: Frame = { title, version, links };
  return new Map([
    ...pages.map((page: Page): [string, string] => [page.path, html(page, frame)]),
    ...references.map(({ script }): [string, string] => [script.path, script.text]),
    [LIBRARY, references[0]!.library],
    ['docs/openapi.json', JSON.stringify(model.document, undefined, 2)],
    ...graphqlFiles(source),
    ...assets,
  ]);
}

function referencesOf({ document, graphql }: ContractModel): Promise<readonly Reference[]> {
  return Promise.all([
    reference('openapi', JSON.stringify(document), { name: 'rest', title: 'REST' }),
    ...(graphql ? [reference('graphql', graphql.sdl, { name: 'graphql', title: 'GraphQL' })] : []),
  ]);
}

function graphqlFiles({ model, origin = '', hasGraphiql }: SiteSource): [path: string, text: string][] {
  if (!model.graphql) return [];
  return [
    ['docs/schema.graphql', model.graphql.sdl],
    ...(hasGraphiql ? [] : [[GRAPHIQL, graphiqlPage(`${origin}/graphql`)] as [string, string]]),
  ];
}

function linksOf({ model, parity, hasGraphiql }: SiteSource, hasChangelog: boolean): readonly NavLink[] {
  const link = (title: string, path: string, exists = true): NavLink[] => (exists ? [{ title, path }] : []);
  const hasGraphql = model.graphql !== undefined;
  return [
    ...link('REST', 'docs/rest.html'),
    ...link('GraphQL', 'docs/graphql.html', hasGraphql),
    ...link('GraphiQL', hasGraphiql ? 'graphiql' : GRAPHIQL, hasGraphql),
    ...link('Resources', 'docs/resources.html'),
    ...link('Access', 'docs/access.html'),
    ...link('Errors', 'docs/errors.html'),
    ...link('Limits', 'docs/limits.html'),
    ...link('Parity', 'docs/parity.html', parity.length > 0),
    ...link('Changelog', 'docs/changelog.html', hasChangelog),
  ];
}

/** Undefined when nothing has been released. */
async function changelogOf(contracts: string): Promise<string | undefined> {
  try {
    return await readFile(join(contracts, RELEASED, 'CHANGELOG.md'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return undefined;
    throw error;
  }
}

async function assetFiles(): Promise<[path: string, text: string][]> {
  const mermaid = createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js');
  const files = [...ASSETS.map((name) => new URL(`assets/${name}`, import.meta.url)), mermaid];
  const names = [...ASSETS, 'mermaid.min.js'];
  return Promise.all(
    files.map(async (file, i): Promise<[string, string]> => [`docs/assets/${names[i]}`, await readFile(file, 'utf8')]),
  );
}
