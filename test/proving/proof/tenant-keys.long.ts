import { describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import type { Defect } from '../../../src/proving/harness/servers.ts';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { contractOf } from '../../support/service.ts';

const proofOf = async (seed: number, defect?: Defect): Promise<string> => {
  const contract = await contractOf('festival');
  const { differences } = await prove({ contract, seed, samples: 1, ...(defect && { defect }) });
  return differences.map(formatDifference).join('\n\n');
};

/** A key names a row of any tenant, as far as the caller sees it. */
function withKeysOfAll(store: Store): Store {
  const get: Store['get'] = (key, value, conditions = [], property = 'id') =>
    store.get(key, value, property === 'id' ? conditions : conditions.slice(1), property);
  const faulty: Store = { ...store, get, reads: () => faulty };
  return faulty;
}

/** Neither the tenant nor its rules know a scope that sees all. */
const withoutAcross = (resource: ResourceDescriptor): ResourceDescriptor =>
  JSON.parse(JSON.stringify(resource), (name, value) => (name === 'across' ? undefined : value));

describe('the proof of keys in paths, where a scope sees the rows of all tenants', () => {
  it.each([1, 2, 3])('finds nothing on a correct server, with seed %i', async (seed) => {
    expect(await proofOf(seed)).toBe('');
  });

  it('finds keys that name rows of other tenants, though both protocols agree', async () => {
    const found = await proofOf(1, {
      name: 'keys of all tenants',
      isEverywhere: true,
      options: ({ store, ...options }) => ({ ...options, store: withKeysOfAll(store) }),
    });
    expect(found).toMatch(/venues get, .*: by the rules, every scope may not read the row, but REST answers data/);
    expect(found).toMatch(/venues\.halls get, .*: by the rules, every scope may not read the row/);
  });

  it('finds events of other tenants that do not arrive, though both protocols agree', async () => {
    const found = await proofOf(1, {
      name: 'events of the own tenant alone',
      isEverywhere: true,
      options: ({ contract, ...options }) => ({
        ...options,
        contract: { ...contract, resources: contract.resources.map(withoutAcross) },
      }),
    });
    expect(found).toMatch(/venues create, .*: every scope receives \[\] from venueCreated instead of \[\{/);
  });
});
