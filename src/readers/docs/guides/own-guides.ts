import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SitePath } from '../layout/links.ts';
import { firstSentence, withoutMarkup } from '../layout/markdown.ts';
import type { NavLink, Page } from '../layout/page.ts';
import { guidePath } from './guide.ts';

/** What the authors of a contract add to its documentation: files of the folder `docs/` beside it. */
export interface OwnFiles {
  /** Markdown, each a guide. */
  readonly guides: readonly Page[];
  /** A picture for the head of each page. */
  readonly logo: { readonly name: string; readonly content: Buffer } | undefined;
  /** Styles after those of the site: colours, for one. */
  readonly styles: string;
  /** What guides show, beside them: by path in the site. */
  readonly pictures: ReadonlyMap<SitePath, Buffer>;
}

const LOGO = /^logo\.(?:svg|png)$/;
const STYLES = 'site.css';
const PICTURE = /\.(?:png|svg|jpe?g|gif|webp)$/i;

/** Reads what authors have added; without their folder, nothing. */
export async function ownFiles(contracts: string, group: NavLink): Promise<OwnFiles> {
  const folder = join(/\.(?:ya?ml|json)$/.test(contracts) ? dirname(contracts) : contracts, 'docs');
  const names = await filesIn(folder);
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const texts = await Promise.all(
    names.filter((name) => name.endsWith('.md')).map(async (name) => [name.slice(0, -3), await read(name)] as const),
  );
  const logo = names.find((name) => LOGO.test(name));
  return {
    guides: texts.map(([name, text]) => guideOf(name, text, group)),
    logo: logo === undefined ? undefined : { name: logo, content: await readFile(join(folder, logo)) },
    styles: names.includes(STYLES) ? await read(STYLES) : '',
    pictures: new Map(
      await Promise.all(
        names
          .filter((name) => PICTURE.test(name) && name !== logo)
          .map(async (name) => [`docs/guides/${name}`, await readFile(join(folder, name))] as const),
      ),
    ),
  };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** As it stands in an address. */
const fileName = (name: string): string => name.replace(/[^\w.-]+/g, '-').toLowerCase();

/** Its title is the first heading, its description the first sentence below. */
function guideOf(name: string, given: string, group: NavLink): Page {
  // What other tools read of a file, and no reader.
  const text = given.replace(/^---\n[\s\S]*?\n---\n/, '').trimStart();
  const [, heading] = /^# (.+)$/m.exec(text.split(/^```/m)[0] ?? '') ?? [];
  const title = withoutMarkup(heading ?? name);
  const [prose = ''] = text
    .replace(/^#.*$/gm, '')
    .trim()
    .split(/\n\s*\n/);
  const own = heading === undefined ? `# ${title}\n\n${text}` : text;
  return {
    path: guidePath(fileName(name)),
    title,
    description: withoutMarkup(firstSentence(prose)) || title,
    kind: 'guide',
    words: [name],
    group,
    text: () =>
      own.replaceAll(
        /\]\((?:\.\/)?([\w.-]+)\.md(#[^)]*)?\)/g,
        (_, to: string, at = '') => `](site:${guidePath(fileName(to))}${at})`,
      ),
  };
}
