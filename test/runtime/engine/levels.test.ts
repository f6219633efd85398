import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { type Service, startCompiled, startService } from '../../support/service.ts';

const teacher = { sub: 't1', scope: 'school:read school:write school:admin', claims: { school: 'north' } };
const LESSON =
  'query ($course: ID!, $lesson: ID!) { lesson(courseId: $course, id: $lesson) { notes { nodes { id } } } }';

describe.each(databases)('a resource two levels below another, on $name,', (database) => {
  let service: Service;
  let lesson: string;
  beforeEach(async () => {
    service = await startService('conservatory', database);
    const made = async (path: string, body: object): Promise<string> => {
      const answer = await service.request('POST', `/v1/${path}`, { as: teacher, body });
      expect(answer).toMatchObject({ status: 201 });
      return String(answer.body.id);
    };
    const teacherId = Number(await made('teachers', { userId: 't1', name: 'Ada', email: 'ada@example.com' }));
    for (const id of ['harp', 'oboe']) await made('courses', { id, title: id, teacherId, state: 'DRAFT' });
    lesson = await made('courses/harp/lessons', { at: '2026-01-01T10:00:00Z', topic: 'Scales' });
    await made(`courses/harp/lessons/${lesson}/notes`, { body: 'Slowly.' });
  });
  afterEach(() => service.close());

  it('is read by its whole path alone', async () => {
    const notes = (course: string, id: string) =>
      service.request('GET', `/v1/courses/${course}/lessons/${id}/notes`, { as: teacher });
    expect((await notes('harp', lesson)).body.data).toMatchObject([{ body: 'Slowly.' }]);
    expect(await notes('oboe', lesson)).toMatchObject({ status: 404, body: { detail: 'No Lesson has this id.' } });
  });

  it.each([
    ['a course', 'tuba', (id: string) => id, 'No Course has this id.'],
    ['a lesson', 'harp', (id: string) => `${id}0`, 'No Lesson has this id.'],
    ['both', 'tuba', (id: string) => `${id}0`, 'No Course has this id.'],
  ])(
    'names what is not there, equally over both protocols and for each action: %s',
    async (_what, course, idOf, detail) => {
      const id = idOf(lesson);
      const path = `/v1/courses/${course}/lessons/${id}`;
      const absent = { status: 404, body: { code: 'NOT_FOUND', detail } };
      expect(await service.request('GET', path, { as: teacher })).toMatchObject(absent);
      expect(await service.request('GET', `${path}/notes`, { as: teacher })).toMatchObject(absent);
      expect(await service.request('POST', `${path}/notes`, { as: teacher, body: { body: 'x' } })).toMatchObject(
        absent,
      );
      const { errors } = await service.graphql(LESSON, { as: teacher, variables: { course, lesson: id } });
      expect(errors).toMatchObject([{ message: detail, extensions: { code: 'NOT_FOUND' } }]);
    },
  );
});

/** As it replaces another. */
const TEXT = "{ type: string, minLength: 1, maxLength: 40, pattern: '^[a-z0-9 ]+$$' }";

/** Both parents have ids that callers choose, with spaces. */
const SPACED: readonly Edit[] = [
  ['openapi.yaml', '^[a-z0-9-]{1,40}$', '^[a-z0-9 -]{1,40}$'],
  ['openapi.yaml', /lessonId(, in: path, required: true, schema)?: \{ type: integer, [^}]*\}/g, `lessonId$1: ${TEXT}`],
  ['openapi.yaml', /(courseId, at, topic \]\n +properties:\n +id: )\{[^}]*\}/g, `$1${TEXT}`],
  [
    'openapi.yaml',
    /(LessonInput:\n.*\n +required: \[) at, topic \]\n +properties:/g,
    `$1 id, at, topic ]\n      properties:\n        id: ${TEXT}`,
  ],
  ['schema.graphql', 'input LessonInput {', 'input LessonInput {\n  id: ID!'],
];

describe.each(databases)('parents whose ids have spaces, on $name,', (database) => {
  let service: Service;
  beforeEach(async () => {
    service = await startCompiled(await editedContract('conservatory', SPACED), database);
  });
  afterEach(() => service.close());

  it('are told apart by the lists that are kept', async () => {
    const made = async (path: string, body: object): Promise<void> =>
      expect(await service.request('POST', `/v1/${path}`, { as: teacher, body })).toMatchObject({ status: 201 });
    await made('teachers', { userId: 't1', name: 'Ada', email: 'ada@example.com' });
    for (const id of ['c', 'b c']) await made('courses', { id, title: id, teacherId: 1, state: 'DRAFT' });
    await made('courses/c/lessons', { id: 'a b', at: '2026-01-01T10:00:00Z', topic: 'Scales' });
    await made('courses/b%20c/lessons', { id: 'a', at: '2026-01-01T10:00:00Z', topic: 'Chords' });
    await made('courses/c/lessons/a%20b/notes', { body: 'Slowly.' });
    const notes = (path: string) => service.request('GET', `/v1/courses/${path}/notes`, { as: teacher });
    expect((await notes('c/lessons/a%20b')).body.data).toHaveLength(1);
    expect((await notes('b%20c/lessons/a')).body.data).toEqual([]);
  });
});
