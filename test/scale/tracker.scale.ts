import { expect, it, vi } from 'vitest';
import { TableStatements } from '../../src/runtime/storage/statements/table-statements.ts';
import { type As, contractOf, type Service, startCompiled } from '../support/service.ts';
import { type LargeDatabase, largeDatabases } from './support/large-database.ts';
import { idOf as groupedId, type SqlWords, sqlWords } from './support/sql-words.ts';
import { withoutIndexes } from './support/without-indexes.ts';

const TEAMS = 2_000;
const MEMBERS = 5;
const USERS = 2_500;
const PROJECTS = 10_000;
/** `TRACKER_ISSUES` and `TRACKER_ASKS` make it a shorter run. */
const ISSUES = Number(process.env['TRACKER_ISSUES'] ?? 1_000_000);
const LABELS = 30_000;
const COMMENTS = Math.min(ISSUES, 300_000);
const ASKS = Number(process.env['TRACKER_ASKS'] ?? 100);
const TENANTS = { even: 'acme', odd: 'globex' };

/** One of each five projects is public; users are in four teams of one tenant, to which every second team belongs. */
const KINDS = { team: 1, member: 2, user: 3, project: 4, label: 5, issue: 6, issueLabel: 7, comment: 8 };
type Kind = keyof typeof KINDS;

const idOf = (kind: Kind, n: number): string => groupedId(KINDS[kind], n);

async function fill(database: LargeDatabase, { id: idIn, rows, time, date }: SqlWords): Promise<void> {
  const id = (kind: Kind, n: string): string => idIn(KINDS[kind], n);
  const managed = (kind: Kind): string => `${id(kind, 'i')}, 1, ${time('i')}, ${time('i')}`;
  const words = (n: string): string =>
    `'w' || (${n}) % 17 || ' w' || (${n}) % 211 || ' w' || (${n}) % 5003 || ' w' || (${n}) % 20011`;
  const user = (n: string): string => id('user', `(${n}) % ${USERS}`);
  const ofTeam = (n: string): string => `case when (${n}) % 2 = 0 then '${TENANTS.even}' else '${TENANTS.odd}' end`;
  const ofProject = (n: string): string => ofTeam(`${n} + 1`);
  const into = (table: string, columns: string, values: string, count: number): Promise<unknown> =>
    database.query(
      `insert into ${table} (id, version, created_at, updated_at, ${columns}) select ${values} from ${rows(count)}`,
    );
  await into(
    'teams',
    'tenant_id, name, created_by',
    `${managed('team')}, ${ofTeam('i')}, 'Team ' || i, ${user('i')}`,
    TEAMS,
  );
  await into(
    'teams_members',
    'team_id, user_id, role',
    `${managed('member')}, ${id('team', `i / ${MEMBERS} + 1`)}, ${user('i')}, case when i % ${MEMBERS} = 0 then 'OWNER' else 'MEMBER' end`,
    TEAMS * MEMBERS - MEMBERS,
  );
  const key =
    "replace(replace(replace(replace(replace(replace(replace(replace(replace(replace('P' || i, '0', 'A'), '1', 'B'), '2', 'C'), '3', 'D'), '4', 'E'), '5', 'F'), '6', 'G'), '7', 'H'), '8', 'I'), '9', 'J')";
  await into(
    'projects',
    'tenant_id, team_id, key, name, visibility',
    `${managed('project')}, ${ofProject('i')}, ${id('team', `i % ${TEAMS} + 1`)}, ${key}, 'Project ' || i, case when i % 5 = 0 then 'PUBLIC' else 'PRIVATE' end`,
    PROJECTS,
  );
  await into(
    'labels',
    'tenant_id, project_id, name, colour',
    `${managed('label')}, ${ofProject('i')}, ${id('project', `(i - 1) % ${PROJECTS} + 1`)}, 'Label ' || i, '#00ff00'`,
    LABELS,
  );
  const state = "case when i % 10 < 2 then 'OPEN' when i % 10 = 2 then 'IN_PROGRESS' else 'DONE' end";
  const issue = `${managed('issue')}, ${ofProject('i / 7 + 1')}, ${id('project', `(i / 7) % ${PROJECTS} + 1`)}, 'Issue ' || i, ${words('i * 7919')}, ${state}, i % 5 + 1, ${user('i * 31')}, ${date('i % 400')}, ${user('i')}`;
  await into(
    'issues',
    'tenant_id, project_id, title, body, status, priority, assignee_id, due_on, created_by',
    issue,
    ISSUES,
  );
  await into(
    'issue_labels',
    'tenant_id, issue_id, label_id',
    `${managed('issueLabel')}, ${ofProject('i / 7 + 1')}, ${id('issue', 'i')}, ${id('label', `(i / 7) % ${PROJECTS} + 1`)}`,
    ISSUES / 2,
  );
  await into(
    'issues_comments',
    'issue_id, body, created_by',
    `${managed('comment')}, ${id('issue', `i % 20000 + 1`)}, ${words('i * 104729')}, ${user('i')}`,
    COMMENTS,
  );
}

