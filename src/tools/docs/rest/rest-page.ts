import type { ContractModel } from '../../../compiler/model/model.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { escaped, rendered } from '../layout/markdown.ts';
import type { Page } from '../layout/page.ts';
import { type Additions, referenceDocument } from './reference-document.ts';
import { operationFragment } from './rest-links.ts';
import { type RestPart, restParts } from './rest-markdown.ts';

/** A caller whose token the page fills in: only a development server has any. */
export interface SiteCaller {
  readonly name: string;
  readonly token: string;
}

/** The REST reference: its page, and the script that holds the documents of all versions. */
export interface RestReference {
  readonly page: Page;
  readonly script: readonly [path: string, text: string];
}

const DOCUMENTS = 'docs/assets/rest-documents.js';

/** The reference with a console to try each operation in, by Scalar. */
export function restReference(
  model: ContractModel,
  additions: Additions,
  callers: readonly SiteCaller[],
): RestReference {
  const parts = restParts(model, additions);
  const page: Page = {
    path: 'docs/rest.html',
    title: 'REST',
    text: parts.map(({ text }) => text).join('\n'),
    body: `${callerData(callers)}<div id="reference"><main class="plain">\n${parts.map((part) => partHtml(part)).join('')}</main></div>`,
    scripts: ['docs/assets/scalar.js', DOCUMENTS, 'docs/assets/rest.js'],
    isWide: true,
  };
  return { page, script: [DOCUMENTS, `globalThis.restDocuments = ${JSON.stringify(documents(model, additions))};\n`] };
}

/**
 * Tokens of a development server, in the page itself: another origin can run its scripts, but cannot read its text.
 * The server refuses requests for foreign hosts, so no other name leads here.
 */
const callerData = (callers: readonly SiteCaller[]): string =>
  callers.length === 0
    ? ''
    : `<script type="application/json" id="callers">${JSON.stringify(callers).replaceAll('<', '\\u003c')}</script>`;

/** The heading of an operation has the fragment by which the console knows it, too. */
function partHtml({ operation, text }: RestPart): string {
  const html = rendered(text);
  if (!operation) return html;
  const fragment = escaped(operationFragment(operation));
  return html.replace(/<h3 id="([^"]*)"(.*?) href="#\1"/, `<h3 id="${fragment}"$2 href="#${fragment}"`);
}

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
  return { ...document, servers };
}
