import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRedocly } from '../../compiler/redocly/redocly.ts';
import type { Page } from './layout/page.ts';

/** The parts of a reference that Redoc has rendered. */
export interface Reference {
  readonly page: Page;
  /** The script that starts Redoc on this page. */
  readonly script: { readonly path: string; readonly text: string };
  /** Redoc itself; the same for each reference. */
  readonly library: string;
}

export const LIBRARY = 'docs/assets/redoc.js';

/** The template that Redoc fills in, with markers between the parts. */
const TEMPLATE = '<!--head-->{{{redocHead}}}<!--body-->{{{redocHTML}}}<!--end-->';
const PARTS =
  /<!--head-->([\s\S]*)<!--body-->([\s\S]*?)<script type="module">([\s\S]*)\n\s*(const __redoc_definition = [\s\S]*?)<\/script>\s*<!--end-->/;

/** Redoc loads its logo from another host; it is replaced by a data URL. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;
const LOGO_TEXT = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="14"><text x="0" y="11" font-family="sans-serif" font-size="11" fill="#2f6fde">Redocly</text></svg>',
)}`;

/**
 * The reference of an OpenAPI document or a GraphQL schema, rendered by Redoc. `name` is the base name of its files.
 */
export async function reference(
  kind: 'openapi' | 'graphql',
  source: string,
  { name, title }: { readonly name: string; readonly title: string },
): Promise<Reference> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-docs-'));
  try {
    const input = join(folder, kind === 'openapi' ? 'openapi.json' : 'schema.graphql');
    const [template, output] = [join(folder, 'page.hbs'), join(folder, 'page.html')];
    await Promise.all([writeFile(input, source), writeFile(template, TEMPLATE)]);
    const options = [`--${kind}.hideDownloadButtons`, 'false'];
    await runRedocly(['build-docs', input, '--inlineBundle', '-t', template, '-o', output, ...options], folder);
    return partsOf(await readFile(output, 'utf8'), name, title);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function partsOf(text: string, name: string, title: string): Reference {
  const [, head, body, library, start] = PARTS.exec(text) ?? [];
  if (library === undefined) throw new Error('The output of Redoc does not have the expected parts.');
  const script = { path: `docs/assets/${name}.js`, text: `{\nconst { hydrate } = globalThis.redoc;\n${start!}}\n` };
  const page: Page = {
    path: `docs/${name}.html`,
    title,
    head: head!,
    body: body!,
    scripts: [LIBRARY, script.path],
    isWide: true,
  };
  return { page, script, library: classic(library.replace(LOGO, LOGO_TEXT)) };
}

/** Turns a module into a classic script: browsers do not load modules from `file:` URLs. */
function classic(module: string): string {
  const text = module.replace(/export\s*\{[^{}]*\bhydrate\b[^{}]*\};?\s*$/, 'globalThis.redoc = { hydrate };\n');
  if (text === module) throw new Error('The library of Redoc does not export `hydrate` as expected.');
  return `{\n${text.replace(/import\.meta\.(?:url|dirname)/g, 'document.baseURI')}}\n`;
}