const claims = { tenant: TENANTS.even };
const user = (n: number): As => ({ sub: idOf('user', n), scope: '', claims });
const CALLERS: Readonly<Record<string, As | undefined>> = {
  anonymous: undefined,
  'a member': user(7),
  'a stranger': { sub: idOf('user', 999_999), scope: '', claims },
  'an operator': { sub: idOf('user', 1), scope: 'tracker:operate' },
};

const member = 7;
const mine = (n: number): number => (((member + n * USERS) / MEMBERS) | 0) + 1;
const some = (count: number, n: number): number => ((n * 7_919) % count) + 1;

const list = (field: string, args = ''): string =>
  `${field}(first: 20${args}) { totalCount totalCountIsExact nodes { id } }`;

/** Each declared query, with values that differ from one time to the next: a path of REST, or a document of GraphQL. */
const QUERIES: Readonly<Record<string, (n: number) => string>> = {
  issues: () => '/issues',
  'issues of a project': (n) => `/issues?projectId=${idOf('project', some(PROJECTS, n))}`,
  'issues of my project': (n) => `/issues?projectId=${idOf('project', mine(n % 4) - 1 || 1)}`,
  'issues by status': () => '/issues?status=OPEN,IN_PROGRESS',
  'issues by assignee': (n) => `/issues?assigneeId=${idOf('user', some(USERS, n))}`,
  'issues by priority': () => '/issues?priority[gte]=4',
  'issues by due date': (n) => `/issues?dueOn[gte]=2026-${String((n % 12) + 1).padStart(2, '0')}-01&sort=dueOn`,
  'issues in order of priority': () => '/issues?sort=-priority',
  'issues in order of time': () => '/issues?sort=-createdAt',
  'open issues in order': () => '/issues?status=OPEN&sort=-priority',
  'issues from the end': () => '/issues?cursor=~',
  'issues by a rare word': (n) => `/issues?search=w${300 + some(4_000, n)}`,
  'issues by a frequent word': (n) => `/issues?search=w${n % 17}`,
  projects: () => '/projects',
  'projects by name': (n) => `/projects?name[contains]=Project%20${some(PROJECTS, n)}`,
  'projects in order': () => '/projects?visibility=PUBLIC&sort=name',
  'projects of a team': (n) => `/projects?teamId=${idOf('team', some(TEAMS, n))}`,
  'labels of a project': (n) => `/labels?projectId=${idOf('project', some(PROJECTS, n))}`,
  'labels in order': () => '/labels?sort=name',
  teams: () => '/teams?sort=name',
  'labels of issues': (n) => `/issue-labels?labelId=${idOf('label', some(PROJECTS, n))}`,
  comments: (n) => `/issues/${idOf('issue', some(20_000, n))}/comments?sort=-createdAt`,
  'issues in order of the due date': () => '/issues?sort=-dueOn',
  'open issues in order of time': () => '/issues?status=OPEN,DONE&sort=-createdAt',
  'issues of few': (n) => `/issues?assigneeId=${idOf('user', some(USERS, n))}&status=IN_PROGRESS&sort=-dueOn`,
  'projects by visibility': () => '/projects?visibility=PRIVATE',
  'issues counted': () => '/issues?count=true',
  'issues by status counted': () => '/issues?status=OPEN&count=true',
  'issues by priority counted': () => '/issues?priority[gte]=4&count=true',
  'issues by due date counted': () => '/issues?dueOn[lte]=2026-06-01&count=true',
  'issues of a project counted': (n) => `/issues?projectId=${idOf('project', some(PROJECTS, n))}&count=true`,
  'projects counted': () => '/projects?count=true',
  'labels counted': () => '/labels?count=true',
  'labels of issues counted': () => '/issue-labels?count=true',
  'issues by any of two': (n) =>
    `/issues?filter=${encodeURIComponent(JSON.stringify({ or: [{ assigneeId: idOf('user', some(USERS, n)) }, { projectId: idOf('project', some(PROJECTS, n)) }] }))}`,
  'what projects have': () => `{ projects(first: 5) { nodes { id ${list('issues')} ${list('labels')} } } }`,
  'what an issue has': (n) =>
    `{ issue(id: "${idOf('issue', some(20_000, n))}") { id project { team { id } } ${list('comments')} ${list('issueLabels')} } }`,
  'one project': (n) => `/projects/${idOf('project', some(PROJECTS, n))}`,
  'one label': (n) => `/labels/${idOf('label', some(LABELS, n))}`,
  'one label of an issue': (n) => `/issue-labels/${idOf('issueLabel', some(ISSUES / 2, n))}`,
  'one issue': (n) => `/issues/${idOf('issue', some(ISSUES, n))}`,
};

