import { type Measurement, median } from './measure.ts';

const HEADINGS = ['scenario', 'server', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', 'RSS MB'];

/** A table of measurements, with their ratios to those of the references; above 1 is better than the reference. */
export function formatTable(measurements: readonly Measurement[], references: readonly string[]): string {
  const headings = [...HEADINGS, ...references.flatMap((name) => [`× ${name}`, '(by CPU)'])];
  const rows = measurements.map((measurement) => [
    measurement.scenario,
    measurement.server,
    Math.round(measurement.requestsPerSecond).toLocaleString('en'),
    measurement.p50.toFixed(2),
    measurement.p99.toFixed(2),
    known(measurement.cpuMicros, 1),
    known(measurement.rssBytes / 2 ** 20, 0),
    ...references.flatMap((name) => ratios(name, measurement, measurements)),
  ]);
  return align([headings, ...rows]);
}

/** The ratios of requests per second and of CPU time per request. */
function ratios(name: string, measurement: Measurement, all: readonly Measurement[]): [string, string] {
  const reference = all.find(({ server, scenario }) => server === name && scenario === measurement.scenario);
  if (!reference || reference === measurement) return ['', ''];
  return [
    (measurement.requestsPerSecond / reference.requestsPerSecond).toFixed(2),
    known(reference.cpuMicros / measurement.cpuMicros, 2),
  ];
}

/** Of a peer on another machine, neither CPU nor memory is known. */
const known = (value: number, digits: number): string => (Number.isNaN(value) ? '–' : value.toFixed(digits));

const RUN_HEADINGS = [
  'scenario',
  'req/s now',
  'before',
  'now ÷ before',
  'of all runs',
  'CPU µs now',
  'before',
  'by CPU',
  'of all runs',
];

/**
 * A table of several runs of `now` and `before`: the medians of the runs, and of their ratios, beside the lowest and the highest
 * ratio. Above 1, `now` is better.
 */
export function formatRuns(measurements: readonly Measurement[]): string {
  const byScenario = Map.groupBy(measurements, ({ scenario }) => scenario);
  const rows = [...byScenario].map(([scenario, all]) => {
    const [now, before] = ['now', 'before'].map((name) => all.filter(({ server }) => server === name)) as [
      Measurement[],
      Measurement[],
    ];
    const speed = now.map((one, run) => one.requestsPerSecond / before[run]!.requestsPerSecond);
    const cpu = now.map((one, run) => before[run]!.cpuMicros / one.cpuMicros);
    const rates = [now, before].map((side) => median(side.map(({ requestsPerSecond }) => requestsPerSecond)));
    const costs = [now, before].map((side) => median(side.map(({ cpuMicros }) => cpuMicros)));
    return [
      scenario,
      ...rates.map((rate) => Math.round(rate).toLocaleString('en')),
      ...medianAndRange(speed),
      ...costs.map((micros) => micros.toFixed(1)),
      ...medianAndRange(cpu),
    ];
  });
  return align([RUN_HEADINGS, ...rows], 1);
}

const medianAndRange = (ratios: readonly number[]): string[] => [
  median(ratios).toFixed(2),
  `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
];

/** Aligns the first columns, which are text, to the left and numbers to the right. */
export function align(rows: readonly (readonly string[])[], texts = 2): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
