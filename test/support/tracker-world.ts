import { expect } from 'vitest';
import type { As, Reply, Service } from './service.ts';

/** A row of the tracker as it was answered to who made it. */
export class Row {
  readonly kind: Kind;
  // biome-ignore lint/suspicious/noExplicitAny: a row has what its input had
  readonly values: any;
  /** The path of its collection. */
  readonly list: string;
  readonly tenant: string;
  /** The team that it belongs to; a team is its own. */
  readonly team: Row;
  /** Who made it, by which key of idempotency. */
  readonly madeBy: As;
  readonly key: string;

  constructor(
    kind: Kind,
    values: { id: string },
    list: string,
    tenant: string,
    team: Row | undefined,
    by: As,
    key: string,
  ) {
    this.kind = kind;
    this.values = values;
    this.list = list;
    this.tenant = tenant;
    this.team = team ?? this;
    this.madeBy = by;
    this.key = key;
  }

  get id(): string {
    return this.values.id;
  }

  get url(): string {
    return `${this.list}/${this.id}`;
  }
}
export type Kind = 'team' | 'member' | 'project' | 'label' | 'issue' | 'issueLabel' | 'comment';
export type Role = 'OWNER' | 'MEMBER' | 'GUEST';

/** Every row, and who is a member of which team. */
export interface World {
  readonly rows: Row[];
  readonly roles: Map<string, ReadonlyMap<string, Role>>;
}

export const TENANTS = ['acme', 'globex'] as const;
const PEOPLE = ['owner', 'member', 'guest', 'neighbour', 'stranger'] as const;
const userOf = (tenant: string, who: string): string =>
  `0000000${TENANTS.indexOf(tenant as 'acme')}-0000-7000-8000-00000000000${PEOPLE.indexOf(who as 'owner')}`;
const personOf = (tenant: string, who: (typeof PEOPLE)[number], scope = ''): As => ({
  sub: userOf(tenant, who),
  scope,
  claims: { tenant },
});

/** Each kind of caller; without a token it is undefined. */
export const CALLERS: Readonly<Record<string, As | undefined>> = {
  ...Object.fromEntries(
    TENANTS.flatMap((tenant) => PEOPLE.map((who) => [`${who} of ${tenant}`, personOf(tenant, who)])),
  ),
  'operator of acme': { sub: userOf('acme', 'stranger'), scope: 'tracker:operate', claims: { tenant: 'acme' } },
  'operator of no tenant': { sub: userOf('acme', 'stranger'), scope: 'tracker:operate' },
  'owner without a tenant': { sub: userOf('acme', 'owner'), scope: '' },
  'owner of acme in globex': { sub: userOf('acme', 'owner'), scope: '', claims: { tenant: 'globex' } },
  'owner whose tenant is a number': { sub: userOf('acme', 'owner'), scope: '', claims: { tenant: 7 } },
  'owner whose tenant is a list': { sub: userOf('acme', 'owner'), scope: '', claims: { tenant: ['acme'] } },
  'owner whose tenant is empty': { sub: userOf('acme', 'owner'), scope: '', claims: { tenant: '' } },
  'somebody whose sub is no id': { sub: 'owner', scope: '', claims: { tenant: 'acme' } },
  anonymous: undefined,
};

/** Two tenants of two teams, each with a public and a private project, all by REST. */
export async function makeWorld(service: Service): Promise<World> {
  const world: World = { rows: [], roles: new Map() };
  for (const tenant of TENANTS)
    for (const [name, who] of [['first', 'owner'] as const, ['second', 'neighbour'] as const])
      await makeTeam(new Maker(service, world, personOf(tenant, who, 'teams:write')), tenant, name);
  return world;
}

async function makeTeam(maker: Maker, tenant: string, name: string): Promise<void> {
  const team = await maker.make('team', undefined, '/v1/teams', { name: `${tenant} ${name}` });
  const roles = new Map<string, Role>();
  const add = async (who: string, role: Role) => {
    const userId = userOf(tenant, who);
    roles.set(userId, role);
    await maker.make('member', team, `/v1/teams/${team.id}/members`, { userId, role });
  };
  maker.world.roles.set(team.id, roles);
  if (name === 'second') await add('neighbour', 'OWNER');
  else for (const who of ['owner', 'member', 'guest'] as const) await add(who, who.toUpperCase() as Role);
  for (const visibility of ['PUBLIC', 'PRIVATE']) await makeProject(maker, team, name, visibility);
}

