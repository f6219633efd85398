import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAIN } from '../../../src/descriptor/layout.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';

const WHY = '@parity(rest: ABSENT, because: "A test of code beside a contract.") @auth(scopes: [])';
const FIELDS = `
extend type Query { asked: String ${WHY} }
extend type Mutation { done: String ${WHY} }
`;
const SUB = '01941f29-7c00-7a10-8c57-000000000001';

// biome-ignore lint/suspicious/noExplicitAny: the code of contracts that have no emitted types
type Store = any;
type Ids = Readonly<Record<string, string | number>>;

interface World {
  readonly claim: string;
  readonly across: string;
  /** Makes a row of each of some resources, by their keys. */
  fill(store: Store, tag: string): Promise<Ids>;
  /** Creates and changes that refer to rows of `theirs`. */
  referring(store: Store, mine: Ids, theirs: Ids): readonly (() => Promise<unknown>)[];
}

const PROJECT = { key: 'AB', name: 'Project', visibility: 'PUBLIC', budget: null };
const ISSUE = { title: 'Leak', body: null, status: 'OPEN', priority: 1, assigneeId: null, dueOn: null };
const LESSON = { at: '2026-01-15T12:00:00Z', topic: 'Scales' };

const WORLDS: Readonly<Record<string, World>> = {
  festival: {
    claim: 'festival',
    across: 'festivals:operate',
    async fill(store, tag) {
      const venue = await store.venues.create({ code: 'main', name: tag, city: 'Ulm', capacity: 1 });
      const hall = await store['venues.halls'].create({ venueId: venue.id, title: 'Red' });
      return { venues: venue.id, 'venues.halls': hall.id };
    },
    referring: (store, mine, theirs) => [
      () => store.venues.create({ code: 'side', name: 'Side', city: 'Ulm', capacity: 1, annexId: theirs['venues'] }),
      () => store.venues.update(mine['venues'], { annexId: theirs['venues'] }),
      () => store['venues.halls'].create({ venueId: theirs['venues'], title: 'Blue' }),
    ],
  },
  tracker: {
    claim: 'tenant',
    across: 'tracker:operate',
    async fill(store) {
      const team = await store.teams.create({ name: 'Team', createdBy: SUB, updatedBy: SUB });
      const member = await store['teams.members'].create({ teamId: team.id, userId: SUB, role: 'OWNER' });
      const project = await store.projects.create({ ...PROJECT, teamId: team.id });
      const by = { createdBy: SUB, updatedBy: SUB };
      const issue = await store.issues.create({ ...ISSUE, ...by, projectId: project.id });
      return { teams: team.id, 'teams.members': member.id, projects: project.id, issues: issue.id };
    },
    referring: (store, _mine, theirs) => [
      () => store.projects.create({ ...PROJECT, key: 'CD', teamId: theirs['teams'] }),
      () => store['teams.members'].create({ teamId: theirs['teams'], userId: SUB, role: 'GUEST' }),
      () => store.labels.create({ projectId: theirs['projects'], name: 'Bug', colour: '#ff0000' }),
      () =>
        store['issues.comments'].create({ issueId: theirs['issues'], body: 'Seen', createdBy: SUB, updatedBy: SUB }),
    ],
  },
  conservatory: {
    claim: 'school',
    across: 'schools:operate',
    async fill(store, tag) {
      const by = { createdBy: SUB, updatedBy: SUB };
      const teacher = await store.teachers.create({ userId: SUB, name: tag, email: 'ann@example.com' });
      const course = { id: `course-${tag}`, title: 'Oboe', seats: 10, state: 'DRAFT', teacherId: teacher.id, ...by };
      await store.courses.create(course);
      const lesson = await store['courses.lessons'].create({ ...LESSON, courseId: course.id });
      const note = { lessonId: lesson.id, authorId: SUB, body: 'Well' };
      const { id } = await store['courses.lessons.notes'].create(note);
      return { teachers: teacher.id, courses: course.id, 'courses.lessons': lesson.id, 'courses.lessons.notes': id };
    },
    referring: (store, mine, theirs) => [
      () => store.courses.update(mine['courses'], { teacherId: theirs['teachers'] }),
      () => store['courses.lessons'].create({ ...LESSON, courseId: theirs['courses'] }),
      () => store['courses.lessons.notes'].create({ lessonId: theirs['courses.lessons'], authorId: SUB, body: 'No' }),
    ],
  },
};

