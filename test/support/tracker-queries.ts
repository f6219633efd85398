import { type Kind, projectOf, type Row, type World } from './tracker-world.ts';

/** What is asked of a list, in both protocols, and the rows that it is to find among those in sight. */
export interface Query {
  readonly kind: Kind;
  readonly path: string;
  /** The field of GraphQL. */
  readonly field: string;
  /** The query string of REST. */
  readonly asked: string;
  /** Its arguments of GraphQL. */
  readonly args: string;
  /** Whether a row is found; the rows in sight are for conditions on others. */
  holds(row: Row, seen: (kind: Kind) => readonly Row[]): boolean;
}

type Holds = Query['holds'];
type Values = Readonly<Record<string, unknown>>;

const FIELDS = { project: 'projects', label: 'labels', issue: 'issues', issueLabel: 'issueLabels' } as const;
const everything: Holds = () => true;

/** An object as GraphQL writes it; texts in capitals are values of enums. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(' ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value).map(([key, one]) => `${key}: ${literal(one)}`)} }`;
  return typeof value === 'string' && /^(PUBLIC|PRIVATE|OPEN|DONE|IN_PROGRESS)$/.test(value)
    ? value
    : JSON.stringify(value);
}

function query(kind: keyof typeof FIELDS, asked: string, args: string, holds: Holds): Query {
  const path = kind === 'issueLabel' ? '/v1/issue-labels' : `/v1/${FIELDS[kind]}`;
  return { kind, path, field: FIELDS[kind], asked, args, holds };
}

const combined = (kind: keyof typeof FIELDS, filter: Values, holds: Holds): Query =>
  query(kind, `filter=${encodeURIComponent(JSON.stringify(filter))}`, `filter: ${literal(filter)}`, holds);

const equal = (kind: keyof typeof FIELDS, name: string, value: string): Query =>
  query(kind, `${name}=${value}`, `filter: ${literal({ [name]: value })}`, ({ values }) => values[name] === value);

/** Orders, and what holds of many rows. */
export function generalQueries(world: World): readonly Query[] {
  const isPublic: Holds = (row) => projectOf(world, row).values.visibility === 'PUBLIC';
  const isPrivate: Holds = (row, seen) => !isPublic(row, seen);
  const open: Holds = ({ values }) => values.status === 'OPEN';
  const important: Holds = ({ values }) => values.priority >= 3;
  const isSaid: Holds = ({ id }, seen) => seen('comment').some(({ values }) => values.issueId === id);
  const PRIVATE = { project: { visibility: 'PRIVATE' } };
  return [
    ...(['project', 'label', 'issue', 'issueLabel'] as const).map((kind) => query(kind, '', 'first: 20', everything)),
    query('project', 'sort=-name', 'sort: [NAME_DESC]', everything),
    query('label', 'sort=name', 'sort: [NAME_ASC]', everything),
    query('issue', 'sort=-priority', 'sort: [PRIORITY_DESC]', everything),
    query('issue', 'sort=dueOn,-createdAt', 'sort: [DUE_ON_ASC, CREATED_AT_DESC]', everything),
    query('issue', 'search=both', 'search: "both"', everything),
    query('issue', 'status=OPEN', 'filter: { status: [OPEN] }', open),
    query('issue', 'priority[gte]=3', 'filter: { priority: { gte: 3 } }', important),
    equal('project', 'visibility', 'PRIVATE'),
    combined('project', { visibility: 'PRIVATE' }, isPrivate),
    combined('issue', PRIVATE, isPrivate),
    combined('issue', { not: PRIVATE }, isPublic),
    combined('issue', { or: [PRIVATE, { status: ['OPEN'] }] }, (...of) => isPrivate(...of) || open(...of)),
    combined('issue', { and: [PRIVATE, { priority: { gte: 3 } }] }, (...of) => isPrivate(...of) && important(...of)),
    combined('issue', { comments: { some: {} } }, isSaid),
    combined('issue', { comments: { none: {} } }, (...of) => !isSaid(...of)),
  ];
}

/** Guesses at a project and at what belongs to it. */
export function guessesAt(world: World, project: Row): readonly Query[] {
  const { id, values, madeBy, team } = project;
  const label = world.rows.find((row) => row.kind === 'label' && row.values.projectId === id)!;
  const isOf: Holds = (row) => projectOf(world, row) === project;
  const isOfTeam: Holds = (row) => row.team === team;
  const labelled =
    (test: (label: Row) => boolean): Holds =>
    (issue, seen) => {
      const labels = seen('issueLabel').filter((one) => one.values.issueId === issue.id);
      return seen('label').some((one) => test(one) && labels.some((link) => link.values.labelId === one.id));
    };
  const byProject = labelled((one) => one.values.projectId === id);
  const byName = labelled((one) => one.values.name === label.values.name);
  const named = { issueLabels: { some: { label: { name: label.values.name } } } };
  const word = `w${project.tenant}${values.key}`;
  return [
    equal('issue', 'projectId', id),
    equal('issue', 'assigneeId', madeBy.sub),
    equal('label', 'projectId', id),
    equal('label', 'name', label.values.name),
    equal('issueLabel', 'labelId', label.id),
    equal('project', 'teamId', team.id),
    query(
      'project',
      `name[contains]=${values.name.slice(-9)}`,
      `filter: { name: { contains: "${values.name.slice(-9)}" } }`,
      (row) => row.values.name.endsWith(values.name.slice(-9)),
    ),
    query('issue', `search=${word}`, `search: "${word}"`, isOf),
    query('issue', `search=${word.slice(0, -1)}*`, `search: "${word.slice(0, -1)}*"`, isOf),
    combined('issue', { project: { teamId: team.id } }, isOfTeam),
    combined('issue', { not: { projectId: id } }, (...of) => !isOf(...of)),
    combined('issue', { issueLabels: { some: { labelId: label.id } } }, (issue, seen) =>
      seen('issueLabel').some(({ values: link }) => link.issueId === issue.id && link.labelId === label.id),
    ),
    combined('issue', { issueLabels: { some: { label: { projectId: id } } } }, byProject),
    combined('issue', named, byName),
    combined('issue', { not: named }, (...of) => !byName(...of)),
    combined('issue', { comments: { some: { createdBy: madeBy.sub } } }, ({ id: issueId }, seen) =>
      seen('comment').some(({ values: said }) => said.issueId === issueId && said.createdBy === madeBy.sub),
    ),
    combined('issueLabel', { label: { name: label.values.name } }, ({ values: link }, seen) =>
      seen('label').some((one) => one.id === link.labelId && one.values.name === label.values.name),
    ),
  ];
}
