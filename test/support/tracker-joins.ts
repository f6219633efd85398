import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { editedContract } from './edited-contract.ts';
import type { As, Service } from './service.ts';
import { type Kind, Maker, makeWorld, projectOf, type Row, Sight, TENANTS, type World } from './tracker-world.ts';

const PUBLIC = 'where: { issue: { project: { visibility: PUBLIC } } }';

/** The tracker, where of a public project everybody reads which labels an open issue has, and only members those of others. */
export const trackerOfJoins = (): Promise<CompiledContract> =>
  editedContract('tracker', [['openapi.yaml', PUBLIC, PUBLIC.replace('issue: { ', 'issue: { status: OPEN, ')]]);

/** The world of the tracker, where labels are those of issues of other projects, too: public and private, of either team. */
export async function makeJoinedWorld(service: Service): Promise<World> {
  const world = await makeWorld(service);
  for (const tenant of TENANTS) await joinAcross(service, world, tenant);
  return world;
}

async function joinAcross(service: Service, world: World, tenant: string): Promise<void> {
  const of = (kind: Kind, name: string) =>
    world.rows.filter((row) => row.kind === kind && row.tenant === tenant && nameOf(world, row) === name);
  for (const name of ['FIPUB', 'FIPRI']) {
    const [project] = of('project', name);
    const maker = new Maker(service, world, project!.madeBy);
    for (const more of ['a', 'b'])
      await maker.make('label', project!.team, '/v1/labels', { projectId: project!.id, name: more, colour: '#0000ff' });
  }
  const [open, done] = of('issue', 'FIPUB');
  const [secret, past] = of('issue', 'FIPRI');
  const [ours, ...others] = of('label', 'FIPUB');
  const hidden = of('label', 'FIPRI');
  const [theirs] = of('label', 'SEPUB');
  const pairs: [Row | undefined, Row | undefined][] = [
    ...[...others, hidden[0]].map((label): [typeof open, typeof label] => [open, label]),
    ...[ours, hidden[1], theirs].map((label): [typeof done, typeof label] => [done, label]),
    ...[ours, theirs, hidden[1]].map((label): [typeof secret, typeof label] => [secret, label]),
    [past, ours],
    ...[...of('issue', 'SEPUB'), ...of('issue', 'SEPRI')].map((issue): [typeof issue, typeof ours] => [issue, ours]),
  ];
  for (const [issue, label] of pairs)
    await new Maker(service, world, issue!.madeBy).make('issueLabel', issue!.team, '/v1/issue-labels', {
      issueId: issue!.id,
      labelId: label!.id,
    });
}

const nameOf = (world: World, row: Row): string => projectOf(world, row).values.key;

/** What a caller may read of such a world, by the rule of the joins, too. */
export class JoinedSight extends Sight {
  readonly #world: World;

  constructor(world: World, as: As | undefined) {
    super(world, as);
    this.#world = world;
  }

  override reads(row: Row): boolean {
    if (!super.reads(row)) return false;
    if (row.kind !== 'issueLabel' || this.isOperator || this.roleIn(row.team) !== undefined) return true;
    return this.#world.rows.some(({ id, values }) => id === row.values.issueId && values.status === 'OPEN');
  }

  /** What is joined to a row: labels to an issue, issues to a label. */
  joinedTo(above: Row): readonly Row[] {
    const [from, to, kind] =
      above.kind === 'issue' ? (['issueId', 'labelId', 'label'] as const) : (['labelId', 'issueId', 'issue'] as const);
    const joins = this.of('issueLabel').filter(({ values }) => values[from] === above.id);
    return this.of(kind).filter(({ id }) => joins.some(({ values }) => values[to] === id));
  }
}
