import { describe, expect, it } from 'vitest';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { COURSES_WITH_MADE_IDS } from '../../support/conservatory.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';

const contract = editedContract('conservatory', COURSES_WITH_MADE_IDS);
const SCHOOLS = ['elm', 'oak'] as const;
const as = (school: string) => ({
  ...{ sub: 'ann', scope: 'school:read school:write school:admin', claims: { school } },
});
const asAll = { sub: 'ann', scope: 'school:read school:write school:admin schools:operate' };

const served = async (store: Store): Promise<Service> =>
  startCompiled(await contract, { name: 'opened', open: async () => ({ store, close: async () => {} }) });

/** The ids of what each school has made: a teacher, and a lesson of a course of hers. */
async function make(service: Service, name: string): Promise<{ teachers: number[]; lessons: number[] }> {
  const ids = { teachers: [] as number[], lessons: [] as number[] };
  const made = async (school: string, url: string, body: object) => {
    const reply = await service.request('POST', `/v1${url}`, { as: as(school), body });
    expect([url, reply.status], reply.text).toEqual([url, 201]);
    return reply.body;
  };
  for (const school of SCHOOLS) {
    const teacher = await made(school, '/teachers', { userId: name, name, email: `${name}@example.com` });
    const course = await made(school, '/courses', { title: name, teacherId: teacher.id, state: 'DRAFT' });
    const lesson = await made(school, `/courses/${course.id}/lessons`, { at: '2026-01-15T12:00:00Z', topic: name });
    ids.teachers.push(teacher.id);
    ids.lessons.push(lesson.id);
  }
  return ids;
}

/** Each database is copied from, and into, once. */
const pairs = layoutDatabases.map((from, i) => {
  const to = layoutDatabases[(i + 1) % layoutDatabases.length]!;
  return { from, to, name: `${from.name} to ${to.name}` };
});

describe.each(pairs)('ids that the database counts, copied from $name,', ({ from, to }) => {
  it('are unique over all tenants, stay as they are, and are counted on', async () => {
    const { resources } = await contract;
    const [source, target] = [await from.open(resources), await to.open(resources)];
    const [before, after] = [await served(source.store), await served(target.store)];
    const rounds = [await make(before, 'ann'), await make(before, 'bea')];
    await copyRows(source.store, target.store, resources);
    rounds.push(await make(after, 'cai'));
    for (const kind of ['teachers', 'lessons'] as const) {
      const ids = rounds.flatMap((round) => round[kind]);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(6);
    }
    const all = await after.request('GET', '/v1/teachers', { as: asAll });
    expect(all.body.data.map(({ id }: { id: number }) => id)).toEqual(rounds.flatMap(({ teachers }) => teachers));
    const [, oak = 0] = rounds[0]!.teachers;
    expect((await after.request('GET', `/v1/teachers/${oak}`, { as: as('elm') })).status).toBe(404);
    expect((await after.request('GET', `/v1/teachers/${oak}`, { as: as('oak') })).status).toBe(200);
    for (const one of [before, after, source, target]) await one.close();
  });
});
