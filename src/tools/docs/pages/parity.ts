import type { ParityRow } from '../../../compiler/model/parity-row.ts';
import { code, inline, table } from '../layout/markdown.ts';
import { markdownPage, type Page } from '../layout/page.ts';

const VERDICTS = { same: 'same', declared: 'deliberate', different: '**differs**', stale: '**differs**' } as const;

/** Every fact that both protocols state, side by side. */
export function parityPage(rows: readonly ParityRow[]): Page {
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

${sections.join('\n')}`,
  );
}
