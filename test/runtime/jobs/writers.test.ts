import { afterEach, describe, expect, it } from 'vitest';
import type { JobContext, Sending } from '../../../src/runtime/engine/interface/jobs.ts';
import type { ResourceTypes } from '../../../src/runtime/engine/interface/resource-types.ts';
import { jobsOf } from '../../../src/runtime/jobs/define-job.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type As, type Service, startService } from '../../support/service.ts';

type Resources = Record<'teams', ResourceTypes>;
type Team = { readonly id: string };

const ANN = '0199bd2f-7c00-7000-8000-0000000000a1';
const BOB = '0199bd2f-7c00-7000-8000-0000000000a2';
const as = (sub: string): As => ({ sub, scope: 'teams:write tracker:operate', claims: { tenant: 'acme' } });

describe.each(databases)('writes of jobs on $name', (database) => {
  let service: Service;
  let runner: JobRunner;
  afterEach(() => service.close());

  const start = async (handlers: object): Promise<void> => {
    service = await startService('tracker', database, handlers as AnyHandlers, {
      onJobs: (made) => {
        runner = made;
      },
    });
  };
  const create = async (sub: string): Promise<string> => {
    const reply = await service.request('POST', '/v1/teams', { as: as(sub), body: { name: 'Core' } });
    expect(reply.status).toBe(201);
    return reply.body.id;
  };
  const team = async (id: string) => (await service.request('GET', `/v1/teams/${id}`, { as: as(ANN) })).body;
  const rename =
    (name: string) =>
    ({ id }: Team, { transaction }: JobContext<Resources>) =>
      transaction(({ store }) => store.teams.update(id, { name } as object));

  it('are by who has sent the job', async () => {
    const named = jobsOf<Resources>()<Team>('named', { run: rename('Sent') });
    const made = async (input: object, { send }: Sending, next: (input: object) => Promise<Team>) => {
      const row = await next(input);
      await send(named, { id: row.id });
      return row;
    };
    await start({ jobs: [named], overrides: { teams: { create: made } } });
    const ids = [await create(ANN), await create(BOB)];
    expect((await runner.runDue()).failed).toEqual([]);
    expect(await Promise.all(ids.map(team))).toMatchObject([
      { name: 'Sent', createdBy: ANN, updatedBy: ANN },
      { name: 'Sent', createdBy: BOB, updatedBy: BOB },
    ]);
  });

  it('are by who has made the change that is handled', async () => {
    const created = ({ row }: { row: Team }, context: JobContext<Resources>) => rename('Heard')(row, context);
    await start({ on: { teams: { created } } });
    const id = await create(BOB);
    expect((await runner.runDue()).failed).toEqual([]);
    expect(await team(id)).toMatchObject({ name: 'Heard', updatedBy: BOB });
  });
});
