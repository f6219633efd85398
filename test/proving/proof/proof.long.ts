import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { oneIn } from '../../support/thorough.ts';

/** Faults and queries tried for each action; `npm run proof` tries all of them. */
const SAMPLES = 12;

const contracts: readonly (readonly [string, AnyHandlers])[] = [
  ['library', {}],
  ['contracts', handlers as unknown as AnyHandlers],
  ['atlas', {}],
  ['depot', {}],
  ['cats', {}],
  ['journal', {}],
];

describe.each(oneIn(3, contracts))('both protocols of %s', (name, own) => {
  it('answer, keep and tell the same, whoever asks for whatever', async () => {
    const record = await prove({ contract: await contractOf(name), handlers: own, samples: SAMPLES });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    // What the contract does not offer to agents.
    expect(record.notCovered.filter((text) => !text.endsWith('MCP does not have it'))).toEqual([]);
    for (const outcome of ['data', 'VALIDATION_FAILED', 'NOT_FOUND', 'INVALID_CURSOR', 'PRECONDITION_FAILED'])
      expect(record.outcomes.get(outcome), outcome).toBeGreaterThan(5);
    expect(record.events).toBeGreaterThan(100);
  });
});

describe.runIf(hasPostgres)('both protocols of atlas on Postgres', () => {
  it('answer, keep and tell the same, in databases beside the one that is named', async () => {
    const url = await makeDatabase();
    const record = await prove({ contract: await contractOf('atlas'), samples: 2, database: url });
    expect(record.differences.map(formatDifference).join('\n\n')).toBe('');
    expect(record.notCovered).toEqual([]);
    expect(record.events).toBeGreaterThan(100);
    expect(await administer(url, "select from pg_tables where schemaname = 'public'")).toEqual([]);
  });
});

// With these seeds, callers filter by what they may not read, where GraphQL has operators and REST a plain parameter.
it.each(oneIn(2, [5, 6]))(
  'both protocols of conservatory refuse filters by hidden properties alike, with seed %i',
  async (seed) => {
    const { differences, outcomes } = await prove({ contract: await contractOf('conservatory'), samples: 4, seed });
    expect(differences.map(formatDifference).join('\n\n')).toBe('');
    expect(outcomes.get('FORBIDDEN')).toBeGreaterThan(100);
  },
);

it('events belong to the write that caused them, on a machine on which each of them needs a turn of the event loop', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 10));
  onTestFinished(() => clock.mockRestore());
  const { differences, events } = await prove({ contract: await contractOf('conservatory'), samples: 1, seed: 5 });
  expect(differences.map(formatDifference).join('\n\n')).toBe('');
  expect(events).toBeGreaterThan(100);
});

it('code that writes something else each time is found where rows are prepared, with the request', async () => {
  let made = 0;
  const create = (input: object, _: unknown, next: (input: object) => unknown) => next({ ...input, name: `${made++}` });
  const handlers = { overrides: { machines: { create } } } as unknown as AnyHandlers;
  const proof = prove({ contract: await contractOf('workshop'), handlers, samples: 1 });
  await expect(proof).rejects.toThrow(
    /^preparing machines create: the rows of machines differ: .*\n {2}curl .*machines/,
  );
});

it('event handlers are not run', async () => {
  let heard = 0;
  const hears = () => heard++;
  const handlers = { on: { machines: { created: hears, updated: hears, deleted: hears } } };
  const { outcomes, differences } = await prove({ contract: await contractOf('workshop'), handlers, samples: 1 });
  expect(differences.map(formatDifference).join('\n\n')).toBe('');
  expect(outcomes.get('data')).toBeGreaterThan(10);
  expect(heard).toBe(0);
});

it('the same is asked again for the same seed, and something else for another', async () => {
  const contract = await contractOf('cats');
  const record = async (seed: number) => {
    const { rows, outcomes, events } = await prove({ contract, samples: 5, seed });
    return { rows, outcomes: [...outcomes], events };
  };
  expect(await record(7)).toEqual(await record(7));
  expect(await record(7)).not.toEqual(await record(8));
});
