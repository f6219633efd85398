import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';
import { auditor, callerOf, NORTH, north, operator, SOUTH, south, tenantless } from '../../support/workshop.ts';

const ABSENT = '@parity(rest: ABSENT, because: "A test of code beside a contract.")';
const FIELDS = `
extend type Query { asked: String ${ABSENT} @auth(scopes: []) }
extend type Mutation { done: String ${ABSENT} @auth(scopes: []) }
extend type Machine { probe: String ${ABSENT} named: String ${ABSENT} @auth(scopes: []) report: String! @operation(id: "getReport") @auth(scopes: []) }
`;
const OPERATIONS = `paths:
  /machines/{machineId}/report:
    get:
      operationId: getReport
      security: [{ bearer: [] }]
      parameters: [{ name: machineId, in: path, required: true, schema: { type: string, format: uuid } }]
      responses: { '200': { description: Its report., content: { application/json: { schema: { type: string } } } } }
  /probes:
    get: { operationId: readProbe, x-parity: { graphql: absent, because: A test. }, security: [{}, { bearer: [] }], responses: { '204': { description: Read. } } }
    post: { operationId: writeProbe, x-parity: { graphql: absent, because: A test. }, security: [{}, { bearer: [] }], responses: { '204': { description: Written. } } }
`;
const contract = editedContract('workshop', [
  ['openapi.yaml', /^paths:\n/gm, OPERATIONS],
  ['schema.graphql', /$(?!.|\n)/g, FIELDS],
]);

// biome-ignore lint/suspicious/noExplicitAny: the code of a contract that has no emitted types
type Store = any;
interface Seen {
  readonly store: Store;
  readonly transaction?: (work: (context: { readonly store: Store }) => Promise<unknown>) => Promise<unknown>;
  readonly parents?: readonly { readonly id: string }[] | undefined;
}

/** What the code of every kind does; each test says it. */
let code: (seen: Seen) => Promise<unknown>;
const codesIn = async (store: Store): Promise<readonly string[]> =>
  (await store.machines.list({})).map(({ code }: { code: string }) => code).sort();

const overriding = async (_given: unknown, context: Seen, next: (given: unknown) => unknown) => {
  await code(context);
  return next(_given);
};
const operation = async (_request: unknown, context: Seen) => {
  await code(context);
};
const handlers = {
  overrides: {
    machines: {
      list: overriding,
      get: overriding,
      create: overriding,
      replace: overriding,
      update: overriding,
      delete: overriding,
    },
    'machines.notes': { list: overriding, create: overriding, get: overriding, update: overriding },
  },
  operations: {
    readProbe: operation,
    writeProbe: operation,
    getReport: {
      each: async (inputs: readonly { readonly machineId: string }[], context: Seen) => {
        const answers = await code({ ...context, parents: inputs.map(({ machineId: id }) => ({ id })) });
        return Array.isArray(answers) ? answers : inputs.map(() => 'none');
      },
    },
  },
  routes: {
    listStandards: async (request: unknown, context: Seen, next: (request: unknown) => unknown) => {
      await code(context);
      return next(request);
    },
  },
  resolvers: {
    Machine: {
      standard: async (_parent: unknown, _args: unknown, context: Seen) => {
        await code(context);
        return null;
      },
    },
  },
  fields: {
    Query: { asked: (_args: unknown, context: Seen) => code(context) },
    Mutation: { done: (_args: unknown, context: Seen) => code(context) },
    Machine: {
      probe: async (parents: Seen['parents'], _args: unknown, context: Seen) => code({ ...context, parents }),
      named: async (parents: Seen['parents'], _args: unknown, context: Seen) => code({ ...context, parents }),
    },
  },
} as unknown as AnyHandlers;

