import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FreshData } from './support/fresh-data.ts';

describe.each(['contracts', 'library', 'depot', 'workshop'])(
  'the samples of %s, on the data of a first start',
  (name) => {
    let data: FreshData;
    beforeAll(async () => {
      data = await FreshData.of(name);
    });
    afterAll(() => data.remove());

    test.each(['REST', 'GraphQL'])('succeed one after the other, over %s', async (protocol) => {
      const service = await data.serve();
      const faults: string[] = [];
      for (const sample of data.samples.filter((one) => one.protocol === protocol))
        faults.push(...[(await sample.fault(service)) ?? []].flat());
      await service.close();
      expect(faults).toEqual([]);
    });

    test('change something', () => {
      const patches = data.samples.map(({ curl }) => curl('')).filter((text) => text.includes(' -X PATCH '));
      // A key alone may be what a job is changed by.
      const empty = patches.filter((text) => text.includes("-d '{}'") && !text.includes('/jobs/'));
      expect(empty).toEqual([]);
    });
  },
);
