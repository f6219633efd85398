import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { INSERT, idOfNote } from '../../../support/many-notes.ts';

/** A process that inserts, changes and deletes notes, one at a time, until it is ended: every third new one stays. */
const [, , file, first] = process.argv;
const database = new DatabaseSync(file!, { timeout: 60_000 });
const insert = database.prepare(INSERT);
const update = database.prepare("update notes set title = title || ' changed', body = 'beside' where id = ?");
const remove = database.prepare('delete from notes where id = ?');
for (let n = Number(first); ; n += 3) {
  for (const i of [n, n + 1]) insert.run(idOfNote(i), `Beside ${i}`, 'new');
  // One of those that were there before, and two of its own.
  update.run(idOfNote(1 + ((n * 7) % Number(first))));
  update.run(idOfNote(n));
  remove.run(idOfNote(n + 1));
  remove.run(idOfNote(1 + ((n * 13) % Number(first))));
  if (n === Number(first)) console.log('writes');
  await delay(1);
}
