import type { ParityRow } from '../../../compiler/model/index.ts';
import type { ReplacedEntry } from '../../../tools/replaced-entries.ts';
import { link } from '../layout/links.ts';
import { code, escaped, inline, items, lines, table } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';

/** More facts make a page that nobody waits for: each resource has one of its own then. */
const MAX_TOGETHER = 2_000;

/** Every fact that both protocols state, side by side: deliberate differences with their reasons first. */
export function parityPages(rows: readonly ParityRow[], replaced: readonly ReplacedEntry[] = []): readonly Page[] {
  const groups = [...Map.groupBy(rows, ({ resource }) => resource)];
  if (rows.length <= MAX_TOGETHER) return [wholePage(rows, replaced, groups)];
  const pages = groups.map(
    ([resource, facts]): Page => ({
      ...textPage(pathOf(resource), `Parity of ${resource}`, `REST and GraphQL side by side, for ${resource}.`, () =>
        lines(`# Parity of ${code(resource)}`, factTable(facts)),
      ),
      group: GROUP,
    }),
  );
  const list = items(groups.map(([resource, { length }]) => `${link(code(resource), pathOf(resource))}: ${length}`));
  const index = (): string => `${introduction(rows, replaced)}\n## All facts\n\n${list}\n`;
  return [textPage(GROUP.path, GROUP.title, ABOUT, index), ...pages];
}

const GROUP = { title: 'Parity', path: 'docs/parity.html' };
const ABOUT = 'REST and GraphQL side by side, fact by fact.';
const pathOf = (resource: string): string => `docs/parity/${resource.replace(/[^\w.-]+/g, '-') || '-'}.html`;

type Group = readonly [resource: string, facts: readonly ParityRow[]];

function wholePage(rows: readonly ParityRow[], replaced: readonly ReplacedEntry[], groups: readonly Group[]): Page {
  const sections = (): string =>
    groups.map(([resource, facts]) => `### ${code(resource)}\n\n${factTable(facts)}\n`).join('\n');
  return {
    ...textPage(GROUP.path, GROUP.title, ABOUT, () => `${introduction(rows, replaced)}\n## All facts\n\n${sections()}`),
    finished: (html) => {
      const [before = '', after = ''] = html.split(/(?=<h2 id="all-facts")/);
      const [heading = '', ...facts] = after.split(/(?<=<\/h2>)/);
      return `${before}${heading}\n${filterOf(rows)}<div id="facts">${facts.join('')}</div>`;
    },
    scripts: ['parity.js'],
  };
}

function introduction(rows: readonly ParityRow[], replaced: readonly ReplacedEntry[]): string {
  const different = rows.filter(({ verdict }) => verdict !== 'same');
  const count = different.length === 1 ? '1 differs' : `${different.length} differ`;
  return `# Parity

${rows.length.toLocaleString('en')} facts that REST and GraphQL must agree on; the build fails where they do not. ${
    different.length === 0 ? 'None differs.' : `${count}, for the reasons given.`
  }

${different.length === 0 ? '' : `## Differences\n\n${differences(different)}\n`}${replacedSection(replaced)}`;
}

function differences(rows: readonly ParityRow[]): string {
  const differing = rows.map(({ resource, aspect, name, rest, graphql, hint }) => [
    `${code(resource)} ${aspect}`,
    code(name),
    code(rest.text ?? '') || '–',
    code(graphql.text ?? '') || '–',
    inline(rest.because ?? graphql.because ?? hint ?? '') || '–',
  ]);
  return table(['Of', 'Fact', 'REST', 'GraphQL', 'Reason'], differing);
}

function factTable(facts: readonly ParityRow[]): string {
  const rows = facts.map(({ aspect, name, rest, graphql, verdict }) => [
    aspect,
    code(name),
    code(rest.text ?? '') || '–',
    code(graphql.text ?? '') || '–',
    verdict === 'same' ? '=' : '≠',
  ]);
  return table(['Aspect', 'Fact', 'REST', 'GraphQL', 'Same'], rows);
}

/** Shown by the script that makes it work. */
function filterOf(rows: readonly ParityRow[]): string {
  const aspects = [...new Set(rows.map(({ aspect }) => aspect))].sort();
  const options = aspects.map((aspect) => `<option>${escaped(aspect)}</option>`);
  return `<form id="filter" class="filter" hidden role="search" aria-label="Facts">
<label>Contains <input type="search" name="text"></label>
<label>Aspect <select name="aspect"><option value="">all</option>${options.join('')}</select></label>
<label class="check"><input type="checkbox" name="different"> Only differences</label>
<output></output>
</form>
`;
}

/** Where one protocol is answered by code of its own, so that the two no longer share an implementation. */
function replacedSection(replaced: readonly ReplacedEntry[]): string {
  if (replaced.length === 0) return '';
  const entries = replaced.map(({ protocol, name, place }) => [protocol, code(name), code(place)]);
  return `## Replaced by hand\n\n${table(['Protocol', 'Entry', 'Answered by'], entries)}\n\n`;
}