async function timesOf(service: Service, as: As | undefined, query: (n: number) => string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < ASKS; n++) {
    const started = performance.now();
    const asked = query(n);
    const { status, text } = asked.startsWith('{')
      ? await service.graphql(asked, as && { as })
      : await service.request('GET', `/v1${asked}`, as && { as });
    times.push(performance.now() - started);
    if (![200, 401, 404].includes(status)) throw new Error(`${asked}: ${status} ${text}`);
    if (times.reduce((a, b) => a + b) > 10_000) break;
  }
  return times.sort((a, b) => a - b);
}

it.each(largeDatabases)('each query of 1,000,000 issues, on $name', async ({ name, open }) => {
  const contract = await contractOf('tracker');
  const database = await open(contract.resources);
  const started = performance.now();
  await withoutIndexes(name, database.query, () => fill(database, sqlWords[name]));
  await database.query(name === 'SQLite' ? 'analyze' : 'vacuum analyze');
  console.log(`${name}: filled in ${Math.round((performance.now() - started) / 1000)} s`);
  const service = await startCompiled(
    contract,
    { name, open: async () => database },
    {},
    { checkResponses: false, listCacheBytes: 0 },
  );
  const slow: string[] = [];
  const listed = vi.spyOn(TableStatements.prototype, 'list');
  const counted = vi.spyOn(TableStatements.prototype, 'count');
  for (const [what, query] of Object.entries(QUERIES))
    for (const [who, as] of Object.entries(CALLERS)) {
      for (const spy of [listed, counted]) spy.mockClear();
      const times = await timesOf(service, as, query);
      const statements = [listed, counted].flatMap(({ mock }) => mock.results.map(({ value }) => value.sql as string));
      const [p50, p99] = [0.5, 0.99].map((share) => times[Math.ceil(share * times.length) - 1]!);
      const line = `${what}, ${who}: p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms`;
      console.log(`${name}: ${line}`);
      for (const sql of who === 'a member' || !(p99! < 50) ? new Set(statements) : [])
        console.log(`${sql}\n${await database.plan(sql)}`);
      if (!(p99! < 50)) slow.push(line);
    }
  await service.close();
  expect(slow).toEqual([]);
});
