import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editedContract } from '../../support/edited-contract.ts';
import { type As, type Service, startCompiled } from '../../support/service.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';
import {
  auditor,
  callerOf,
  NORTH,
  NOWHERE,
  north,
  operator,
  SOUTH,
  south,
  startWorkshop,
  tenantless,
} from '../../support/workshop.ts';

const path = ({ id }: { readonly id: string }): string => `/machines/${id}`;
const input = (code: string) => ({ code, name: 'new', state: 'IDLE' });

describe.each(layoutDatabases)('tenants, on $name,', (database) => {
  let service: Service;
  let call: ReturnType<typeof callerOf>;
  let mine: { readonly id: string };
  let theirs: { readonly id: string };
  beforeEach(async () => {
    service = await startWorkshop(database);
    call = callerOf(service);
    mine = await call.machine(north, 'A1');
    theirs = await call.machine(south, 'A1');
  });
  afterEach(() => service.close());

  const status = async (method: string, url: string, as: As | undefined, body?: object) =>
    (await call.send(method, url, as, body)).status;
  const machines = async (as: As | undefined, args = '') =>
    (await service.graphql(`{ machines${args} { nodes { id tenantId } } }`, { ...(as && { as }) })).data.machines.nodes;

  it('are set from the claim, and are no input', async () => {
    expect(mine).toMatchObject({ tenantId: NORTH });
    expect(theirs).toMatchObject({ tenantId: SOUTH });
    const sent = await call.send('POST', '/machines', north, { ...input('B'), tenantId: SOUTH });
    expect(sent).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/tenantId' }] },
    });
    expect(await status('PATCH', path(mine), north, { tenantId: SOUTH })).toBe(400);
    const mutation = 'mutation { createMachine(input: { code: "G", name: "g", state: IDLE }) { tenantId } }';
    expect((await service.graphql(mutation, { as: south })).data.createMachine).toEqual({ tenantId: SOUTH });
  });

  it('see their own rows alone, in lists, counts, searches and by id or key', async () => {
    for (const url of ['/machines', '/machines?state=IDLE', '/machines?search=lathe', '/machines?sort=-name']) {
      expect(await call.ids(url, north)).toEqual([mine.id]);
      expect(await call.ids(url, south)).toEqual([theirs.id]);
    }
    expect((await call.send('GET', '/machines?count=true', north)).body.page.totalCount).toBe(1);
    expect(await machines(north)).toEqual([{ id: mine.id, tenantId: NORTH }]);
    expect(await machines(south, '(search: "lathe")')).toEqual([{ id: theirs.id, tenantId: SOUTH }]);
    expect(await status('GET', path(theirs), north)).toBe(404);
    for (const [as, own] of [
      [north, mine],
      [south, theirs],
      [operator, mine],
    ] as const)
      expect((await call.send('GET', '/machines/by-code/A1', as)).body.id).toBe(own.id);
    expect(await status('GET', '/machines/by-code/A1', auditor)).toBe(404);
    const { data } = await service.graphql('{ machine(code: "A1") { id } }', { as: south });
    expect(data.machine.id).toBe(theirs.id);
    for (const method of ['PATCH', 'DELETE'])
      expect(await status(method, path(theirs), north, method === 'PATCH' ? { name: 'taken' } : undefined)).toBe(404);
    expect(await status('PUT', path(theirs), north, input('A1'))).toBe(404);
    expect((await call.send('GET', path(theirs), south)).body).toMatchObject({ name: 'A1 lathe', version: 1 });
  });

  it('have unique keys of their own, and answer for them without the tenant', async () => {
    const { status: code, body } = await call.send('POST', '/machines', north, input('A1'));
    expect([code, body.detail]).toEqual([409, 'Another Machine has this code.']);
    expect(body.errors).toMatchObject([{ pointer: '/code', code: 'ALREADY_EXISTS' }]);
    await call.machine(south, 'B1');
    expect(await status('POST', '/machines', north, input('B1'))).toBe(201);
  });

  it('hold within relations, and refuse what another tenant has as if it were not there', async () => {
    const worker = await call.worker(south, 'ann@example.com');
    const job = (more: object) => ({ title: 'turn', ...more });
    const jobs = `${path(mine)}/jobs`;
    for (const as of [north, operator])
      for (const [property, id] of [
        ['workerId', worker.id],
        ['standbyId', theirs.id],
      ] as const) {
        const foreign = await call.send('POST', jobs, as, job({ [property]: id }));
        const absent = await call.send('POST', jobs, as, job({ [property]: NOWHERE }));
        expect(foreign).toMatchObject({ status: 422, body: { code: 'REFERENCE_NOT_FOUND' } });
        expect(JSON.stringify(foreign.body.errors)).toBe(JSON.stringify(absent.body.errors).replace(NOWHERE, id));
      }
    expect(await status('POST', `${path(theirs)}/jobs`, north, job({}))).toBe(404);
    expect(await status('POST', `${path(theirs)}/jobs`, operator, job({}))).toBe(404);
    expect(await status('POST', `${path(theirs)}/notes`, north, { text: 'n' })).toBe(404);
    const made = await call.made(jobs, north, job({ standbyId: mine.id }));
    expect(made).toMatchObject({ tenantId: NORTH });
    for (const as of [north, operator])
      expect(await status('PATCH', `${jobs}/${made.id}`, as, { standbyId: theirs.id })).toBe(422);
    await call.made(`${path(theirs)}/notes`, south, { text: 'theirs' });
    expect(await call.ids(`${path(theirs)}/notes`, north)).toBe(404);
    const standard = await call.made('/standards', north, { name: 'ISO' });
    await call.send('PATCH', path(mine), north, { standardId: standard.id });
    await call.send('PATCH', path(theirs), south, { standardId: standard.id });
    const text =
      '{ standards(first: 2) { nodes { machines(first: 3) { totalCount nodes { id jobs(first: 3) { nodes { title } } } } } } }';
    const seen = await service.graphql(text, { as: north });
    expect(seen.data.standards.nodes).toEqual([
      { machines: { totalCount: 1, nodes: [{ id: mine.id, jobs: { nodes: [{ title: 'turn' }] } }] } },
    ]);
  });

  it('are seen all by who has the scope, who creates in its own', async () => {
    for (const as of [operator, auditor]) {
      expect(await call.ids('/machines', as)).toEqual([mine.id, theirs.id]);
      expect(await status('GET', path(theirs), as)).toBe(200);
      expect(await status('PATCH', path(theirs), as, { name: `by ${as.sub}` })).toBe(200);
    }
    expect((await call.send('GET', path(theirs), south)).body).toMatchObject({ tenantId: SOUTH, version: 3 });
    expect(await call.machine(operator, 'C1')).toMatchObject({ tenantId: NORTH });
    const refused = await call.send('POST', '/machines', auditor, input('C2'));
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(refused.body.detail).toContain('`app.tenant`');
    expect(await status('POST', `${path(theirs)}/notes`, auditor, { text: 'seen' })).toBe(201);
  });

  it('keep what is below a row of theirs to rows of the same tenant, for who sees all, too', async () => {
    const ours = await call.worker(north, 'n@example.com');
    const foreign = await call.worker(south, 's@example.com');
    const notes = `${path(theirs)}/notes`;
    const mutation = `mutation ($machine: ID!, $worker: ID) {
      createNote(machineId: $machine, input: { text: "g", workerId: $worker }) { workerId }
    }`;
    for (const as of [operator, auditor]) {
      expect(await status('POST', notes, as, { text: 'n', workerId: ours.id })).toBe(422);
      const variables = { machine: theirs.id, worker: ours.id };
      const { errors } = await service.graphql(mutation, { as, variables });
      expect(errors![0]!.extensions.code).toBe('REFERENCE_NOT_FOUND');
      const note = await call.made(notes, as, { text: 'n', workerId: foreign.id });
      expect(await status('PATCH', `${notes}/${note.id}`, as, { workerId: ours.id })).toBe(422);
      expect(await status('PATCH', `${notes}/${note.id}`, as, { text: 'm', workerId: foreign.id })).toBe(200);
    }
  });

  it.each([undefined, ...tenantless])('show nothing to %j, who may not write', async (as) => {
    expect(await call.ids('/machines', as)).toEqual([]);
    expect(await machines(as)).toEqual([]);
    expect(await status('GET', path(mine), as)).toBe(404);
    expect(await status('GET', '/machines/by-code/A1', as)).toBe(404);
    if (!as) {
      expect(await status('POST', '/machines', as, input('D'))).toBe(401);
      return;
    }
    for (const [method, url, body] of [
      ['POST', '/machines', input('D')],
      ['PATCH', path(mine), { name: 'x' }],
      ['PUT', path(mine), input('A1')],
      ['DELETE', path(mine)],
      ['POST', `${path(mine)}/notes`, { text: 'x' }],
    ] as const) {
      const reply = await call.send(method, url, as, body);
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(reply.body.detail).toContain('`app.tenant`');
    }
    const { errors } = await service.graphql('mutation ($id: ID!) { deleteMachine(id: $id) }', {
      as,
      variables: { id: mine.id },
    });
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
  });

  it('hold besides the rules of rows', async () => {
    const seen = await call.worker(north, 'a@example.com');
    const gone = await call.worker(north, 'b@example.com', { retired: true });
    const foreign = await call.worker(south, 'a@example.com');
    await call.made(`${path(mine)}/jobs`, north, { title: 'someone', workerId: seen.id });
    const reader = { ...north, scope: 'workers:read' };
    expect(await call.ids('/workers', north)).toEqual([seen.id]);
    expect(await call.ids('/workers', reader)).toEqual([seen.id, gone.id]);
    expect(await call.ids('/workers', operator)).toEqual([seen.id, foreign.id]);
    expect(await call.ids('/workers', { ...operator, scope: 'tenants:operate workers:read' })).toEqual([
      seen.id,
      gone.id,
      foreign.id,
    ]);
  });

  it('keep what is repeated, and what is known already, to the tenant', async () => {
    const repeat = (as: As) =>
      service.request('POST', '/v1/machines', { as, body: input('R'), headers: { 'idempotency-key': 'once' } });
    const [first, again, other] = [await repeat(north), await repeat(north), await repeat(south)];
    expect(again.body).toEqual(first.body);
    expect(other.status).toBe(201);
    expect(other.body).toMatchObject({ tenantId: SOUTH });
    expect(other.body.id).not.toBe(first.body.id);
    const { headers } = await call.send('GET', path(theirs), south);
    const known = await service.request('GET', `/v1${path(theirs)}`, {
      as: north,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(known.status).toBe(404);
  });

  it('cannot go on with the cursor of another', async () => {
    for (const code of ['X1', 'X2', 'X3']) await call.machine(south, code);
    const { body } = await call.send('GET', '/machines?limit=2&sort=name', south);
    const next = `/machines?limit=2&sort=name&cursor=${body.page.nextCursor}`;
    expect(await call.ids(next, north)).not.toContain(theirs.id);
    expect(await call.ids(next, south)).toHaveLength(2);
  });
});

it.each(layoutDatabases)('a tenant that the property may not have gets no rows, on $name', async (database) => {
  const contract = await editedContract('workshop', [
    ['openapi.yaml', /tenantId: \{ type: string, format: uuid \}/g, 'tenantId: { type: string, maxLength: 5 }'],
    ['schema.graphql', 'tenantId: ID!', 'tenantId: String!'],
  ]);
  const service = await startCompiled(contract, database);
  const call = callerOf(service);
  const of = (tenant: string): As => ({ sub: 'someone', scope: '', claims: { app: { tenant } } });
  expect(await call.machine(of('north'), 'A1')).toMatchObject({ tenantId: 'north' });
  const refused = await call.send('POST', '/machines', of('elsewhere'), input('A2'));
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(refused.body.detail).toContain('`app.tenant`');
  expect(await call.ids('/machines', of('elsewhere'))).toEqual([]);
  await service.close();
});
