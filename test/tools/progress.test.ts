import { expect, test } from 'vitest';
import { createProgress } from '../../src/tools/progress.ts';

const CLEAR = '\r\u001B[2K';

function shown(isTTY: boolean): readonly string[] {
  const written: string[] = [];
  let nowMs = 0;
  const clock = { now: () => nowMs } as typeof performance;
  const progress = createProgress('rows', { isTTY, write: (text) => written.push(text) }, clock);
  for (const [atMs, done] of [
    [0, 1],
    [50, 2],
    [100, 1_500],
  ] as const) {
    nowMs = atMs;
    progress.report(done, 2_000);
  }
  progress.end();
  return written;
}

test('progress is shown on a terminal, ten times a second at most, and removed in the end', () => {
  expect(shown(true)).toEqual([`${CLEAR}1 of 2,000 (0 %) rows`, `${CLEAR}1,500 of 2,000 (75 %) rows`, CLEAR]);
});

test('progress is not shown elsewhere', () => {
  expect(shown(false)).toEqual([]);
});
