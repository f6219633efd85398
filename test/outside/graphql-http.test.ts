import { auditServer, serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../src/handlers/index.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases } from '../support/databases.ts';
import { type Service, startService } from '../support/service.ts';

/** The audits of GraphQL over HTTP that graphql-http publishes. */
describe('GraphQL over HTTP', () => {
  let service: Service;
  let url = '';

  beforeAll(async () => {
    service = await startService('contracts', databases[0]!, handlers as unknown as AnyHandlers);
    url = `http://127.0.0.1:${await service.listen()}/graphql`;
  });
  afterAll(() => service.close());

  const audits = serverAudits({ url: () => url });

  it.each(audits.map(({ id, name }) => [id, name]))('%s: %s', async (id) => {
    const result = await audits.find((audit) => audit.id === id)!.fn();
    expect(result).toMatchObject({ status: 'ok' });
  });

  it('passes all of them, as many as there are', async () => {
    const results = await auditServer({ url });
    expect(results).toHaveLength(61);
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
  });
});
