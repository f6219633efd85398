import { writeSync } from 'node:fs';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { lockedSqlite } from '../../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { searchedNotes } from '../../../support/many-notes.ts';

/** A process that migrates notes until the clock has been asked so many times, and then stands still. */
const [, , file, asked] = process.argv;
let left = Number(asked);
const clock = (): number => {
  left -= 1;
  if (left === 0) {
    writeSync(1, 'stands still\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  return (Number(asked) - left) * 80;
};
await lockedSqlite(file!, (target) => migrate(target, { resources: [searchedNotes], handWritten: [] }), {
  pieceMs: 240,
  pauseMs: 0,
  clock,
});
