import type { FastifyRequest } from 'fastify';
import type { ErrorCatalogue, ErrorDescriptor } from '../../descriptor/error.ts';
import type { AllowedPaths } from '../http/allowed-methods.ts';
import type { ServePage } from '../http/pages.ts';
import { isBrowser, prefersMarkdown, type SitePages } from './site-pages.ts';

/** Paths of the documentation, with the file of each. */
const ROUTES: Readonly<Record<string, (request: FastifyRequest) => string>> = {
  '/': () => 'index.html',
  '/index.html': () => 'index.html',
  '/index.md': () => 'index.md',
  '/llms.txt': () => 'llms.txt',
  '/llms-full.txt': () => 'llms-full.txt',
  '/sitemap.xml': () => 'sitemap.xml',
  '/errors/:page': ({ params }) => `errors/${(params as { page: string }).page}`,
  '/docs/*': ({ params }) => `docs/${(params as { '*': string })['*'] || 'index.html'}`,
};

/**
 * Serves the documentation: `/`, everything below `/docs/`, and a page for each error code, to which the `type` of a
 * problem leads. Without a site, these pages are plain text. Paths of the contract take precedence.
 */
export function mountSite(
  paths: AllowedPaths,
  serve: ServePage,
  errors: ErrorCatalogue,
  pages: SitePages | undefined,
): void {
  for (const error of Object.values(errors)) {
    const text = textOf(error);
    serve(`/errors/${error.code}`, (request, reply) => {
      if (pages && (isBrowser(request) || prefersMarkdown(request)))
        return pages.answer(`errors/${error.code}.html`, request, reply);
      return reply.header('vary', 'Accept').type('text/plain; charset=utf-8').send(text);
    });
  }
  if (!pages) return;
  const isFree = (url: string): boolean => !paths.has(url);
  for (const [url, pathOf] of Object.entries(ROUTES))
    if (isFree(url)) serve(url, (request, reply) => pages.answer(pathOf(request), request, reply));
  if (isFree('/docs')) serve('/docs', (_request, reply) => reply.redirect('/docs/'));
}

function textOf({ code, status, title, description, retryable }: ErrorDescriptor): string {
  const retry = retryable ? 'The same request may succeed later.' : 'The same request will fail again.';
  return `${code}\n${status} ${title}\n\n${description}\n${retry}\n`;
}
