import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Code, Probes, probedContract, READS, WRITES } from '../../support/probes.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';
import { auditor, callerOf, north, operator, SOUTH, south, tenantless } from '../../support/workshop.ts';

const contract = probedContract('workshop');

// biome-ignore lint/suspicious/noExplicitAny: answers
type Json = any;

describe.each(walledDatabases)('asCaller between tenants, on $name,', (database) => {
  const probes = new Probes();
  const ids: Record<string, string> = {};
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(await contract, database, probes.handlers);
    const caller = callerOf(service);
    for (const [tag, as] of [
      ['N', north],
      ['S', south],
    ] as const) {
      ids[tag] = (await caller.machine(as, `${tag}1`)).id;
      ids[`${tag} note`] = (await caller.made(`/machines/${ids[tag]}/notes`, as, { text: tag })).id;
    }
  });
  afterAll(() => service.close());

  const run = async (ways: typeof READS | typeof WRITES, as: As | undefined, code: Code) => {
    const outcomes: unknown[] = [];
    for (const way of ways) outcomes.push(await probes.run(service, way, as, code));
    expect(outcomes[1]).toEqual(outcomes[0]);
    return outcomes[0];
  };

  it.each<readonly [string, As | undefined, readonly string[]]>([
    ['its tenant', north, ['N1']],
    ['another tenant', south, ['S1']],
    ['all tenants, where its scope is across them', operator, ['N1', 'S1']],
    ['all tenants, though it is of none', auditor, ['N1', 'S1']],
    ['none, whose token names no tenant', tenantless[0], []],
    ['none, without a token', undefined, []],
  ])('reads the rows of %s', async (_name, as, codes) => {
    const read: Code = async ({ asCaller: { machines, 'machines.notes': notes } }) => [
      (await machines.list({}, { sort: ['code'] })).map(({ code }: Json) => code),
      await machines.count(),
      (await machines.get(ids['S']))?.code ?? null,
      (await notes.list({}, { sort: ['text'] })).map(({ text }: Json) => `${text}1`),
    ];
    const isSouth = codes.includes('S1');
    for (const ways of [READS, WRITES])
      expect(await run(ways, as, read)).toEqual({ value: [codes, codes.length, isSouth ? 'S1' : null, codes] });
  });

  const machine = { code: 'X', name: 'X', state: 'IDLE' };
  const tenantOf = ({ tenantId }: Json) => (tenantId === SOUTH ? 'south' : 'north');
  it.each<readonly [string, As | undefined, Code, object]>([
    [
      'a new row is of the caller’s tenant',
      north,
      async ({ asCaller }) => tenantOf(await asCaller.machines.create({ ...machine, tenantId: SOUTH })),
      { value: 'north' },
    ],
    [
      'also across tenants',
      operator,
      async ({ asCaller }) => tenantOf(await asCaller.machines.create(machine)),
      { value: 'north' },
    ],
    [
      'and where the store is another’s',
      north,
      async ({ asCaller, store }) => [
        tenantOf(await store.forTenant(SOUTH).machines.create(machine)),
        tenantOf(await asCaller.machines.create(machine)),
      ],
      { value: ['south', 'north'] },
    ],
    [
      'a caller of no tenant makes none',
      auditor,
      ({ asCaller }) => asCaller.machines.create(machine),
      { error: 'FORBIDDEN' },
    ],
    ['nor one without a token', undefined, ({ asCaller }) => asCaller.machines.create(machine), { error: 'FORBIDDEN' }],
    [
      'what is another tenant’s is not there',
      north,
      ({ asCaller }) => asCaller.machines.update(ids['S'], { name: 'x' }),
      { error: 'NOT_FOUND' },
    ],
    [
      'nor to delete',
      north,
      ({ asCaller }) => asCaller['machines.notes'].delete(ids['S note']),
      { error: 'NOT_FOUND' },
    ],
    [
      'nor to add to',
      north,
      ({ asCaller }) => asCaller['machines.notes'].create({ machineId: ids['S'], text: 'x' }),
      { error: 'REFERENCE_NOT_FOUND' },
    ],
    [
      'across tenants, a row stays in its own',
      operator,
      async ({ asCaller }) => tenantOf(await asCaller.machines.update(ids['S'], { name: 'x' })),
      { value: 'south' },
    ],
    [
      'also below a row of another',
      operator,
      ({ asCaller }) => asCaller['machines.notes'].update(ids['N note'], { machineId: ids['S'] }),
      { error: 'REFERENCE_NOT_FOUND' },
    ],
    [
      'it has no ways beyond the caller’s',
      north,
      async ({ asCaller }) => [asCaller.acrossTenants ?? null, asCaller.forTenant ?? null],
      { value: [null, null] },
    ],
  ])('%s', async (_name, as, code, expected) => {
    // What it has written is taken back, so that each way finds the same.
    const outcomes: unknown[] = [];
    for (const way of WRITES) {
      let value: unknown;
      const outcome = await probes.run(service, way, as, async (context) => {
        value = await code(context);
        throw Object.assign(new Error('undone'));
      });
      outcomes.push(value === undefined ? outcome : { value });
    }
    expect(outcomes).toEqual([expected, expected]);
  });
});
