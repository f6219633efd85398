import type { Measurement } from './measure.ts';

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
    measurement.cpuMicros.toFixed(1),
    (measurement.rssBytes / 2 ** 20).toFixed(0),
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
    (reference.cpuMicros / measurement.cpuMicros).toFixed(2),
  ];
}

/** Aligns text to the left and numbers to the right. */
function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
