import { expect, it } from 'vitest';
import { eventJobs } from '../../../src/runtime/jobs/event-jobs.ts';
import { property, resource } from '../../support/descriptors.ts';

it('an event that has waited for a release has the properties of the present contract', async () => {
  const heard: unknown[] = [];
  const things = resource('things', 'Thing', [
    property('code'),
    property('rank', { type: 'integer', initial: 3 }),
    property('note', { nullable: true, required: false }),
  ]);
  const [job] = eventJobs([things], { things: { updated: (event) => heard.push(event) } });
  const row = { id: 'a', version: 2, createdAt: 'x', updatedAt: 'y', code: 'c', colour: 'red' };
  await job!.run({ kind: 'updated', row, before: { version: 1, colour: 'blue' }, version: 2, actor: null }, {});
  const { colour: _, ...kept } = row;
  expect(heard).toEqual([{ row: { ...kept, rank: 3 }, before: { version: 1 }, version: 2, actor: null }]);
});
