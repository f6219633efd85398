import { publishedDocument } from '../../../compiler/emit/index.ts';
import type { ContractModel } from '../../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { link } from '../layout/links.ts';
import type { Page } from '../layout/page.ts';
import { type Additions, referenceDocument } from './reference-document.ts';

/** A caller whose token the page fills in: only a development server has any. */
export interface SiteCaller {
  readonly name: string;
  readonly token: string;
}

/** What the console of REST loads: the documents of all versions. */
export const DOCUMENTS = 'docs/assets/rest-documents.js';

/** A console to try each operation of REST in, by Scalar. */
export const consolePage = (callers: readonly SiteCaller[]): Page => ({
  path: 'docs/console.html',
  title: 'Console',
  description: 'Try the operations of REST in the browser.',
  kind: 'page',
  text: () => `# Console\n\nIt runs in a browser. ${link('REST', 'docs/rest.html')} has every operation as text.\n`,
  finished: (html) => `${callerData(callers)}<div id="reference"><main class="plain">\n${html}</main></div>`,
  scripts: ['scalar.js', DOCUMENTS, 'console.js'],
  isConsole: true,
});

/** The documents as a script, so that they are read from a folder, too. */
export const documentsScript = (model: ContractModel, additions: Additions): string =>
  `globalThis.restDocuments = ${JSON.stringify(documents(model, additions))};\n`;

/**
 * Tokens of a development server, in the page itself: another origin can run its scripts, but cannot read its text.
 * The server refuses requests for foreign hosts, so no other name leads here.
 */
const callerData = (callers: readonly SiteCaller[]): string =>
  callers.length === 0
    ? ''
    : `<script type="application/json" id="callers">${JSON.stringify(callers).replaceAll('<', '\\u003c')}</script>`;

interface Source {
  readonly title: string;
  readonly document: OpenApiDocument;
}

/** The present version first. */
function documents(model: ContractModel, additions: Additions): readonly Source[] {
  const { document, versions = {} } = model;
  const [, current = document.info.version] = /\/(v\d+)\/?$/.exec(additions.base) ?? [];
  const olds = Object.entries(versions).map(([name, old]) => ({
    title: `${name} (deprecated)`,
    document: older(old.document, additions),
  }));
  return [{ title: `${current} (current)`, document: referenceDocument(model, additions) }, ...olds];
}

/** An old version is served at its own path of the same host. */
function older(document: OpenApiDocument, { base, server: present }: Additions): OpenApiDocument {
  const isHere = !URL.canParse(present);
  const servers = (document.servers ?? []).map((server) => ({
    ...server,
    url: isHere ? server.url : new URL(server.url, base).href,
  }));
  return { ...publishedDocument(document), servers };
}