/** Callers choose the ids of courses in the conservatory, which keys that begin with the tenant do not allow. */
const isAllowed = (fixture: string, { layout = PLAIN }: DatabaseKind) => layout === PLAIN || fixture !== 'conservatory';
const cases = walledDatabases.flatMap((database) =>
  Object.entries(WORLDS).flatMap(([fixture, world]) =>
    isAllowed(fixture, database) ? [{ fixture, world, database, name: database.name }] : [],
  ),
);

describe.each(cases)('code beside the $fixture, on $name,', ({ fixture, world, database }) => {
  let service: Service;
  let code: (store: Store) => Promise<unknown>;
  let mine: Ids;
  let theirs: Ids;
  const run = (_args: unknown, { store }: { store: Store }) => code(store);
  const handlers = { fields: { Query: { asked: run }, Mutation: { done: run } } } as unknown as AnyHandlers;
  const callerOf = (tenant: string | undefined, scope = ''): As => ({
    sub: SUB,
    scope,
    claims: tenant === undefined ? {} : { [world.claim]: tenant },
  });
  const own = [callerOf('north'), callerOf('north', world.across)];

  async function running<T>(query: string, as: As, work: (store: Store) => Promise<T>): Promise<T> {
    let result: T;
    code = async (store) => {
      result = await work(store);
      return null;
    };
    const { errors } = await service.graphql(query, { as });
    expect(errors).toBeUndefined();
    return result!;
  }
  const reading = <T>(as: As, work: (store: Store) => Promise<T>) => running('{ asked }', as, work);
  const writing = <T>(as: As, work: (store: Store) => Promise<T>) => running('mutation { done }', as, work);
  const idsIn = (store: Store) => async (key: string) => (await store[key].list({})).map(({ id }: never) => id);

  beforeAll(async () => {
    const contract = await editedContract(fixture, [['schema.graphql', /$(?!.|\n)/g, FIELDS]]);
    service = await startCompiled(contract, database, handlers);
    mine = await writing(callerOf('north'), (store) => world.fill(store, 'north'));
    theirs = await writing(callerOf(undefined), (store) => world.fill(store.forTenant('south'), 'south'));
  });
  afterAll(() => service.close());

  it('finds the rows of its caller’s tenant alone, those below rows of it, too', async () => {
    for (const as of own)
      for (const asking of [reading, writing])
        await asking(as, async (store) => {
          for (const [key, id] of Object.entries(mine)) {
            expect(await idsIn(store)(key)).toEqual([id]);
            expect(await store[key].get(id)).toMatchObject({ id });
            expect(await store[key].get(theirs[key])).toBeUndefined();
            expect(await idsIn(store.acrossTenants)(key)).toHaveLength(2);
            expect(await idsIn(store.forTenant('south'))(key)).toEqual([theirs[key]]);
          }
        });
  });

  it.runIf(fixture === 'festival')('makes a row that refers to itself', async () => {
    await writing(callerOf('east'), async (store) => {
      const id = '01941f29-7c00-7a10-8c57-0000000000ee';
      const venue = { id, code: 'self', name: 'Self', city: 'Ulm', capacity: 1, annexId: id };
      expect(await store.venues.create(venue)).toMatchObject({ id, annexId: id });
    });
  });

  it('finds none of them without a claim', async () => {
    for (const as of [callerOf(undefined), callerOf(undefined, world.across)])
      for (const asking of [reading, writing])
        await asking(as, async (store) => {
          for (const key of Object.keys(mine)) expect(await idsIn(store)(key)).toEqual([]);
        });
  });

  const codeOf = (work: () => Promise<unknown>): Promise<unknown> =>
    work().then(
      () => 'done',
      (error) => error.code,
    );

  it('neither changes nor deletes those of another, nor refers to them', async () => {
    for (const as of own) {
      const codes = await writing(as, async (store) => {
        const all: unknown[] = [];
        for (const [key, id] of Object.entries(theirs)) {
          all.push(await codeOf(() => store[key].update(id, { version: 9 })));
          all.push(await codeOf(() => store[key].delete(id)));
        }
        return all;
      });
      expect(new Set(codes)).toEqual(new Set(['NOT_FOUND']));
      const refused = await writing(as, async (store) => {
        const all: unknown[] = [];
        for (const work of world.referring(store, mine, theirs)) all.push(await codeOf(work));
        return all;
      });
      expect(new Set(refused)).toEqual(new Set(['REFERENCE_NOT_FOUND']));
    }
    const allowed: unknown[] = [];
    const undone = writing(callerOf('south'), async (store) => {
      for (const work of world.referring(store, theirs, theirs)) allowed.push(await codeOf(work));
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow();
    // Some of them are there already.
    expect(new Set([...allowed, 'ALREADY_EXISTS'])).toEqual(new Set(['done', 'ALREADY_EXISTS']));
  });
});
