import { projectLicense } from '../compiler/emit/clients/index.ts';
import { baseUrlOf } from '../compiler/emit/index.ts';
import { readReleases } from '../compiler/gate/changes/index.ts';
import type { ContractModel, Modelled } from '../compiler/model/index.ts';
import { basePathOf } from '../descriptor/base-path.ts';
import type { Keep } from '../descriptor/keep.ts';
import { onceResolved } from '../descriptor/once.ts';
import { graphiqlPage, listDocuments } from '../runtime/graphql/index.ts';
import type { MakeContent, SiteContent, SiteFiles } from '../runtime/site/index.ts';
import type { ReplacedEntry } from '../tools/replaced-entries.ts';
import { readAssets } from './docs/assets.ts';
import { consolePage, DOCUMENTS, documentsScript, type SiteCaller } from './docs/console/console-page.ts';
import { recordedErrors } from './docs/console/recorded-errors.ts';
import { downloadsOf, downloadsPage } from './docs/downloads/downloads.ts';
import { GUIDES_LIST, guidePages } from './docs/guides/guides.ts';
import { ownFiles } from './docs/guides/own-guides.ts';
import { isLarge } from './docs/layout/large.ts';
import { markdownTwin, relative, type SitePath } from './docs/layout/links.ts';
import { type Frame, html, type Page, SEARCH_INDEX } from './docs/layout/page.ts';
import { llmsFull, llmsIndex, markdownOf, sitemap } from './docs/markdown-files.ts';
import { accessPage } from './docs/pages/access.ts';
import { changelogPage } from './docs/pages/changelog.ts';
import { errorPages } from './docs/pages/errors.ts';
import { type Described, landingPage } from './docs/pages/landing.ts';
import { limitsPage } from './docs/pages/limits.ts';
import { parityPages } from './docs/pages/parity.ts';
import { unknownPage } from './docs/pages/unknown.ts';
import { fieldPage } from './docs/reference/field-page.ts';
import { indexPages } from './docs/reference/index-pages.ts';
import { operationPage } from './docs/reference/operation-page.ts';
import { Reference } from './docs/reference/reference.ts';
import { resourcePages } from './docs/reference/resource-pages.ts';
import { typePages } from './docs/reference/type-page.ts';
import type { ServeSamples } from './docs/samples/sample-answers.ts';
import { searchIndex } from './docs/search/search-index.ts';

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
  /** A server of the contract that answers its samples; left out, examples of its schemas are shown. */
  readonly serveSamples?: ServeSamples | undefined;
  /** What has been made of contracts before. */
  readonly keep?: Keep;
}

const GRAPHIQL = 'docs/graphiql.html';

/** The documentation of a contract. The site refers to no other host than that of the API. */
export async function buildSite(source: SiteSource): Promise<SiteFiles> {
  const { model } = source;
  const { title, version } = model.document.info;
  const base = source.origin === undefined ? baseUrlOf(model.document) : source.origin + basePathOf(model.document);
  const { origin } = new URL(base);
  const graphiql = source.hasGraphiql ? 'graphiql' : GRAPHIQL;
  const reference = new Reference(model, { base, endpoint: `${origin}/graphql`, graphiql });
  if (source.serveSamples) await reference.answers.record(reference.requests, source.serveSamples);
  const problems = onceResolved(() => recordedErrors(model));
  const releases = readReleases(source.contracts);
  const own = await ownFiles(source.contracts, GUIDES_LIST);
  const links = linksOf(source, releases.length > 0);
  const downloads = downloadsOf(model, await projectLicense(source.contracts), source.keep);
  const guides = await guidePages(reference, own.guides);
  const pages = [
    landingPage(model, links, source.origin),
    ...guides,
    ...indexPages(reference),
    ...model.operations.map((operation) => operationPage(reference, operation)),
    ...reference.fieldsAlone.map((root) => fieldPage(reference, root)),
    ...resourcePages(reference),
    ...typePages(reference),
    accessPage(model, reference.places),
    ...errorPages({ model, places: reference.places, problems, guides }),
    limitsPage(model),
    ...(source.parity.length > 0 ? parityPages(source.parity, source.replaced) : []),
    ...(releases.length > 0 ? [changelogPage(releases, reference)] : []),
    consolePage(source.callers ?? []),
    downloadsPage(downloads, isLarge(model)),
  ].map((page: Page): Page => ({ ...page, text: onceResolved(page.text) }));
  const assets = await readAssets(own);
  const frame: Frame = {
    title,
    version,
    links,
    origin,
    groups: groupsOf(pages),
    assets,
    isDivided: isLarge(model),
    logo: own.logo && assets.path(own.logo.name),
  };
  // A site that knows its address says so in what leaves it.
  const site = source.origin;
  return new Map<SitePath, SiteContent | MakeContent>([
    ...pages.flatMap((page) => filesOf(page, frame, site)),
    ['docs/index.html', movedPage('../index.html')],
    ['404.html', () => html(unknownPage(links), frame)],
    [SEARCH_INDEX, () => searchIndex(pages)],
    ['llms.txt', () => llmsIndex(pages, frame, site)],
    ['llms-full.txt', () => llmsFull(pages, frame, site)],
    ...(site === undefined ? [] : [['sitemap.xml', () => sitemap(pages, site)] as const]),
    [
      DOCUMENTS,
      async () =>
        documentsScript(model, {
          base,
          server: hasAddress(source) ? base : basePathOf(model.document),
          problemOf: await problems(),
          pageOf: (operationId) => relative('docs/console.html', reference.places.operation(operationId)),
        }),
    ],
    ...downloads.map(({ path, content }) => [path, content] as const),
    ...graphiqlFile(source, origin),
    ...frame.assets.files,
    ...own.pictures,
  ]);
}

