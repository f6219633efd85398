import { expect, it } from 'vitest';
import { serve } from '../../../src/proving/testing/serve.ts';
import type { ErrorFactory } from '../../../src/readers/sdk/api-error.ts';
import { ApiError } from '../../../src/readers/sdk/api-error.ts';
import { connect } from '../../../src/readers/sdk/client.ts';
import { resource } from '../../../src/readers/sdk/resource.ts';
import { newer, versionsAhead } from '../../../src/readers/sdk/tanstack-cache.ts';

interface Customer {
  readonly id: string;
  readonly version: string;
  readonly companyName: string;
}

interface Types {
  readonly resource: Customer;
  readonly page: { readonly data: readonly Customer[]; readonly page: { readonly nextCursor: string | null } };
  readonly query: object;
  readonly input: object;
  readonly patch: object;
  readonly parent: readonly [];
  readonly target: unknown;
}

it('a version that is a text guards a change, as one that counts does', async () => {
  await using service = await serve({ contracts: 'test/fixtures/trade' });
  const ada = service.as({ sub: 'ada', scope: 'trade:write' });
  const makeError: ErrorFactory = (details) => new ApiError(details);
  const client = connect({ baseUrl: 'http://test/v1', fetch: ada.fetch }, { baseUrl: '', makeError });
  const input = { id: 'ALFKI', companyName: 'Alfreds' };
  const { body: read } = await ada.post<Customer>('/customers', input);
  expect(read.version).toMatch(/^[0-9a-f]{32}$/);
  const customers = resource<Types>({ path: '/customers', idParameter: 'customerId' });
  const changed = await customers.update(client, read, { companyName: 'Alfreds Futterkiste' });
  expect(changed.version).not.toBe(read.version);
  await expect(customers.update(client, read, { companyName: 'late' })).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  const options = { ifVersion: changed.version };
  expect(await customers.update(client, 'ALFKI', { companyName: 'Futterkiste' }, options)).toMatchObject({
    id: 'ALFKI',
  });
});

it('hashes have no order: the row that was answered last is kept', () => {
  const [one, other] = ['5e10'.padEnd(32, '0'), '4'.padEnd(32, '0')].map((version) => ({ id: 'a', version }));
  expect(versionsAhead(one!, other!)).toBeNaN();
  expect(newer(other, one)).toBe(other);
});
