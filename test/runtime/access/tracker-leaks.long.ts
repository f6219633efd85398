import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type As, contractOf, type Reply, type Service, startCompiled } from '../../support/service.ts';
import { followTracker, type TrackerEvents } from '../../support/tracker-events.ts';
import { generalQueries, guessesAt, type Query } from '../../support/tracker-queries.ts';
import { CALLERS, type Kind, makeWorld, type Row, Sight, type World } from '../../support/tracker-world.ts';
import { writesTo } from '../../support/tracker-writes.ts';

const NOBODY = '01941f29-7c00-7a10-8c57-0000000000ff';
const OPERATOR = CALLERS['operator of no tenant']!;
const EACH = Object.entries(CALLERS);

const chunks = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  all.length === 0 ? [] : [all.slice(0, size), ...chunks(all.slice(size), size)];
const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id).toSorted();

describe.each(databases)('what the tracker tells whom, on $name', ({ name: database, ...kind }) => {
  let service: Service;
  let world: World;
  let events: TrackerEvents;
  let checks = 0;
  const leaks: string[] = [];

  /** One answer, in one respect, against the model. */
  function check(what: string, actual: unknown, expected: unknown): void {
    checks++;
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) leaks.push(`${what}: ${is}, not ${should}`);
  }

  beforeAll(async () => {
    service = await startCompiled(await contractOf('tracker'), { name: database, ...kind });
    world = await makeWorld(service);
    events = await followTracker(service);
  });
  afterAll(async () => {
    await events.end();
    await service.close();
  });

  const rowsOf = (...kinds: Kind[]): readonly Row[] => world.rows.filter((row) => kinds.includes(row.kind));
  const send = (method: string, url: string, as: As | undefined, more: object = {}): Promise<Reply> =>
    service.request(method, url, { ...(as && { as }), ...more });
  const ask = async (text: string, as: As | undefined, more: object = {}) =>
    service.graphql(text, { ...(as && { as }), ...more });
  const needsToken = ({ kind: of }: Row): boolean => of === 'team' || of === 'member';
  const refused = (row: Row, as: As | undefined): number => (!as && needsToken(row) ? 401 : 404);

  const fieldOf = ({ kind: of, id, values }: Row): string => {
    const parent =
      of === 'member' ? `teamId: "${values.teamId}", ` : of === 'comment' ? `issueId: "${values.issueId}", ` : '';
    return `${of}(${parent}id: "${id}") { id${of === 'project' ? ' budget' : ''} }`;
  };

  it('get', async () => {
    for (const [who, as] of EACH) {
      const sight = new Sight(world, as);
      const shown = (row: Row) =>
        sight.reads(row) ? { id: row.id, ...(row.kind === 'project' && { budget: sight.budgetOf(row) }) } : null;
      for (const row of world.rows) {
        const { status, body } = await send('GET', row.url, as);
        check(`${who}: GET ${row.kind}`, status, sight.reads(row) ? 200 : refused(row, as));
        if (row.kind === 'project' && status === 200) check(`${who}: budget`, body.budget, sight.budgetOf(row));
      }
      for (const rows of chunks(world.rows, 15)) {
        const { data } = await ask(`{ ${rows.map((row, n) => `a${n}: ${fieldOf(row)}`).join(' ')} }`, as);
        for (const [n, row] of rows.entries()) check(`${who}: ${row.kind}`, data[`a${n}`], shown(row));
      }
    }
  });

  async function checkLists(who: string, as: As | undefined, queries: readonly Query[]): Promise<void> {
    const sight = new Sight(world, as);
    const seen = (of: Kind) => sight.of(of);
    const expected = ({ kind: of, holds }: Query) => idsOf(sight.of(of).filter((row) => holds(row, seen)));
    for (const query of queries) {
      const { body } = await send('GET', `${query.path}?limit=50&count=true&${query.asked}`, as);
      check(`${who}: ${query.path}?${query.asked}`, body.data && idsOf(body.data), expected(query));
      check(`${who}: count of ${query.path}?${query.asked}`, body.page?.totalCount, expected(query).length);
    }
    for (const some of chunks(queries, 10)) {
      const fields = some.map(({ field, args }, n) => `a${n}: ${field}(${args}) { totalCount nodes { id } }`);
      const { data, text } = await ask(`{ ${fields.join(' ')} }`, as);
      if (!data) leaks.push(text);
      for (const [n, query] of some.entries()) {
        check(`${who}: ${query.field}(${query.args})`, idsOf(data?.[`a${n}`]?.nodes ?? []), expected(query));
        check(`${who}: count of ${query.field}(${query.args})`, data?.[`a${n}`]?.totalCount, expected(query).length);
      }
    }
  }

  it('lists, counts, filters, orders and searches', async () => {
    const hidden = rowsOf('project').filter(({ values }) => values.visibility === 'PRIVATE');
    const queries = [...generalQueries(world), ...hidden.flatMap((project) => guessesAt(world, project))];
    for (const [who, as] of EACH) await checkLists(who, as, queries);
  });

  it('lists below a parent', async () => {
    for (const [who, as] of EACH) {
      const sight = new Sight(world, as);
      for (const [parents, children, path] of [
        ['team', 'member', 'members'],
        ['issue', 'comment', 'comments'],
      ] as const)
        for (const parent of rowsOf(parents)) {
          const { status, body } = await send('GET', `${parent.url}/${path}?count=true`, as);
          const below = sight.of(children).filter(({ list }) => list === `${parent.url}/${path}`);
          check(`${who}: ${path}`, status, sight.reads(parent) ? 200 : refused(parent, as));
          if (status === 200)
            check(`${who}: ${path}`, [idsOf(body.data), body.page.totalCount], [idsOf(below), below.length]);
        }
    }
  });

  it('fields within fields', async () => {
    const inner =
      'id budget team { id } labels(first: 3) { nodes { id } } issues(first: 5) { totalCount nodes { id project { id } comments(first: 2) { nodes { id } } issueLabels(first: 2) { nodes { id label { id } } } } }';
    for (const [who, as] of EACH) {
      const sight = new Sight(world, as);
      for (const projects of chunks(rowsOf('project'), 2)) {
        const { data } = await ask(
          `{ ${projects.map(({ id }, n) => `a${n}: project(id: "${id}") { ${inner} }`).join(' ')} }`,
          as,
        );
        for (const [n, project] of projects.entries())
          check(`${who}: in a project`, data[`a${n}`], sight.reads(project) ? nested(sight, project) : null);
      }
    }
  });

  function nested(sight: Sight, project: Row): object {
    const below = (of: Kind, name: string, id: string) => sight.of(of).filter(({ values }) => values[name] === id);
    const nodes = (rows: readonly Row[], more: (row: Row) => object = () => ({})) =>
      rows.map((row) => ({ id: row.id, ...more(row) }));
    const issues = below('issue', 'projectId', project.id);
    const inIssue = ({ id }: Row): object => ({
      project: { id: project.id },
      comments: { nodes: nodes(below('comment', 'issueId', id)) },
      issueLabels: {
        nodes: nodes(below('issueLabel', 'issueId', id), ({ values }) => ({ label: { id: values.labelId } })),
      },
    });
    return {
      id: project.id,
      budget: sight.budgetOf(project),
      team: sight.reads(project.team) ? { id: project.team.id } : null,
      labels: { nodes: nodes(below('label', 'projectId', project.id)) },
      issues: { totalCount: issues.length, nodes: nodes(issues, inIssue) },
    };
  }

  it('cursors of others', async () => {
    const all = idsOf(rowsOf('issue'));
    const cursors: [string, readonly string[]][] = [];
    for (let url = '/v1/issues?limit=2', n = 2; n < all.length; n += 2) {
      const { body } = await send('GET', url, OPERATOR);
      cursors.push([body.page.nextCursor, all.slice(n)]);
      url = `/v1/issues?limit=2&cursor=${body.page.nextCursor}`;
    }
    for (const [who, as] of EACH)
      for (const [cursor, rest] of cursors) {
        const seen = idsOf(new Sight(world, as).of('issue'))
          .filter((id) => rest.includes(id))
          .slice(0, 2);
        const { status, body } = await send('GET', `/v1/issues?limit=2&cursor=${cursor}`, as);
        check(
          `${who}: another's cursor`,
          status === 400 ? 'refused' : idsOf(body.data),
          status === 400 ? 'refused' : seen,
        );
        const { data } = await ask(`{ issues(first: 2, after: "${cursor}") { nodes { id } } }`, as);
        check(`${who}: after another's cursor`, data && idsOf(data.issues.nodes), data && seen);
      }
  });

  it('entity tags of others', async () => {
    for (const url of [...rowsOf('project').map((row) => row.url), '/v1/projects', '/v1/issues']) {
      const views = await Promise.all(EACH.map(([, as]) => send('GET', url, as)));
      const tags = new Set(['"1"', ...views.flatMap(({ headers }) => headers['etag'] ?? [])]);
      for (const [n, [who, as]] of EACH.entries())
        for (const tag of tags) {
          const { status } = await send('GET', url, as, { headers: { 'if-none-match': tag } });
          const own = views[n]!;
          check(`${who}: ${url} If-None-Match ${tag}`, status, own.headers['etag'] === tag ? 304 : own.status);
        }
    }
  });

  const answered = ({ status, body }: Reply, id: string): object => {
    const { code, detail, errors } = body ?? {};
    return JSON.parse(JSON.stringify({ status, code, detail, errors: errors ?? null }).replaceAll(id, NOBODY));
  };

  it('writes to rows that are hidden, as to those that are not there', async () => {
    for (const [who, as] of EACH) {
      const sight = new Sight(world, as);
      for (const row of rowsOf('team', 'project', 'issue').filter((one) => !sight.reads(one)))
        for (const [method, url, body] of writesTo(world, row)) {
          const [hidden, absent] = await Promise.all(
            [row.id, NOBODY].map((id) => send(method, url(id), as, body && { body: body(id) })),
          );
          check(`${who}: ${method} ${url(row.kind)}`, answered(hidden!, row.id), answered(absent!, row.id));
          check(`${who}: ${method} ${url(row.kind)}`, hidden!.status >= 400, true);
        }
    }
  });

  it('mutations of rows that are hidden, as of those that are not there', async () => {
    const text = (id: string) =>
      `mutation { a: updateIssue(id: "${id}", input: { title: "taken" }) { id } }|mutation { a: deleteIssue(id: "${id}") }|mutation { a: createComment(issueId: "${id}", input: { body: "b" }) { id } }|mutation { a: createIssueLabel(input: { issueId: "${id}", labelId: "${NOBODY}" }) { id } }`.split(
        '|',
      );
    const told = async (id: string, n: number, as: As | undefined) => {
      const { errors = [] } = await ask(text(id)[n]!, as);
      return JSON.stringify(
        errors.map(({ message, extensions }) => [message, extensions.code, extensions.errors ?? null]),
      ).replaceAll(id, NOBODY);
    };
    for (const [who, as] of EACH)
      for (const { id } of rowsOf('issue').filter((one) => !new Sight(world, as).reads(one)))
        for (const n of [0, 1, 2, 3]) check(`${who}: mutation ${n}`, await told(id, n, as), await told(NOBODY, n, as));
  });

  it('keys that are taken, as those that are free, to who may not make a row', async () => {
    const same = async (what: string, as: As | undefined, url: string, taken: object, free: object) => {
      const [is, isNot] = await Promise.all([taken, free].map((body) => send('POST', url, as, { body })));
      check(what, answered(is!, NOBODY), answered(isNot!, NOBODY));
      check(what, is!.status >= 400, true);
    };
    for (const [who, as] of EACH)
      for (const row of rowsOf('project')) {
        const { id: projectId, values, team } = row;
        const sight = new Sight(world, as);
        if (sight.reads(team) && sight.roleIn(team)) continue;
        const project = { ...values.input, teamId: team.id };
        await same(`${who}: key of a project`, as, '/v1/projects', project, { ...project, key: 'FREE' });
        // Of a project in sight, everybody reads which names are taken.
        if (sight.reads(row)) continue;
        const label = { projectId, name: `l${values.key}`, colour: '#00ff00' };
        await same(`${who}: name of a label`, as, '/v1/labels', label, { ...label, name: 'free' });
      }
  });

  it('repeated creates', async () => {
    for (const row of rowsOf('project', 'issue', 'comment')) {
      const more = { body: row.values.input, headers: { 'idempotency-key': row.key } };
      const own = await send('POST', row.list, row.madeBy, more);
      check(`repeated ${row.kind}`, [own.status, own.body.id], [201, row.id]);
      for (const [who, as] of EACH) {
        const sight = new Sight(world, as);
        if (sight.reads(row) && sight.roleIn(row.team)) continue;
        const { status, text } = await send('POST', row.list, as, more);
        check(`${who}: repeats a ${row.kind}`, [status >= 400, text.includes(row.id)], [true, false]);
      }
    }
  });

  it('is all that there was before', async () => {
    for (const of of ['project', 'issue', 'label'] as const) {
      const { body } = await send('GET', `/v1/${of}s?limit=50`, OPERATOR);
      const as = (values: readonly { id: string; version: number }[]) => values.map(({ id, version }) => [id, version]);
      check(`every ${of}`, as(body.data), as(rowsOf(of).map(({ values }) => values)));
    }
  });

  it('events', async () => {
    const gone = rowsOf('issue').filter(({ values }) => values.status === 'DONE');
    const changed = rowsOf('issue').filter((row) => !gone.includes(row));
    for (const { url, madeBy } of changed) await send('PATCH', url, madeBy, { body: { priority: 5 } });
    for (const { url, madeBy } of rowsOf('project')) await send('PATCH', url, madeBy, { body: { name: 'changed' } });
    for (const { url, madeBy } of gone) await send('DELETE', url, madeBy);
    const expected = (as: As | undefined): readonly string[] => {
      const sight = new Sight(world, as);
      const told = (rows: readonly Row[], text: (row: Row) => string) =>
        rows.filter((row) => sight.reads(row)).map(text);
      return [
        ...told(changed, ({ id }) => `issueUpdated ${id}`),
        ...told(rowsOf('project'), (row) => `projectUpdated ${row.id} ${sight.budgetOf(row)}`),
        ...told(gone, ({ id }) => `issueDeleted ${id}`),
      ].toSorted();
    };
    const told = await events.settled(expected);
    for (const [who, as] of EACH) check(`${who}: events`, told[who]!.toSorted(), expected(as));
    for (const [who, as] of EACH)
      for (const row of rowsOf('project', 'issue')) {
        const isTold = told[who]!.some((event) => event.includes(row.id));
        check(`${who}: events of a ${row.kind}`, isTold, new Sight(world, as).reads(row));
      }
  });

  it('is what the rules say, in at least 5,000 checks', () => {
    console.log(`${database}: ${checks} checks of ${EACH.length} callers, ${leaks.length} leaks`);
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(5_000);
  });
});
