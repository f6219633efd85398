import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type As, type Reply, type Service, startCompiled } from '../../support/service.ts';
import { JoinedSight, makeJoinedWorld, trackerOfJoins } from '../../support/tracker-joins.ts';
import { generalQueries, guessesAt, type Query } from '../../support/tracker-queries.ts';
import { CALLERS, type Kind, type Row, type World } from '../../support/tracker-world.ts';

const NOBODY = '01941f29-7c00-7a10-8c57-0000000000ff';
const OPERATOR = CALLERS['operator of no tenant']!;
const EACH = Object.entries(CALLERS);

/** The lists: of the labels of an issue, and of the issues with a label. */
const LISTS = [
  { above: 'issue', listed: 'label', name: 'labels' },
  { above: 'label', listed: 'issue', name: 'issues' },
] as const;
type List = (typeof LISTS)[number];

const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);
const sorted = (rows: readonly { readonly id: string }[]): readonly string[] => ids(rows).toSorted();

describe.each(databases)('what lists through another resource tell whom, on $name', ({ name: database, ...kind }) => {
  let service: Service;
  let world: World;
  let checks = 0;
  const leaks: string[] = [];

  /** One answer, in one respect, against the model. */
  function check(what: string, actual: unknown, expected: unknown): void {
    checks++;
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) leaks.push(`${what}: ${is}, not ${should}`);
  }

  beforeAll(async () => {
    service = await startCompiled(await trackerOfJoins(), { name: database, ...kind });
    world = await makeJoinedWorld(service);
  });
  afterAll(() => service.close());

  const rowsOf = (of: Kind): readonly Row[] => world.rows.filter((row) => row.kind === of);
  const get = (url: string, as: As | undefined, headers = {}): Promise<Reply> =>
    service.request('GET', url, { ...(as && { as }), headers });
  const ask = (text: string, as: As | undefined) => service.graphql(text, as && { as });
  const urlOf = (row: Row, { name }: List, asked = ''): string => `${row.url}/${name}?limit=50&count=true&${asked}`;

  function queriesOf({ listed }: List): readonly Query[] {
    const hidden = rowsOf('project').filter(({ values }) => values.visibility === 'PRIVATE');
    const queries = [...generalQueries(world), ...hidden.flatMap((project) => guessesAt(world, project))];
    return queries.filter((query) => query.kind === listed);
  }

  function joined(sight: JoinedSight, above: Row, { holds }: Pick<Query, 'holds'>): readonly string[] {
    return sorted(sight.joinedTo(above).filter((row) => holds(row, (of) => sight.of(of))));
  }

  const everything = { holds: () => true };

  it('has what is seen and what is hidden of each: a row above, what joins, and what is joined', () => {
    const sight = new JoinedSight(world, CALLERS['stranger of acme']);
    const combinations = rowsOf('issueLabel').map((join) => {
      const [issue, label] = [join.values.issueId, join.values.labelId].map((id) =>
        sight.reads(world.rows.find((row) => row.id === id)!),
      );
      return [issue && 'issue', sight.reads(join) && 'join', label && 'label'].filter(Boolean).join();
    });
    expect([...new Set(combinations)].toSorted()).toEqual([
      '',
      'issue',
      'issue,join',
      'issue,join,label',
      'issue,label',
      'label',
    ]);
  });

  it('lists, counts, filters, orders and searches in REST', async () => {
    for (const [who, as] of EACH) {
      const sight = new JoinedSight(world, as);
      for (const list of LISTS) {
        const queries = queriesOf(list);
        for (const [n, row] of rowsOf(list.above).entries())
          for (const query of [{ asked: '', ...everything }, queries[n % queries.length]!]) {
            const url = urlOf(row, list, query.asked);
            const { status, body } = await get(url, as);
            check(`${who}: ${url}`, status, sight.reads(row) ? 200 : 404);
            if (status !== 200) continue;
            const expected = joined(sight, row, query);
            check(`${who}: ${url}`, [sorted(body.data), body.page.totalCount], [expected, expected.length]);
          }
      }
    }
  });

  it('lists, counts, filters, orders and searches in GraphQL, below many rows at once', async () => {
    for (const [who, as] of EACH) {
      const sight = new JoinedSight(world, as);
      for (const list of LISTS)
        for (const { args, holds } of queriesOf(list)) {
          const { data, text } = await ask(
            `{ above: ${list.above}s(first: 30) { nodes { id below: ${list.name}(${args}) { totalCount nodes { id } } } } }`,
            as,
          );
          if (!data) leaks.push(text);
          check(`${who}: above ${list.name}`, sorted(data?.above.nodes ?? []), sorted(sight.of(list.above)));
          for (const { id, below } of data?.above.nodes ?? []) {
            const expected = joined(sight, rowsOf(list.above).find((row) => row.id === id)!, { holds });
            const what = `${who}: ${list.name}(${args}) of ${id}`;
            check(what, [sorted(below.nodes), below.totalCount], [expected, expected.length]);
          }
        }
    }
  });

  it('fields within fields', async () => {
    const inner =
      'issues(first: 4) { nodes { id labels(first: 4, sort: [NAME_DESC]) { totalCount nodes { id project { id } issues(first: 4, sort: [PRIORITY_DESC]) { totalCount nodes { id } } } } } }';
    for (const [who, as] of EACH) {
      const sight = new JoinedSight(world, as);
      for (const project of sight.of('project')) {
        const { data } = await ask(`{ project(id: "${project.id}") { ${inner} } }`, as);
        for (const { id, labels } of data.project.issues.nodes) {
          const expected = sight.joinedTo(rowsOf('issue').find((row) => row.id === id)!);
          check(`${who}: labels`, [labels.totalCount, sorted(labels.nodes)], [expected.length, sorted(expected)]);
          for (const { id: labelId, project: of, issues } of labels.nodes) {
            const label = rowsOf('label').find((row) => row.id === labelId)!;
            const below = sight.joinedTo(label);
            check(`${who}: project of a label`, of?.id, label.values.projectId);
            check(`${who}: issues of a label`, issues.totalCount, below.length);
            check(
              `${who}: issues of a label`,
              ids(issues.nodes).every((one) => ids(below).includes(one)),
              true,
            );
          }
        }
      }
    }
  });

  const orders = { issue: ['sort=-name', 'sort: [NAME_DESC]'], label: ['sort=priority', 'sort: [PRIORITY_ASC]'] };

  it('pages, forward and backward', async () => {
    for (const [who, as] of EACH) {
      const sight = new JoinedSight(world, as);
      for (const list of LISTS)
        for (const row of sight.of(list.above)) {
          const expected = sorted(sight.joinedTo(row));
          if (expected.length < 2) continue;
          const [asked, args] = orders[list.above];
          const whole = ids((await get(urlOf(row, list, asked), as)).body.data);
          check(`${who}: all`, whole.toSorted(), expected);
          const url = `${row.url}/${list.name}?limit=1&${asked}`;
          const seen: string[] = [];
          let page = (await get(url, as)).body;
          for (let n = 0; n < 20; n++) {
            seen.push(...ids(page.data));
            if (page.page.nextCursor === null) break;
            page = (await get(`${url}&cursor=${page.page.nextCursor}`, as)).body;
          }
          check(`${who}: forward ${url}`, seen, whole);
          const last = `{ a: ${list.above}(id: "${row.id}") { below: ${list.name}(last: 1, ${args}) { nodes { id } pageInfo { startCursor hasPreviousPage } } } }`;
          const { below } = (await ask(last, as)).data.a;
          const before = `{ a: ${list.above}(id: "${row.id}") { below: ${list.name}(last: 50, before: "${below.pageInfo.startCursor}", ${args}) { nodes { id } pageInfo { hasPreviousPage } } } }`;
          const rest = (await ask(before, as)).data.a.below;
          check(`${who}: backward ${url}`, [ids(below.nodes), ids(rest.nodes)], [whole.slice(-1), whole.slice(0, -1)]);
          check(`${who}: before the first`, rest.pageInfo.hasPreviousPage, false);
        }
    }
  });

  it('cursors of others', async () => {
    for (const list of LISTS)
      for (const row of rowsOf(list.above)) {
        const url = `${row.url}/${list.name}?limit=1`;
        const { nextCursor } = (await get(url, OPERATOR)).body.page;
        if (nextCursor === null) continue;
        const second = await get(`${url}&cursor=${nextCursor}`, OPERATOR);
        const cursors = [nextCursor, second.body.page.previousCursor, second.body.page.nextCursor].filter(Boolean);
        for (const [who, as] of EACH) await checkCursors(who, as, { list, row, cursors });
      }
  });

  async function checkCursors(
    who: string,
    as: As | undefined,
    { list, row, cursors }: { list: List; row: Row; cursors: readonly string[] },
  ): Promise<void> {
    const sight = new JoinedSight(world, as);
    const seen = ids(sight.joinedTo(row));
    const isOwn = as?.scope === OPERATOR.scope && as.claims === undefined;
    for (const cursor of cursors) {
      const { status, body } = await get(`${row.url}/${list.name}?limit=1&cursor=${cursor}`, as);
      const allowed = sight.reads(row) ? (isOwn ? [200] : [200, 400]) : [404];
      check(`${who}: another's cursor of ${row.url}/${list.name}`, allowed.includes(status) || status, true);
      if (status === 200)
        check(
          `${who}: another's cursor`,
          ids(body.data).every((id) => seen.includes(id)),
          true,
        );
      const direction = cursor.startsWith('~')
        ? `last: 1, before: "${cursor.slice(1)}"`
        : `first: 1, after: "${cursor}"`;
      const text = `{ a: ${list.above}(id: "${row.id}") { below: ${list.name}(${direction}) { nodes { id } } } }`;
      const { data } = await ask(text, as);
      const nodes = data?.a?.below?.nodes ?? [];
      check(
        `${who}: ${direction} of another`,
        ids(nodes).every((id) => seen.includes(id)),
        true,
      );
    }
  }

  it('entity tags of others', async () => {
    for (const list of LISTS)
      for (const row of rowsOf(list.above)) {
        const url = `${row.url}/${list.name}?count=true`;
        const views = await Promise.all(EACH.map(([, as]) => get(url, as)));
        const whole = views[EACH.findIndex(([, as]) => as === OPERATOR)]!;
        for (const [n, [who, as]] of EACH.entries()) {
          const own = views[n]!;
          const tag = String(whole.headers['etag']);
          const { status } = await get(url, as, { 'if-none-match': tag });
          check(`${who}: ${url} If-None-Match`, status, own.text === whole.text ? 304 : own.status);
          check(`${who}: ${url} entity tag`, own.headers['etag'] === tag, own.text === whole.text);
        }
      }
  });

  it('lists below rows that are hidden, as below those that are not there', async () => {
    const told = ({ text }: { text: string }, id = NOBODY): string =>
      text.replaceAll(id, NOBODY).replace(/"requestId":"\w+"/, '');
    for (const [who, as] of EACH) {
      const sight = new JoinedSight(world, as);
      for (const list of LISTS)
        for (const row of rowsOf(list.above).filter((one) => !sight.reads(one))) {
          for (const asked of ['cursor=abc', `projectId=${row.values.projectId}`]) {
            const [is, absent] = await Promise.all(
              [row.id, NOBODY].map((id) => get(`${row.list}/${id}/${list.name}?${asked}`, as)),
            );
            check(`${who}: hidden ${list.above}`, [is!.status, told(is!, row.id)], [absent!.status, told(absent!)]);
          }
          const field = (id: string) =>
            `{ a: ${list.above}(id: "${id}") { ${list.name} { totalCount nodes { id } } } }`;
          const [is, absent] = await Promise.all([row.id, NOBODY].map((id) => ask(field(id), as)));
          check(`${who}: hidden ${list.above} in GraphQL`, told(is!, row.id), told(absent!));
        }
    }
  });

  it('is what the rules say, in at least 5,000 checks', () => {
    console.log(`${database}: ${checks} checks of ${EACH.length} callers, ${leaks.length} leaks`);
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(5_000);
  });
});
