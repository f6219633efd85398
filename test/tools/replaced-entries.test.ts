import { expect, it } from 'vitest';
import { parityPages } from '../../src/readers/docs/pages/parity.ts';
import { replacedEntries } from '../../src/tools/replaced-entries.ts';
import { contractOf } from '../support/service.ts';

it('names each entry that hand-written code replaces, and the documentation marks it', async () => {
  const answer = () => ({ status: 204 });
  const { rest } = await contractOf('contracts');
  const upload = { ...rest.operations[0]!, operationId: 'upload', code: { in: 'routes' } } as const;
  const entries = replacedEntries(
    {
      routes: { getProduct: answer, upload: answer },
      resolvers: { Query: { product: () => null }, Order: { items: () => null } },
    },
    { ...rest, operations: [...rest.operations, upload] },
  );
  expect(entries.map(({ protocol, place }) => `${protocol} ${place}`)).toEqual([
    'REST handlers.routes.getProduct',
    'GraphQL handlers.resolvers.Query.product',
    'GraphQL handlers.resolvers.Order.items',
  ]);
  const page = await parityPages([], entries)[0]!.text();
  expect(page).toContain('Replaced by hand');
  expect(page).toContain('handlers.resolvers.Order.items');
  expect(await parityPages([])[0]!.text()).not.toContain('Replaced by hand');
});