describe.each(walledDatabases)('the store of code, on $name,', (database) => {
  let service: Service;
  let send: ReturnType<typeof callerOf>['send'];
  let made: ReturnType<typeof callerOf>;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    service = await startCompiled(await contract, database, handlers);
    made = callerOf(service);
    ({ send } = made);
    code = async () => null;
    for (const [tag, as] of [
      ['N', north],
      ['S', south],
    ] as const) {
      ids[tag] = (await made.machine(as, `${tag}1`)).id;
      ids[`${tag} note`] = (await made.made(`/machines/${ids[tag]}/notes`, as, { text: tag })).id;
      ids[`${tag} worker`] = (await made.worker(as, `${tag}@example.com`)).id;
    }
    ids['standard'] = (await made.made('/standards', north, { name: 'ISO 1' })).id;
  });
  afterAll(() => service.close());
  beforeEach(() => {
    code = async () => null;
  });

  const BODY = { code: 'N9', name: 'N9 lathe', state: 'IDLE' };
  const graphql = (query: string) => async (as: As | undefined) => {
    const { data, errors } = await service.graphql(query, as && { as });
    return errors ? errors[0]!.extensions.code : data;
  };
  const rest = (method: string, url: () => string, body?: object) => async (as: As | undefined) =>
    (await send(method, url(), as, body)).status;
  const gone = async (as: As): Promise<string> => `/machines/${(await made.machine(as, 'GONE')).id}`;

  /** Each kind of code: how a caller makes it run about a row of a tenant, or about none. */
  const about: Readonly<Record<string, (tag: 'N' | 'S') => (as: As | undefined) => Promise<unknown>>> = {
    'an override of get': (tag) => rest('GET', () => `/machines/${ids[tag]}`),
    'an override of update': (tag) => rest('PATCH', () => `/machines/${ids[tag]}`, { name: 'renamed' }),
    'an override of replace': (tag) => rest('PUT', () => `/machines/${ids[tag]}`, { ...BODY, code: `${tag}1` }),
    'an override of delete': (tag) => async (as) => {
      const own = code;
      code = async () => null;
      const url = await gone(tag === 'N' ? north : south);
      code = own;
      return rest('DELETE', () => url)(as);
    },
    'an override of a list below': (tag) => rest('GET', () => `/machines/${ids[tag]}/notes`),
    'an override of get below': (tag) => rest('GET', () => `/machines/${ids[tag]}/notes/${ids[`${tag} note`]}`),
    'an override of update below': (tag) =>
      rest('PATCH', () => `/machines/${ids[tag]}/notes/${ids[`${tag} note`]}`, { text: `${tag} again` }),
    'the resolver of a field': (tag) => async (as) => graphql(`{ machine(id: "${ids[tag]}") { standard { id } } }`)(as),
    'the code of a field': (tag) => async (as) => graphql(`{ machine(id: "${ids[tag]}") { named } }`)(as),
    'the field of an operation': (tag) => async (as) => graphql(`{ machine(id: "${ids[tag]}") { report } }`)(as),
    'the code of a field without a token': (tag) => async (as) =>
      graphql(`{ machine(id: "${ids[tag]}") { probe } }`)(as),
  };
  const alone: Readonly<Record<string, (as: As | undefined) => Promise<unknown>>> = {
    'an override of list': rest('GET', () => '/machines'),
    'an operation that reads': rest('GET', () => '/probes'),
    'an operation that writes': rest('POST', () => '/probes'),
    'a route': rest('GET', () => '/standards'),
    'a field of Query': graphql('{ asked }'),
    'a field of Mutation': graphql('mutation { done }'),
  };

  /** The machines that code reaches by `store`, and in a transaction of its own. */
  async function reached(run: (as: As | undefined) => Promise<unknown>, as: As | undefined) {
    const seen: (readonly string[])[] = [];
    code = async ({ store, transaction, parents }) => {
      seen.push((await codesIn(store)).filter((one) => one !== 'GONE'));
      if (transaction) seen.push(await transaction(({ store: own }) => codesIn(own)).then((all) => all as string[]));
      return parents ? parents.map(() => null) : null;
    };
    expect(await run(as)).not.toBe('INTERNAL');
    return [...new Set(seen.map((one) => one.join()))];
  }

  describe.each(Object.keys(about))('%s', (kind) => {
    it('reaches the tenant of the row, whoever asks', async () => {
      expect(await reached(about[kind]!('N'), north)).toEqual(['N1']);
      expect(await reached(about[kind]!('S'), south)).toEqual(['S1']);
      for (const as of [operator, auditor]) {
        expect(await reached(about[kind]!('N'), as)).toEqual(['N1']);
        expect(await reached(about[kind]!('S'), as)).toEqual(['S1']);
      }
    });
  });

  describe.each(Object.keys(alone))('%s', (kind) => {
    it('reaches the tenant of its caller, or what is shared where it has none', async () => {
      for (const as of [north, operator]) expect(await reached(alone[kind]!, as)).toEqual(['N1']);
      for (const as of [auditor, tenantless[0]!]) expect(await reached(alone[kind]!, as)).toEqual(['']);
    });
  });

  it('reaches the tenant of the caller in an override of create, or of the parent', async () => {
    const creating = (as: As) => async () => {
      const reply = await send('POST', '/machines', as, { ...BODY, code: 'C1' });
      if (reply.status === 201) await send('DELETE', `/machines/${reply.body.id}`, as);
      return reply.status;
    };
    const seen: (readonly string[])[] = [];
    for (const as of [north, south, operator]) {
      code = async ({ store }) => seen.push(await codesIn(store));
      expect(await creating(as)()).toBe(201);
    }
    expect(seen.map((one) => one.join())).toEqual(['N1', 'C1,N1', 'S1', 'C1,S1', 'N1', 'C1,N1']);
    const note = (as: As | undefined) => rest('POST', () => `/machines/${ids['S']}/notes`, { text: 'new' })(as);
    expect(await reached(note, auditor)).toEqual(['S1']);
  });

  it('gives shared rows to all, and to code whose caller has no tenant those alone', async () => {
    for (const as of [north, auditor, tenantless[0], undefined]) {
      code = async ({ store }) => {
        expect(await store.standards.list({})).toHaveLength(1);
        expect(await store.standards.update(ids['standard'], { name: 'ISO 1' })).toMatchObject({ name: 'ISO 1' });
        return as === north || expect(await store['machines.notes'].list({})).toEqual([]);
      };
      expect(await rest('POST', () => '/probes')(as)).toBe(204);
    }
  });

  const refusal = async (work: () => Promise<unknown>): Promise<unknown> => work().catch((error) => error.code);

  it('neither reads nor writes rows of another tenant, nor those below them, nor refers to them', async () => {
    const refused: unknown[] = [];
    code = async ({ store }) => {
      const [machine, note, worker] = [ids['S'], ids['S note'], ids['S worker']];
      expect(await store.machines.get(machine)).toBeUndefined();
      expect(await store['machines.notes'].get(note)).toBeUndefined();
      expect(await store['machines.notes'].list({ machineId: machine })).toEqual([]);
      expect(await store.machines.list({ id: [machine, ids['N']] })).toHaveLength(1);
      for (const work of [
        () => store.machines.update(machine, { name: 'taken' }),
        () => store.machines.delete(machine),
        () => store['machines.notes'].update(note, { text: 'taken' }),
        () => store['machines.notes'].delete(note),
        () => store['machines.notes'].create({ machineId: machine, text: 'new' }),
        () => store['machines.jobs'].create({ machineId: machine, title: 'new' }),
        () => store['machines.jobs'].create({ machineId: ids['N'], title: 'new', standbyId: machine }),
        () => store['machines.notes'].create({ machineId: ids['N'], text: 'new', workerId: worker }),
        () => store['machines.notes'].update(ids['N note'], { workerId: worker }),
      ])
        refused.push(await refusal(work));
      await store['machines.notes'].update(ids['N note'], { workerId: ids['N worker'] });
    };
    for (const as of [north, operator]) {
      refused.length = 0;
      expect(await rest('POST', () => '/probes')(as)).toBe(204);
      const missing = new Array(4).fill('NOT_FOUND');
      expect(refused).toEqual([...missing, ...new Array(5).fill('REFERENCE_NOT_FOUND')]);
    }
    code = async () => null;
    const { body } = await send('GET', `/machines/${ids['S']}/notes`, south);
    expect(body.data.map(({ text }: { text: string }) => text)).toContain('S again');
  });

  it('names the reference that is of another tenant', async () => {
    code = async ({ store }) => {
      const creating = store['machines.notes'].create({ machineId: ids['N'], text: 'x', workerId: ids['S worker'] });
      await expect(creating).rejects.toMatchObject({
        code: 'REFERENCE_NOT_FOUND',
        errors: [{ pointer: '/workerId', detail: `no Worker has the id ${ids['S worker']}` }],
      });
    };
    expect(await rest('POST', () => '/probes')(north)).toBe(204);
  });

  it('stays the server’s own within the tenant: whole rows, any property', async () => {
    code = async ({ store }) => {
      const retired = await store.workers.create({ name: 'Old', email: 'old@example.com', retired: true });
      expect(retired.tenantId).toBe(NORTH);
      expect(await store.workers.get(retired.id)).toMatchObject({ retired: true });
      await store.workers.delete(retired.id);
    };
    expect(await rest('POST', () => '/probes')(north)).toBe(204);
  });

  it('creates rows of the tenant that it reaches, where its caller is of another', async () => {
    code = async ({ store }) => {
      const made = await store['machines.jobs'].create({ machineId: ids['S'], title: 'Oil', tenantId: NORTH });
      expect(made.tenantId).toBe(SOUTH);
      await store['machines.jobs'].delete(made.id);
    };
    for (const as of [operator, auditor])
      expect(await rest('PATCH', () => `/machines/${ids['S']}`, { name: 'other' })(as)).toBe(200);
  });

  it('goes beyond by what says so: all tenants, or another one, reading and writing', async () => {
    code = async ({ store }) => {
      expect(await codesIn(store.acrossTenants)).toEqual(['N1', 'S1']);
      expect(await codesIn(store.forTenant(SOUTH))).toEqual(['S1']);
      const [of, at] = await Promise.all([codesIn(store.forTenant(NORTH)), codesIn(store.acrossTenants)]);
      expect([of, at]).toEqual([['N1'], ['N1', 'S1']]);
      const { forTenant, acrossTenants } = store;
      const made = await forTenant(SOUTH).machines.create({ ...BODY, code: 'S2' });
      expect(made.tenantId).toBe(SOUTH);
      expect(await store.machines.get(made.id)).toBeUndefined();
      expect(await acrossTenants.machines.get(made.id)).toMatchObject({ code: 'S2' });
      const given = await acrossTenants.machines.create({ ...BODY, code: 'S3', tenantId: SOUTH });
      expect([given.tenantId, await codesIn(forTenant(SOUTH))]).toEqual([SOUTH, ['S1', 'S2', 'S3']]);
      for (const { id } of [made, given]) await acrossTenants.machines.delete(id);
      expect(await refusal(() => forTenant(SOUTH).machines.create({ ...BODY, code: 'S1' }))).toBe('ALREADY_EXISTS');
      expect(await codesIn(forTenant(SOUTH))).toEqual(['S1']);
      expect(await codesIn(acrossTenants)).toEqual(['N1', 'S1']);
      expect(() => forTenant('nobody')).toThrow(/store\.forTenant\("nobody"\): no Machine can have this `tenantId`/);
      expect(() => forTenant(undefined)).toThrow(/store\.forTenant/);
    };
    const own = code;
    for (const as of [north, auditor, undefined]) expect(await rest('POST', () => '/probes')(as)).toBe(204);
    code = async ({ store }) => expect(await codesIn(store.acrossTenants)).toEqual(['N1', 'S1']);
    expect(await rest('GET', () => '/probes')(north)).toBe(204);
    code = own;
  });

  it.each([
    ['a field', 'named'],
    ['an operation', 'report'],
  ])('is that of one tenant after another in the code of %s, whose answers keep their places', async (_, field) => {
    const calls: string[] = [];
    code = async ({ store, parents }) => {
      if (!parents) return null;
      const [own] = await codesIn(store);
      calls.push(`${own} ${parents.length}`);
      return parents.map(({ id }) => `${own} ${id}`);
    };
    const own = code;
    const query = `{ machines(first: 9) { nodes { id code probe: ${field} } } }`;
    code = async () => null;
    const { id } = await made.machine(south, 'S2');
    code = own;
    for (const as of [auditor, operator]) {
      const { data } = await service.graphql(query, { as });
      for (const { id, code: own, probe } of data.machines.nodes)
        expect(probe).toBe(`${own.replace('S2', 'S1')} ${id}`);
    }
    expect(calls.sort()).toEqual(['N1 1', 'N1 1', 'S1 2', 'S1 2']);
    calls.length = 0;
    await service.graphql(query, { as: north });
    expect(calls).toEqual(['N1 1']);
    code = async () => null;
    await send('DELETE', `/machines/${id}`, south);
  });
});
