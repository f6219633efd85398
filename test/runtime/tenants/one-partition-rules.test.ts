import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { WITH_SHARED_TEACHERS } from '../../support/conservatory.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { eventually } from '../../support/eventually.ts';
import { type ExplainedService, startExplained } from '../../support/explained.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type As, type Service, tokenOf } from '../../support/service.ts';

const WRITES = 'school:read school:write';
const PATCH = { 'content-type': 'application/merge-patch+json', 'if-match': '*' };

/** Schools whose teachers are shared, with rules and filters over references, and notes below lessons below courses. */
describe.skipIf(!hasPostgres).each([true, false])(
  'on tables in partitions (small: %s), a statement with rules over references',
  (areSmall) => {
    let explained: ExplainedService;
    let service: Service;
    let url: string;

    beforeAll(async () => {
      explained = await startExplained(await editedContract('conservatory', WITH_SHARED_TEACHERS), areSmall);
      service = explained.service;
      url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    });
    afterAll(() => explained?.close());
    beforeEach(() => explained.forget());

    describe.each(['elm', 'oak'])('(%s)', (school) => {
      const of = (sub: string, scope = WRITES): As => ({ sub: `${sub} of ${school}`, scope, claims: { school } });
      const admin = of('admin', `${WRITES} school:admin`);
      const teaching = of('teacher');
      const learning = of('student');
      const ids: Record<
        'teacher' | 'course' | 'basics' | 'taken' | 'student' | 'enrolment' | 'second' | 'lesson' | 'note' | 'log',
        string
      > = {} as never;

      const send = (method: string, url: string, as: As, body?: object) =>
        service.request(method, `/v1${url}`, {
          as,
          ...(body && { body }),
          ...(method === 'PATCH' && { headers: PATCH }),
        });

      async function made(url: string, as: As, body: object): Promise<string> {
        const reply = await send('POST', url, as, body);
        expect([url, reply.status, reply.status === 201 ? '' : reply.text]).toEqual([url, 201, '']);
        return reply.body.id;
      }

      async function found(url: string, as: As): Promise<readonly string[]> {
        const { status, body, text } = await send('GET', url, as);
        expect([url, status, status === 200 ? '' : text]).toEqual([url, 200, '']);
        return body.data.map(({ id }: { id: string }) => id);
      }

      const filtered = (path: string, filter: object) =>
        `${path}?count=true&filter=${encodeURIComponent(JSON.stringify(filter))}`;

      beforeAll(async () => {
        const person = (userId: string) => ({
          userId,
          name: `${userId}`,
          email: `${userId.split(' ')[0]}@${school}.com`,
        });
        const { email: _, ...student } = person(learning.sub);
        ids.teacher = await made('/teachers', admin, person(teaching.sub));
        ids.student = await made('/students', admin, student);
        const course = (title: string) => ({
          title,
          summary: 'Wind',
          teacherId: ids.teacher,
          seats: 3,
          state: 'DRAFT',
        });
        ids.course = await made('/courses', admin, course('Oboe'));
        ids.basics = await made('/courses', admin, course('Breathing'));
        ids.taken = await made('/courses', admin, course('Secret'));
        for (const id of [ids.course, ids.basics])
          expect((await send('PATCH', `/courses/${id}`, admin, { state: 'OPEN' })).status).toBe(200);
      });

      it('that creates touches one partition, whoever may', async () => {
        const { course: courseId, student: studentId } = ids;
        ids.enrolment = await made('/enrolments', admin, { studentId, courseId });
        ids.second = await made('/enrolments', teaching, { studentId, courseId: ids.taken, grade: 2 });
        await made('/course-prerequisites', admin, { courseId, requiredId: ids.basics });
        ids.log = await made('/practice-logs', learning, { minutes: 5, body: 'Scales', courseId });
        const lesson = { at: '2026-01-15T12:00:00Z', topic: 'Reeds' };
        ids.lesson = await made(`/courses/${courseId}/lessons`, teaching, lesson);
        ids.note = await made(`/courses/${courseId}/lessons/${ids.lesson}/notes`, teaching, { body: 'Well' });
        const again = await send('POST', '/enrolments', teaching, { studentId, courseId });
        expect(again.status).toBe(409);
        explained.expectOne(10);
      });

      it('that reads, counts and searches within rules touches one partition', async () => {
        const course = `/courses/${ids.course}`;
        expect(await found('/students?count=true', teaching)).toEqual([ids.student]);
        expect(await found('/students?count=true', learning)).toEqual([ids.student]);
        expect(await found('/students?count=true', of('stranger'))).toEqual([]);
        expect(await found('/courses?count=true&sort=-title', learning)).toEqual([ids.course, ids.basics]);
        expect(await found('/courses?search=wind&count=true', learning)).toHaveLength(2);
        expect(await found('/courses?state=DRAFT', teaching)).toHaveLength(1);
        expect(await found('/practice-logs?count=true', learning)).toEqual([ids.log]);
        expect(await found(`${course}/lessons?count=true`, teaching)).toEqual([ids.lesson]);
        expect(await found(`${course}/lessons/${ids.lesson}/notes`, teaching)).toEqual([ids.note]);
        for (const url of [`/students/${ids.student}`, course, `/enrolments/${ids.enrolment}`])
          expect([url, (await send('GET', url, teaching)).status]).toEqual([url, 200]);
        for (const url of [`${course}/lessons/${ids.lesson}`, `${course}/lessons/${ids.lesson}/notes/${ids.note}`])
          expect([url, (await send('GET', url, learning)).status]).toEqual([url, 200]);
        explained.expectOne(15);
      });

      it('that filters over references, and lists through others, touches one partition', async () => {
        const taught = { teacher: { name: { contains: `teacher of ${school}` } } };
        const named = { student: { name: { contains: 'student' } } };
        expect(await found(filtered('/enrolments', { course: taught }), teaching)).toEqual([ids.enrolment, ids.second]);
        expect(await found(filtered('/enrolments', named), teaching)).toEqual([ids.enrolment, ids.second]);
        expect(await found(filtered('/courses', { lessons: { some: { topic: { eq: 'Reeds' } } } }), learning)).toEqual([
          ids.course,
        ]);
        expect(await found(filtered('/courses', { enrolments: { none: {} } }), learning)).toEqual([ids.basics]);
        expect(await found(filtered('/courses', { not: { enrolments: { some: {} } } }), learning)).toEqual([
          ids.basics,
        ]);
        expect(await found(filtered('/teachers', { courses: { some: { title: { eq: 'Oboe' } } } }), learning)).toEqual([
          ids.teacher,
        ]);
        expect(await found(filtered('/practice-logs', { course: taught }), learning)).toEqual([ids.log]);
        expect(await found(`/students/${ids.student}/courses?count=true`, learning)).toEqual([ids.course]);
        expect(await found(`/courses/${ids.course}/students?count=true`, teaching)).toEqual([ids.student]);
        expect(await found(`/courses/${ids.course}/prerequisites?count=true`, learning)).toEqual([ids.basics]);
        expect(await found(`/courses/${ids.basics}/dependents?search=oboe`, learning)).toEqual([ids.course]);
        explained.expectOne(11);
      });

      it('of nested fields within rules touches one partition', async () => {
        const nested = [
          'lessons(first: 2) { totalCount nodes { topic course { title } notes(first: 2) { nodes { body } } } }',
          'enrolments(first: 2) { totalCount nodes { grade student { name phone } } }',
          'students(first: 2) { totalCount nodes { name courses(first: 2) { totalCount nodes { title } } } }',
          'prerequisites(first: 2) { totalCount nodes { title dependents(first: 2) { nodes { title } } } }',
        ];
        for (const field of nested) {
          const query = `{ teacher(id: ${ids.teacher}) { courses(first: 4) { totalCount nodes { title ${field} } } } }`;
          const { data, errors } = await service.graphql(query, { as: teaching });
          expect(errors).toBeUndefined();
          expect(data.teacher.courses.nodes).toHaveLength(3);
        }
        explained.expectOne(10);
      });

      it('that tells a subscriber of a change touches one partition', async () => {
        const connectionParams = { authorization: `Bearer ${tokenOf(teaching)}` };
        const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
        const heard: string[] = [];
        const follow = async (field: string) => {
          for await (const { data } of client.iterate({ query: `subscription { ${field} }` }))
            heard.push(Object.keys(data ?? {}).join());
        };
        const fields = [
          ...['studentUpdated { name }', 'enrolmentUpdated { grade }', 'lessonUpdated { topic }'],
          ...['lessonNoteDeleted', 'lessonDeleted'],
        ];
        const lesson = `/courses/${ids.course}/lessons/${ids.lesson}`;
        for (const field of fields) void follow(field);
        await client.iterate({ query: '{ __typename }' }).next();
        expect((await send('PATCH', `/students/${ids.student}`, admin, { name: 'Ann' })).status).toBe(200);
        expect((await send('PATCH', `/enrolments/${ids.enrolment}`, teaching, { grade: 1 })).status).toBe(200);
        expect((await send('PATCH', lesson, teaching, { topic: 'Cane' })).status).toBe(200);
        expect((await send('DELETE', lesson, teaching)).status).toBe(204);
        await eventually(() => expect(heard.toSorted()).toEqual(fields.map((field) => field.split(' ')[0]).toSorted()));
        await client.dispose();
        explained.expectOne();
      });

      it('that changes and deletes within rules touches one partition', async () => {
        expect((await send('PATCH', `/courses/${ids.course}`, teaching, { seats: 4 })).status).toBe(200);
        expect((await send('PATCH', `/courses/${ids.course}`, learning, { seats: 4 })).status).toBe(403);
        expect((await send('DELETE', `/courses/${ids.course}`, admin)).status).toBe(204);
        expect((await send('DELETE', `/students/${ids.student}`, admin)).status).toBe(204);
        const log = await send('GET', `/practice-logs/${ids.log}`, learning);
        expect([log.status, log.body.courseId]).toEqual([200, undefined]);
        explained.expectOne(5);
      });
    });
  },
);