async function makeProject(maker: Maker, team: Row, name: string, visibility: string): Promise<void> {
  const key = `${name.slice(0, 2)}${visibility.slice(0, 3)}`.toUpperCase();
  const budget = 1000 + maker.world.rows.length;
  const named = { teamId: team.id, key, name: `${visibility} of ${team.values.name}`, visibility, budget };
  const project = await maker.make('project', team, '/v1/projects', named);
  const projectId = project.id;
  const colour = '#00ff00';
  const label = await maker.make('label', team, '/v1/labels', { projectId, name: `l${key}`, colour });
  for (const [n, status] of ['OPEN', 'DONE'].entries()) {
    const words = { title: `both w${team.values.tenantId}${key}`, body: `x${key}${n}` };
    const more = { status, priority: n * 3 + 1, dueOn: `2026-0${n + 1}-01`, assigneeId: maker.as.sub };
    const issue = await maker.make('issue', team, '/v1/issues', { projectId, ...words, ...more });
    if (n === 0) await maker.make('issueLabel', team, '/v1/issue-labels', { issueId: issue.id, labelId: label.id });
    if (n === 0) await maker.make('comment', team, `/v1/issues/${issue.id}/comments`, { body: `said x${key}` });
  }
}

/** Makes rows as one caller. */
export class Maker {
  readonly service: Service;
  readonly world: World;
  readonly as: As;

  constructor(service: Service, world: World, as: As) {
    this.service = service;
    this.world = world;
    this.as = as;
  }

  async make(kind: Kind, team: Row | undefined, list: string, body: object): Promise<Row> {
    const key = `key-${this.world.rows.length}`;
    const reply: Reply = await this.service.request('POST', list, {
      as: this.as,
      body,
      headers: { 'idempotency-key': key },
    });
    expect(reply.status, reply.text).toBe(201);
    const values = { input: body, ...reply.body };
    const tenant: string = reply.body.tenantId ?? team!.tenant;
    const made = new Row(kind, values, list, tenant, team, this.as, key);
    this.world.rows.push(made);
    return made;
  }
}

/** What a caller may read of a world, worked out from the sentences of the contract's rules, without its code. */
export class Sight {
  readonly #world: World;
  readonly #as: As | undefined;

  constructor(world: World, as: As | undefined) {
    this.#world = world;
    this.#as = as;
  }

  of(kind: Kind): readonly Row[] {
    return this.#world.rows.filter((row) => row.kind === kind && this.reads(row));
  }

  reads(row: Row): boolean {
    if (!this.#isInTenant(row)) return false;
    if (this.isOperator) return true;
    if (this.roleIn(row.team) !== undefined) return true;
    if (row.kind === 'team' || row.kind === 'member') return row.team.madeBy.sub === this.#as?.sub;
    return this.#projectOf(row).values.visibility === 'PUBLIC';
  }

  /** The budget as it is shown; null for who may not read it. */
  budgetOf(project: Row): number | null {
    return this.isOperator || this.roleIn(project.team) === 'OWNER' ? project.values.budget : null;
  }

  roleIn(team: Row): Role | undefined {
    return this.#world.roles.get(team.id)?.get(this.#as?.sub ?? '');
  }

  get isOperator(): boolean {
    return this.#as?.scope === 'tracker:operate';
  }

  #isInTenant({ tenant }: Row): boolean {
    return this.isOperator || this.#as?.claims?.['tenant'] === tenant;
  }

  #projectOf(row: Row): Row {
    return projectOf(this.#world, row);
  }
}

const rowOf = ({ rows }: World, id: string): Row => rows.find((row) => row.id === id)!;

/** The project that an issue, a label, or what belongs to one of them, is part of. */
export function projectOf(world: World, { kind, values, id }: Row): Row {
  if (kind === 'project') return rowOf(world, id);
  return values.projectId ? rowOf(world, values.projectId) : projectOf(world, rowOf(world, values.issueId));
}
