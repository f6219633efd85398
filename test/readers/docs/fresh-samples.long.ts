import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/service.ts';
import { sh } from '../clients/support.ts';
import { FreshData } from './support/fresh-data.ts';

/** Prints what a request is answered, and fails with its status. */
const failing = (curl: string): string => curl.replace('curl', 'curl --silent --show-error --fail-with-body');

describe.each(['contracts', 'library', 'depot', 'workshop', 'tracker', 'journal', 'custom'])(
  'the samples of %s, pasted into a shell',
  (name) => {
    let data: FreshData;
    beforeAll(async () => {
      data = await FreshData.of(name);
    });
    afterAll(() => data.remove());

    test.each(['REST', 'GraphQL'])('succeed one after the other, over %s', async (protocol) => {
      const service = await data.serve();
      const origin = `http://127.0.0.1:${await service.listen()}`;
      for (const sample of data.samples.filter((one) => one.protocol === protocol)) {
        const answer = await sh(failing(sample.curl(origin)), '.', { TOKEN: tokenOf(sample.as) });
        expect(answer, sample.name).not.toContain('"errors":[');
      }
      await service.close();
    });
  },
);
