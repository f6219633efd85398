import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateDatabase, openStore } from '../../src/runtime/storage/database/index.ts';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';
import { type Place, places } from '../support/places.ts';

const LIMITS = { databaseConnections: 2, statementTimeoutMs: 60_000, sqliteSynchronous: 'normal' } as const;

/** Runs the command on a database with a dead job and a waiting one. */
const jobsIn =
  ({ open }: Place) =>
  async (work: (jobs: (...args: string[]) => ReturnType<typeof runHere>) => Promise<void>) => {
    const { location, drop } = await open();
    await migrateDatabase(location, { resources: [] }, '/nonexistent');
    const store = await openStore(location, [], LIMITS);
    const sent = { tenant: '', subject: 'ada', requestId: 'r1', runAt: Date.parse('2026-01-01T00:00:00Z'), depth: 0 };
    for (const [name, key] of [
      ['greet', 'k'],
      ['bill', null],
    ] as const)
      await store.transaction(({ jobs }) => jobs.send({ ...sent, name, key, input: '{"secret":1}' }, false, undefined));
    const [greet] = await store.jobs.claim({ names: ['greet'], limit: 1, isThorough: false });
    await store.jobs.end([{ ...greet!, end: { kind: 'dead', error: 'Error: no\n  at all' } }]);
    await store.close();
    const url = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url;
    await work((...args) => runHere('scripts/jobs.ts', args, { DATABASE_URL: url })).finally(drop);
  };

describe.each(places)('npm run jobs on $name', (place) => {
  const withJobs = jobsIn(place);

  it('lists jobs without their inputs, as text or JSON', () =>
    withJobs(async (jobs) => {
      const { code, stdout } = await jobs('list');
      expect([code, stdout]).toEqual([
        0,
        '1  dead  greet  k  attempt 1  2026-01-01T00:00:00.000Z  Error: no\n2  waiting  bill  -  attempt 0  2026-01-01T00:00:00.000Z\n',
      ]);
      const json = await jobs('list', '--state', 'waiting', '--format', 'json');
      const runAt = '2026-01-01T00:00:00.000Z';
      expect(JSON.parse(json.stdout)).toEqual([
        { id: '2', name: 'bill', key: null, state: 'waiting', attempt: 0, runAt, error: null },
      ]);
      expect(JSON.parse((await jobs('list', '--name', 'no', '--format', 'json')).stdout)).toEqual([]);
    }));

  it('shows, repeats and removes a job', () =>
    withJobs(async (jobs) => {
      const { stdout } = await jobs('show', '1');
      expect(JSON.parse(stdout)).toMatchObject({ id: '1', state: 'dead', subject: 'ada', input: { secret: 1 } });
      expect(await jobs('repeat', '1')).toMatchObject({ code: 0, stdout: 'Job 1 is due again.\n' });
      expect((await jobs('list', '--name', 'greet')).stdout).toMatch(/^1 {2}waiting {2}greet {2}k {2}attempt 0/);
      expect(await jobs('drop', '1')).toMatchObject({ code: 0, stdout: 'Job 1 is removed.\n' });
      expect(await jobs('show', '1')).toMatchObject({ code: 1, stderr: 'There is no job 1.\n' });
      for (const action of ['repeat', 'drop'])
        expect(await jobs(action, '1')).toMatchObject({
          code: 1,
          stderr: 'There is no job 1 that waits or is dead.\n',
        });
    }));

  it('holds all jobs, and releases them', () =>
    withJobs(async (jobs) => {
      expect(await jobs('hold')).toMatchObject({ code: 0, stdout: 'Jobs are held: they are sent, and not run.\n' });
      expect((await jobs('list', '--state', 'held')).stdout).toMatch(/^2 {2}held {2}bill .*\n$/);
      expect((await jobs('list', '--state', 'waiting')).stdout).toBe('');
      expect(await jobs('repeat', '1')).toMatchObject({ code: 0 });
      expect((await jobs('list')).stdout).toMatch(/^1 {2}held .*\n2 {2}held /);
      expect(await jobs('release')).toMatchObject({ code: 0, stdout: 'Jobs run.\n' });
      expect((await jobs('list')).stdout).toMatch(/^1 {2}waiting .*\n2 {2}waiting /);
      expect(await jobs('hold', '42')).toMatchObject({
        code: 1,
        stderr: 'jobs hold: it is about all jobs; leave out the id.\n',
      });
    }));

  it('needs an id, an action it knows and a database', () =>
    withJobs(async (jobs) => {
      expect(await jobs('repeat')).toMatchObject({ code: 1, stderr: 'jobs repeat: write the id of a job.\n' });
      expect((await jobs('stop')).stderr).toContain('list, show, repeat, drop, hold or release');
      for (const [action, ...options] of [
        ['hold', '--name', 'greet'],
        ['drop', '1', '--state', 'dead'],
      ] as const)
        expect(await jobs(action, ...options)).toMatchObject({
          code: 1,
          stderr: `jobs ${action}: leave out --state and --name, which only \`list\` has.\n`,
        });
      expect((await jobs('list', '--state', 'held')).stdout).toBe('');
      await withFolder({}, async (folder) => {
        const file = join(folder, 'none.db');
        const { code, stderr } = await runHere('scripts/jobs.ts', ['list'], { DATABASE_URL: `sqlite:${file}` });
        expect([code, stderr]).toEqual([1, `DATABASE_URL, DATA_DIR: ${file} does not exist.\n`]);
        expect(existsSync(file)).toBe(false);
      });
    }));
});
