import { setTimeout as delay } from 'node:timers/promises';
import type { Pieces } from '../../../descriptor/migration/step.ts';
import type { MigrationTarget } from './target.ts';

/** How long rows are worked on at a time. */
export interface PieceLimits {
  /** A piece takes about a third of it, so that one of dearer rows takes no longer. */
  readonly pieceMs: number;
  /** Between two pieces, in which others have their turn. */
  readonly pauseMs: number;
  /** Milliseconds that only rise. */
  readonly clock: () => number;
}

const FIRST_ROWS = 100;
/** Before rows are tried again that others have locked. */
const LOCKED_PAUSE_MS = 100;

/** Does all rows in pieces, from the mark of an earlier attempt on. Each has as many as the time of the last one allows. */
export async function inPieces(
  { run, transaction }: Pick<MigrationTarget, 'run' | 'transaction'>,
  { mark, next, left, end }: Pieces,
  { pieceMs, pauseMs, clock }: PieceLimits,
): Promise<void> {
  const selected = async (...statements: readonly string[]): Promise<string | undefined> => {
    let rows: Awaited<ReturnType<typeof run>> = [];
    for (const sql of statements) rows = await run(sql);
    return rows[0]?.[0]?.toString();
  };
  let after = mark && (await selected(mark));
  for (let rows = FIRST_ROWS, beganMs = 0; ; ) {
    after = await transaction(() => {
      beganMs = clock();
      return selected(...next(rows, after));
    });
    rows = Math.max(1, Math.floor(rows * Math.min(2, pieceMs / 3 / (clock() - beganMs))));
    if (after === undefined && !(left && (await selected(left)))) break;
    await delay(after === undefined ? LOCKED_PAUSE_MS : pauseMs);
  }
  if (end) await run(end);
}
