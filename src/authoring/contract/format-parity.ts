import { styleText } from 'node:util';
import type { Location } from '../../compiler/findings/index.ts';
import type { ParityRow } from '../../compiler/model/index.ts';

export interface ParityFormat {
  readonly colour?: boolean | undefined;
  /** Whether to print every fact, instead of the differences and the number of equal facts of each kind. */
  readonly all?: boolean | undefined;
}

type Verdict = ParityRow['verdict'];

/** The table for a terminal, by resource, with differences first. */
export function formatParity(rows: readonly ParityRow[], { colour = false, all = false }: ParityFormat = {}): string {
  const paint = (verdict: Verdict, text: string): string =>
    colour && verdict !== 'same'
      ? styleText(YELLOW.has(verdict) ? 'yellow' : 'red', text, { validateStream: false })
      : text;
  const sections = [...Map.groupBy(rows, ({ resource }) => resource)].map(([resource, facts]) => {
    const shown = facts.filter(({ verdict }) => all || verdict !== 'same').toSorted((a, b) => rank(a) - rank(b));
    return [
      resource,
      ...table(shown).map((line, i) => paint(shown[i]!.verdict, line)),
      ...(all ? [] : counts(facts)),
    ].join('\n');
  });
  return [...sections, summary(rows)].join('\n\n');
}

const RANKS: Readonly<Record<Verdict, number>> = { different: 0, stale: 1, stricter: 2, declared: 3, same: 4 };
/** Verdicts other than errors. */
const YELLOW: ReadonlySet<Verdict> = new Set(['declared', 'stricter']);
const rank = ({ verdict }: ParityRow): number => RANKS[verdict];

function table(rows: readonly ParityRow[]): string[] {
  const cells = rows.map((row) => [row.aspect, row.name, row.rest.text ?? '—', row.graphql.text ?? '—', remark(row)]);
  const widths = [0, 1, 2, 3].map((i) => Math.max(0, ...cells.map((cell) => cell[i]!.length)));
  return cells.map((cell) => `  ${cell.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd());
}

function remark({ verdict, rest, graphql }: ParityRow): string {
  if (verdict === 'declared') return `declared: ${rest.because ?? graphql.because}`;
  return verdict === 'same' ? '' : `${verdict}: ${at(rest.location)} and ${at(graphql.location)}`;
}

const at = ({ file, line }: Location): string => `${file}:${line}`;

/** `  the same: 12 fields, 6 actions` */
function counts(rows: readonly ParityRow[]): string[] {
  const same = rows.filter(({ verdict }) => verdict === 'same');
  const byAspect = [...Map.groupBy(same, ({ aspect }) => aspect)].map(([aspect, facts]) => `${aspect} ${facts.length}`);
  return byAspect.length === 0 ? [] : [`  the same: ${byAspect.join(', ')}`];
}

function summary(rows: readonly ParityRow[]): string {
  const count = (verdict: Verdict): number => rows.filter((row) => row.verdict === verdict).length;
  const stricter = count('stricter') > 0 ? `, ${count('stricter')} stricter over GraphQL` : '';
  return `${rows.length} facts: ${count('same')} the same, ${count('declared')} declared, ${count('different') + count('stale')} different${stricter}`;
}
