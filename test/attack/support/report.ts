import type { Measured } from './measured.ts';
import type { Memory } from './messages.ts';
import { type Tally, textOf } from './tally.ts';

/** Figures of one attack, of as many runs as there were. */
export interface Figures {
  readonly row: string;
  readonly variant: string;
  readonly place: string;
  readonly runs: readonly Measured[];
  readonly memory: MemoryFigures;
}

interface MemoryFigures {
  readonly before: Memory;
  /** After each run. */
  readonly after: readonly Memory[];
}

const MIB = 2 ** 20;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians of the runs, in whole milliseconds. */
export function waits({ runs }: Figures): {
  readonly waitMs: number;
  readonly livezMs: number;
  readonly readyzMs: number;
} {
  const of = (figure: 'waitMs' | 'livezMs' | 'readyzMs'): number => Math.round(median(runs.map((run) => run[figure])));
  return { waitMs: of('waitMs'), livezMs: of('livezMs'), readyzMs: of('readyzMs') };
}

/** How many reads by key were refused, in all runs. */
export const refusedReads = ({ runs }: Figures): number =>
  runs.reduce((sum, { statuses }) => sum + total(statuses) - (statuses['200'] ?? 0), 0);

const total = (tally: Tally): number => Object.values(tally).reduce((sum, count) => sum + count, 0);

/** MiB that heap and external memory have grown by, at most, after a full collection. */
export const growthMib = ({ memory: { before, after } }: Figures): number =>
  Math.max(...after.map(({ heapAndExternalBytes }) => heapAndExternalBytes - before.heapAndExternalBytes)) / MIB;

/** MiB that the largest resident set has grown by. */
export const peakGrowthMib = ({ memory: { before, after } }: Figures): number =>
  (after.at(-1)!.peakRssBytes - before.peakRssBytes) / MIB;

const HEAD = [
  'row',
  'variant',
  'place',
  'others wait ms',
  '/livez ms',
  '/readyz ms',
  'reads refused',
  'attack answered',
  'took s',
  'heap+external MiB',
  'RSS MiB before, after',
  'peak RSS MiB',
];

export function tableOf(all: readonly Figures[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...all.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(figures: Figures): readonly string[] {
  const { row, variant, place, runs, memory } = figures;
  const { waitMs, livezMs, readyzMs } = waits(figures);
  const last = runs.at(-1)!;
  const mib = (bytes: number): string => (bytes / MIB).toFixed(0);
  const others = Object.keys(last.outcome.others).length > 0 ? `; others ${textOf(last.outcome.others)}` : '';
  return [
    row,
    variant,
    place,
    String(waitMs),
    String(livezMs),
    String(readyzMs),
    String(refusedReads(figures)),
    textOf(last.outcome.attack) + others,
    (median(runs.map(({ tookMs }) => tookMs)) / 1_000).toFixed(1),
    `${growthMib(figures) < 0 ? '' : '+'}${growthMib(figures).toFixed(1)}`,
    [memory.before, ...memory.after].map(({ rssBytes }) => mib(rssBytes)).join(', '),
    mib(memory.after.at(-1)!.peakRssBytes),
  ];
}
