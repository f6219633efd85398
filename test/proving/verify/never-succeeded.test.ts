import { expect, it } from 'vitest';
import { callersOfTokens, signedCallers } from '../../../src/proving/verify/callers.ts';
import { tenantRow } from '../../../src/proving/verify/tenant-row.ts';
import { verify } from '../../../src/proving/verify/verify.ts';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { LABORATORIES, laboratory } from '../../support/laboratory.ts';
import { fetchOf, repeatableService } from '../../support/unseen-contracts.ts';

const SECRET = 'a secret of the tests, and long enough for HS256';
const OWNERS = ['01941f29-7c00-7a10-8c57-00000000000a', '01941f29-7c00-7a10-8c57-00000000000b'] as const;
const AT = new Date('2026-01-15T12:00:00.000Z');
const OPEN = LABORATORIES.filter(([kind]) => kind !== 'closed');

it.each(OPEN)('verify makes the tenant of its callers, and sees every operation succeed: %s', async (_, edits) => {
  const service = await repeatableService({ name: 'laboratory', handlers: {}, compiled: () => laboratory(edits) });
  const { contract } = service;
  const fetch = fetchOf(service);
  const keys = secretKeys(SECRET);
  const { id, end } = await tenantRow(contract, signedCallers(contract, keys, OWNERS, AT), 'http://server', fetch);
  const callers = signedCallers(contract, keys, OWNERS, AT, id);
  const { findings, unmet } = await verify({ contract, origin: 'http://server', callers, seed: 1, runs: 15, fetch });
  expect(findings).toEqual([]);
  expect(unmet).toEqual([]);
  await end();
  const { other } = callers;
  const { body } = await service.request('GET', '/v1/laboratories', {
    headers: { authorization: other!.authorization! },
  });
  expect(body.data).toEqual([]);
  await service.close();
});

it('verify says what nobody was let into, with the statuses', async () => {
  const service = await repeatableService({ name: 'laboratory', handlers: {}, compiled: () => laboratory() });
  const { contract } = service;
  const callers = callersOfTokens(undefined, undefined);
  const options = { contract, origin: 'http://server', callers, seed: 1, runs: 10, fetch: fetchOf(service) };
  const { findings, succeeded, unmet } = await verify(options);
  expect(findings).toEqual([]);
  expect(succeeded).toBe(0);
  expect(unmet).toHaveLength(contract.rest.operations.length);
  expect(unmet).toContainEqual({
    operationId: 'createPerson',
    reason: expect.stringMatching(/^401 \(\d+\)$/),
    excuse: undefined,
  });
  await service.close();
});
