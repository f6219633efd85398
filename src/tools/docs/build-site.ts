import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectLicense } from '../../compiler/emit/clients/publication.ts';
import { type GraphqlOperation, graphqlOperations } from '../../compiler/emit/graphql-operations.ts';
import { baseUrlOf } from '../../compiler/emit/sample-requests.ts';
import type { ContractModel, Modelled } from '../../compiler/model/model.ts';
import { RELEASED } from '../../compiler/sdl/read-sdl.ts';
import { basePathOf } from '../../descriptor/base-path.ts';
import { operationWithId } from '../../descriptor/rest.ts';
import { graphiqlPage } from '../../runtime/graphql/graphiql.ts';
import { listDocuments } from '../../runtime/graphql/list-document.ts';
import type { ReplacedEntry } from '../handlers/replaced-entries.ts';
import { assetFiles } from './assets.ts';
import { type Download, downloadsOf, downloadsPage } from './downloads/downloads.ts';
import { graphqlPage } from './graphql/graphql-page.ts';
import { code } from './layout/markdown.ts';
import { html, markdownPage, type NavLink, type Page } from './layout/page.ts';
import { markdownFiles } from './markdown-files.ts';
import { accessPage } from './pages/access.ts';
import { errorPages } from './pages/errors.ts';
import { landingPage } from './pages/landing.ts';
import { limitsPage } from './pages/limits.ts';
import { parityPage } from './pages/parity.ts';
import { resourcesPage } from './pages/resources.ts';
import { unknownPage } from './pages/unknown.ts';
import { recordedErrors } from './rest/recorded-errors.ts';
import { operationPath } from './rest/rest-links.ts';
import { type RestReference, restReference, type SiteCaller } from './rest/rest-page.ts';
import { codeSamples } from './rest/samples/samples.ts';
import { searchIndex } from './search/search-index.ts';

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
  /** Whose tokens the consoles fill in, the least powerful first. Only a development server has any. */
  readonly callers?: readonly SiteCaller[];
}

/** Files of a site, by path; texts are UTF-8. */
export type SiteFiles = ReadonlyMap<string, string | Buffer>;

const GRAPHIQL = 'docs/graphiql.html';

/** The documentation of a contract. The site refers to no other host than that of the API. */
export async function buildSite(source: SiteSource): Promise<SiteFiles> {
  const { model, contracts } = source;
  const { title, version } = model.document.info;
  const base = source.origin === undefined ? baseUrlOf(model.document) : source.origin + basePathOf(model.document);
  const operations = graphqlOperations(model);
  const [rest, changelog, assets, downloads] = await Promise.all([
    referenceOf(source, base, operations),
    changelogOf(contracts),
    assetFiles(),
    downloadsOf(model, await projectLicense(contracts)),
  ]);
  const links = linksOf(source, changelog !== undefined);
  const pages = pagesOf(source, { base, rest, operations, changelog, downloads, links });
  const frame = { title, version, links, origin: new URL(base).origin };
  return new Map<string, string | Buffer>([
    ...pages.map((page): [string, string] => [page.path, html(page, frame)]),
    ...markdownFiles([...pages, landingInDocs(pages[0]!)], frame),
    ['docs/index.html', html(landingInDocs(pages[0]!), frame)],
    ['404.html', html(unknownPage(links), frame)],
    ['docs/assets/search-index.js', searchIndex(model, pages, (id) => operationPath(operationOf(model, id)))],
    rest.script,
    ...downloads.map(({ path, content }): [string, string | Buffer] => [path, content]),
    ...graphiqlFile(source, base),
    ...assets,
  ]);
}

interface Parts {
  readonly base: string;
  readonly rest: RestReference;
  readonly operations: readonly GraphqlOperation[];
  readonly changelog: string | undefined;
  readonly downloads: readonly Download[];
  readonly links: readonly NavLink[];
}

function pagesOf(
  { model, parity, origin, replaced = [], hasGraphiql = false }: SiteSource,
  { base, rest, operations, changelog, downloads, links }: Parts,
): readonly Page[] {
  const graphqlLinks = {
    endpoint: `${new URL(base).origin}/graphql`,
    graphiql: hasGraphiql ? '../graphiql' : 'graphiql.html',
    rest: (id: string) => operationPath(operationOf(model, id)).replace('docs/', ''),
  };
  return [
    landingPage(model, links, origin),
    rest.page,
    ...(model.graphql ? [graphqlPage(model, operations, graphqlLinks)] : []),
    resourcesPage(model),
    accessPage(model),
    ...errorPages(model),
    limitsPage(model),
    ...(parity.length > 0 ? [parityPage(parity, replaced)] : []),
    ...(changelog === undefined ? [] : [markdownPage('docs/changelog.html', 'Changelog', changelog)]),
    downloadsPage(downloads),
  ];
}

const operationOf = ({ operations }: ContractModel, id: string) => operationWithId(operations, id);

/** The landing page is at `docs/`, too: `/` may be the contract's. */
const landingInDocs = (page: Page): Page => ({
  ...page,
  path: 'docs/index.html',
  body: page.body.replaceAll(/href="(?!#|\w+:)([^"]+)"/g, 'href="../$1"'),
  text: page.text.replaceAll(/\]\((?!#|\w+:)([^)]+)\)/g, '](../$1)'),
});

async function referenceOf(
  source: SiteSource,
  base: string,
  operations: readonly GraphqlOperation[],
): Promise<RestReference> {
  const { model, callers = [] } = source;
  const server = isBesideSite(source) ? basePathOf(model.document) : base;
  const linksOf = (operationId: string): string => {
    const names = operations.filter((one) => one.operationId === operationId).map(({ field }) => field.name);
    const links = [
      ...names.map((name) => `[${name}](graphql.html#${name})`),
      ...connectionsOf(model, operationId).map(code),
    ];
    return links.length === 0 ? '' : `GraphQL: ${links.join(', ')}.`;
  };
  const problemOf = await recordedErrors(model);
  return restReference(model, { base, server, samples: codeSamples(model, base), problemOf, linksOf }, callers);
}

/** The connections on types that list what an operation lists below one of another resource: `Issue.labels`. */
function connectionsOf({ graphql, resources }: ContractModel, operationId: string): readonly string[] {
  const below = resources.find(({ parent, actions }) => parent && actions.list?.operationId === operationId);
  return Object.entries(graphql?.descriptor.fields ?? {}).flatMap(([coordinate, field]) => {
    if (field.kind !== 'connection') return [];
    const isOwn = field.resource === below?.key && field.property === below.parent!.property;
    return field.through === operationId || (field.through === undefined && isOwn) ? [coordinate] : [];
  });
}

function graphiqlFile(source: SiteSource, base: string): [path: string, text: string][] {
  const { model, hasGraphiql } = source;
  if (!model.graphql || hasGraphiql) return [];
  const [first] = listDocuments(model.resources, model.graphql.descriptor);
  return [
    [GRAPHIQL, graphiqlPage(`${isBesideSite(source) ? '' : new URL(base).origin}/graphql`, { document: first?.text })],
  ];
}

/** Whether pages reach the API at their own host: neither the contract nor anybody else says where it is. */
const isBesideSite = ({ model, origin }: SiteSource): boolean =>
  origin === undefined && !URL.canParse(model.document.servers?.[0]?.url ?? '');

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
    ...link('Downloads', 'docs/downloads.html'),
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
