import type { ParityRow } from '../../../compiler/model/parity-row.ts';
import type { ReplacedEntry } from '../../handlers/replaced-entries.ts';
import { code, inline, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';

const VERDICTS = { same: 'same', declared: 'deliberate', different: '**differs**', stale: '**differs**' } as const;

/** Every fact that both protocols state, side by side. */
export function parityPage(rows: readonly ParityRow[], replaced: readonly ReplacedEntry[] = []): Page {
  const sections = [...Map.groupBy(rows, ({ resource }) => resource)].map(([resource, facts]) => {
    const lines = facts.map(({ aspect, name, rest, graphql, verdict }) => [
      aspect,
      code(name),
      code(rest.text ?? ''),
      code(graphql.text ?? ''),
      [VERDICTS[verdict], inline(rest.because ?? graphql.because ?? '')].filter(Boolean).join(': '),
    ]);
    return `## ${code(resource)}\n\n${table(['', 'Name', 'REST', 'GraphQL', ''], lines)}\n`;
  });
  const different = rows.filter(({ verdict }) => verdict === 'declared').length;
  return markdownPage(
    'docs/parity.html',
    'Parity',
    `# Parity

${rows.length.toLocaleString('en')} facts that REST and GraphQL must agree on; the build fails where they do not. ${
      different === 0
        ? 'None differs.'
        : `${different === 1 ? '1 differs' : `${different} differ`} deliberately, for the reasons given.`
    }

${replacedSection(replaced)}${sections.join('\n')}`,
  );
}

/** Where one protocol is answered by code of its own, so that the two no longer share an implementation. */
function replacedSection(replaced: readonly ReplacedEntry[]): string {
  if (replaced.length === 0) return '';
  const lines = replaced.map(({ protocol, name, place }) => [protocol, code(name), code(place)]);
  return `## Replaced by hand\n\n${table(['Protocol', 'Entry', 'Answered by'], lines)}\n\n`;
}
