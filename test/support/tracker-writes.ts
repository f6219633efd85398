import type { Row, World } from './tracker-world.ts';

/** A request that changes a row, or refers to it; its path and its body name the row by the id that is given. */
export type Write = readonly [method: string, url: (id: string) => string, body?: (id: string) => object];

/** What can be tried on a team, a project or an issue. */
export function writesTo(world: World, row: Row): readonly Write[] {
  const one = (id: string): string => `${row.list}/${id}`;
  const renamed = row.kind === 'issue' ? { title: 'taken' } : { name: 'taken' };
  return [['PATCH', one, () => renamed], ['DELETE', one], ...referencesTo(world, row)];
}

function referencesTo(world: World, { kind, list, values, team }: Row): readonly Write[] {
  if (kind === 'team')
    return [
      ['POST', () => '/v1/projects', (teamId) => ({ teamId, key: 'FIPRI', name: 'p', visibility: 'PUBLIC' })],
      ['POST', (id) => `/v1/teams/${id}/members`, () => ({ userId: team.madeBy.sub, role: 'GUEST' })],
    ];
  if (kind === 'project')
    return [
      ['POST', () => '/v1/labels', (projectId) => ({ projectId, name: `l${values.key}`, colour: '#00ff00' })],
      ['POST', () => '/v1/issues', (projectId) => ({ projectId, title: 't', status: 'OPEN', priority: 1 })],
    ];
  const label = world.rows.find((other) => other.kind === 'label' && other.values.projectId === values.projectId)!;
  return [
    ['PUT', (id) => `${list}/${id}`, () => ({ ...values.input, title: 'taken' })],
    ['POST', () => '/v1/issue-labels', (issueId) => ({ issueId, labelId: label.id })],
    ['POST', (id) => `${list}/${id}/comments`, () => ({ body: 'b' })],
  ];
}
