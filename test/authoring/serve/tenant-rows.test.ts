import { describe, expect, it } from 'vitest';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import { claimsOfTenant } from '../../../src/authoring/serve/tenant-rows.ts';
import { keys, signedCaller } from '../../../src/proving/harness/callers.ts';
import { postgresScratch } from '../../../src/tools/postgres-scratch.ts';
import { load } from '../../../src/tools/sample.ts';
import { serveOn, sqliteScratch } from '../../../src/tools/scratch-store.ts';
import { LABORATORIES, laboratory } from '../../support/laboratory.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';

const DATABASES = hasPostgres ? ['SQLite', 'Postgres'] : ['SQLite'];

describe.each(DATABASES)('ready-made tokens where tenants are rows, on %s', (database) => {
  const scratchFor = ({ resources }: Awaited<ReturnType<typeof laboratory>>) =>
    database === 'Postgres' ? postgresScratch('tenants', resources, SERVER) : sqliteScratch('tenants', resources);

  it.each(LABORATORIES)('belong to a row that is there, and that stays the same: %s', async (_, edits) => {
    const contract = await laboratory(edits);
    const scratch = await scratchFor(contract);
    const claims = await claimsOfTenant(scratch.store, contract);
    expect(await scratch.store.count('laboratories', [])).toBe(2);
    expect(await claimsOfTenant(scratch.store, contract)).toEqual(claims);
    expect(await scratch.store.count('laboratories', [])).toBe(2);
    const { app, close } = await serveOn(scratch, { contract, store: scratch.store, authentication: { keys } });
    const { authorization } = signedCaller('caller', { subject: 'x', scopes: ['lab:use'], claims });
    const headers = { authorization: authorization! };
    const reply = await app.inject({ method: 'POST', url: '/v1/people', headers, payload: { email: 'a@b.example' } });
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json()).toMatchObject({ labId: claims['lab'] });
    await close();
  });
});

it.each(LABORATORIES)('the tokens of `mock` see its rows, and may make more: %s', async (_, edits) => {
  const contract = await laboratory(edits);
  const { sample, admin } = mockSample({ contract, seed: 1, rows: 5 });
  const scratch = await sqliteScratch('mocked', contract.resources);
  await load(scratch.store, contract.resources, sample());
  const { app, close } = await serveOn(scratch, { contract, store: scratch.store, authentication: { keys } });
  const caller = signedCaller('admin', { subject: admin!.subject, scopes: ['lab:use'], claims: admin!.claims! });
  const headers = { authorization: caller.authorization! };
  const { data } = (await app.inject({ url: '/v1/samples', headers })).json();
  expect(data.length).toBeGreaterThan(3);
  const payload = { email: 'a@b.example' };
  expect((await app.inject({ method: 'POST', url: '/v1/people', headers, payload })).statusCode).toBe(201);
  await close();
});
