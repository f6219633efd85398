import type { ParityRow } from '../../../compiler/model/parity-row.ts';
import type { ReplacedEntry } from '../../handlers/replaced-entries.ts';
import { code, escaped, inline, table } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';

/** Every fact that both protocols state, side by side: deliberate differences with their reasons first. */
export function parityPage(rows: readonly ParityRow[], replaced: readonly ReplacedEntry[] = []): Page {
  return {
    ...textPage(
      'docs/parity.html',
      'Parity',
      'REST and GraphQL side by side, fact by fact.',
      () => `${introduction(rows, replaced)}\n## All facts\n\n${sectionsOf(rows)}`,
    ),
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
  const lines = rows.map(({ resource, aspect, name, rest, graphql, hint }) => [
    `${code(resource)} ${aspect}`,
    code(name),
    code(rest.text ?? '') || '–',
    code(graphql.text ?? '') || '–',
    inline(rest.because ?? graphql.because ?? hint ?? '') || '–',
  ]);
  return table(['Of', 'Fact', 'REST', 'GraphQL', 'Reason'], lines);
}

function sectionsOf(rows: readonly ParityRow[]): string {
  const sections = [...Map.groupBy(rows, ({ resource }) => resource)].map(([resource, facts]) => {
    const lines = facts.map(({ aspect, name, rest, graphql, verdict }) => [
      aspect,
      code(name),
      code(rest.text ?? '') || '–',
      code(graphql.text ?? '') || '–',
      verdict === 'same' ? '=' : '≠',
    ]);
    return `### ${code(resource)}\n\n${table(['Aspect', 'Fact', 'REST', 'GraphQL', 'Same'], lines)}\n`;
  });
  return sections.join('\n');
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
  const lines = replaced.map(({ protocol, name, place }) => [protocol, code(name), code(place)]);
  return `## Replaced by hand\n\n${table(['Protocol', 'Entry', 'Answered by'], lines)}\n\n`;
}
