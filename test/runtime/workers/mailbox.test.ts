import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Mailbox } from '../../../src/runtime/workers/mailbox.ts';

test('messages of a turn are sent together, and heavy ones in several turns, in their order', async () => {
  const sent: (readonly string[])[] = [];
  const mailbox = new Mailbox<string>((batch) => sent.push(batch));
  for (const message of ['a', 'b', 'c']) mailbox.post(message);
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual([['a', 'b', 'c']]);
  mailbox.post('d', 300);
  mailbox.post('e', 300);
  mailbox.post('f');
  mailbox.post('g', 2_000);
  for (let i = 0; i < 4; i++) await nextTurn();
  expect(sent.slice(1)).toEqual([['d'], ['e', 'f'], ['g']]);
});