const filesOf = (page: Page, frame: Frame, site: string | undefined) =>
  [
    [page.path, () => html(page, frame)],
    [markdownTwin(page.path), () => markdownOf(page, frame, site)],
  ] as const;

/** Leads a path to another, without a script. */
const movedPage = (to: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=${to}"><a href="${to}">Moved</a>`;

function groupsOf(pages: readonly Page[]): Frame['groups'] {
  const grouped = pages.filter(({ group, path }) => group !== undefined && group.path !== path);
  return Map.groupBy(grouped, ({ group }) => group!.path);
}

function graphiqlFile({ model, hasGraphiql, ...source }: SiteSource, origin: string): [SitePath, () => string][] {
  if (!model.graphql || hasGraphiql) return [];
  const [first] = listDocuments(model.resources, model.graphql.descriptor);
  const endpoint = `${hasAddress({ model, ...source }) ? origin : ''}/graphql`;
  return [[GRAPHIQL, () => graphiqlPage(endpoint, { document: first?.text, documentation: 'graphql.html' })]];
}

/** Whether the contract or somebody else says where the API is; if not, pages reach it at their own host. */
const hasAddress = ({ model, origin }: Pick<SiteSource, 'model' | 'origin'>): boolean =>
  origin !== undefined || URL.canParse(model.document.servers?.[0]?.url ?? '');

function linksOf({ model, parity, hasGraphiql }: SiteSource, hasChangelog: boolean): readonly Described[] {
  const link = (title: string, path: SitePath, about: string, exists = true): Described[] =>
    exists ? [{ title, path, about }] : [];
  const hasGraphql = model.graphql !== undefined;
  return [
    ...link('Guides', 'docs/guides.html', 'How to do things, one after the other.'),
    ...link('REST', 'docs/rest.html', 'Every operation, with samples in five languages.'),
    ...link('GraphQL', 'docs/graphql.html', 'Every query, mutation and subscription, ready to run.', hasGraphql),
    ...link('GraphiQL', hasGraphiql ? 'graphiql' : GRAPHIQL, 'Try GraphQL in the browser.', hasGraphql),
    ...link('Resources', 'docs/resources.html', 'References between resources, their rules, lists and states.'),
    ...link('Access', 'docs/access.html', 'Who may do what.'),
    ...link('Errors', 'docs/errors.html', 'Every code, the same over both protocols.'),
    ...link('Limits', 'docs/limits.html', 'What one request may ask for.'),
    ...link('Parity', 'docs/parity.html', 'REST and GraphQL side by side, fact by fact.', parity.length > 0),
    ...link('Changelog', 'docs/changelog.html', 'What changed from release to release.', hasChangelog),
    ...link('Downloads', 'docs/downloads.html', 'OpenAPI, SDL and the TypeScript client.'),
  ];
}
