import type { Attack } from '../support/attack.ts';
import type { ContractName } from '../support/contracts.ts';
import { request } from '../support/requests.ts';
import { outcomeOf } from '../support/tally.ts';
import { Wire } from '../support/wire.ts';

const ROW = 'k. DELETE of a row with many dependants';

function attack(variant: string, contract: ContractName, path: string, scope: string, isDestructive = true): Attack {
  return {
    row: ROW,
    variant,
    contract,
    isDestructive,
    async run(target) {
      const wire = await Wire.open(target.port, target.address());
      const { status } = await wire.send(request('DELETE', path, { token: target.token(scope) }));
      wire.close();
      return outcomeOf([status]);
    },
  };
}

/** One row behind all those that the delete would take along forbids it. */
export const forbiddenDeletion = attack(
  'forbidden',
  'storefront',
  '/v1/products/00000001-0000-7000-8000-000000000004',
  'products:write',
  false,
);

/** First those that only change their dependants. */
export const deletions: readonly Attack[] = [
  attack('set-null', 'storefront', '/v1/products/00000001-0000-7000-8000-000000000002', 'products:write'),
  attack('cascade', 'storefront', '/v1/products/00000001-0000-7000-8000-000000000001', 'products:write'),
  attack('set-null', 'archive', '/v1/keepers/00000001-0000-7000-8000-000000000001', 'archive:write'),
  attack('cascade', 'archive', '/v1/boxes/00000002-0000-7000-8000-000000000001', 'archive:write'),
];
