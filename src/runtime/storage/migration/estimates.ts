import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { MigrationTarget } from './target.ts';

/** The steps with what they are expected to take, by the number of rows that there are. */
export async function withEstimates(
  { run, dialect, heldMs }: MigrationTarget,
  steps: readonly Step[],
  live: ReadonlyMap<string, LiveTable>,
): Promise<Step[]> {
  const estimated = async (step: Step): Promise<Step> => {
    const { rows, lock } = step;
    if (!live.has(rows?.table ?? lock?.tables[0] ?? '')) return step;
    const count = rows ? Number((await run(`select count(*) from ${dialect.quote(rows.table)}`))[0]![0]) : 0;
    const ms = (count * (rows?.usPerRow ?? 0)) / 1_000;
    const work = rows ? `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}, about ${inSeconds(ms)}; ` : '';
    const held = heldMs(step, ms);
    return { ...step, estimate: `${work}writes ${held === 0 ? 'go on' : `wait for up to ${inSeconds(held)}`}` };
  };
  const all: Step[] = [];
  for (const step of steps) all.push(await estimated(step));
  return all;
}

const inSeconds = (ms: number): string => `${(Math.ceil(ms / 100) / 10).toLocaleString('en')} s`;
