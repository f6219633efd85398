import type { Attack } from '../support/attack.ts';
import type { ParentalContract } from '../support/contracts.ts';
import { flood } from '../support/flood.ts';
import { JSON_FORMS, type JsonForm } from '../support/json-forms.ts';
import { request } from '../support/requests.ts';
import { outcomeOf } from '../support/tally.ts';

const ROW = 'd. 100 × 1 MiB under an Idempotency-Key';
const REQUESTS = 100;
const MIB = 2 ** 20;

/** Where a body goes, with what it needs beside the JSON value, and who may send it. */
const PLACES: Readonly<
  Record<ParentalContract, { readonly path: string; readonly scope: string; of(value: string): string }>
> = {
  storefront: {
    path: '/v1/orders',
    scope: 'orders:write',
    of: (value) => (value.startsWith('{') ? value : `{"note":${value}}`),
  },
  // Open, so that there is a largest body that is admitted.
  archive: { path: '/v1/boxes', scope: 'archive:write', of: (value) => `{"label":"A box","details":{"a":${value}}}` },
};

function attack(contract: ParentalContract, form: JsonForm, bytes: number, what = `${bytes / 1024} KiB`): Attack {
  const { path, scope, of } = PLACES[contract];
  return {
    row: ROW,
    variant: `${form}, ${what}`,
    contract,
    databases: ['SQLite'],
    async run(target) {
      const token = target.token(scope);
      const body = of(JSON_FORMS[form](bytes - 60));
      const requests = Array.from({ length: REQUESTS }, (_, i) =>
        request('POST', path, { token, fields: { 'Idempotency-Key': `key-${i}` }, body }),
      );
      return outcomeOf(await flood(target, requests, { connections: REQUESTS }));
    },
  };
}

export const keyedBodies: readonly Attack[] = [
  attack('storefront', 'unknown keys', MIB),
  attack('storefront', 'nested arrays', MIB),
  attack('storefront', 'nested objects', MIB),
  attack('storefront', 'numbers', MIB),
  attack('storefront', 'short texts', MIB),
  attack('storefront', 'unstorable text', MIB),
  attack('storefront', 'escaped text', MIB),
  attack('archive', 'unknown keys', MIB),
  attack('archive', 'numbers', MIB),
  attack('archive', 'one text', MIB),
  attack('archive', 'unknown keys', 78_000, 'the largest admitted'),
  attack('archive', 'numbers', 19_800, 'the largest admitted'),
];
