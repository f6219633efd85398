import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ExplainedService, startExplained } from '../../support/explained.ts';
import { hasPostgres } from '../../support/postgres.ts';
import type { As, Service } from '../../support/service.ts';
import { callerOf, north, south, workshop } from '../../support/workshop.ts';

describe.skipIf(!hasPostgres).each([true, false])(
  'on tables in partitions (small: %s), a statement of a caller of one tenant',
  (areSmall) => {
    let explained: ExplainedService;
    let service: Service;
    let call: ReturnType<typeof callerOf>;

    beforeAll(async () => {
      explained = await startExplained(await workshop(), areSmall);
      service = explained.service;
      call = callerOf(service);
    });
    afterAll(() => explained?.close());
    beforeEach(() => explained.forget());

    const expectOne: ExplainedService['expectOne'] = (least) => explained.expectOne(least);

    const callers: readonly (readonly [name: string, as: As])[] = [
      ['one', north],
      ['the other', south],
    ];

    describe.each(callers)('(%s)', (_name, as) => {
      let machine: { readonly id: string };
      let worker: { readonly id: string };
      let standard: { readonly id: string };
      const code = `C${callers.findIndex(([, one]) => one === as)}`;

      beforeAll(async () => {
        standard = await call.made('/standards', as, { name: 'ISO' });
        worker = await call.worker(as, `${code}@example.com`);
        machine = await call.machine(as, code, { standardId: standard.id });
      });

      it('that creates touches one partition, and so do those of its references', async () => {
        const job = await call.made(`/machines/${machine.id}/jobs`, as, { title: 'drill', workerId: worker.id });
        await call.made(`/machines/${machine.id}/notes`, as, { text: 'oiled', workerId: worker.id });
        await call.machine(as, `${code}B`, { standardId: standard.id });
        expect(job.id).toBeTruthy();
        expectOne();
        const references = explained.executed.filter(
          ({ text }) => /for key share/i.test(text) && /workers|machines/.test(text),
        );
        expect(references.flatMap(({ partitions }) => partitions).length).toBeGreaterThan(2);
      });

      it('that repeats a create touches one partition', async () => {
        const headers = { 'idempotency-key': `"${randomUUID()}"` };
        const body = { code: `${code}K`, name: 'lathe', state: 'IDLE' };
        const send = () => service.request('POST', '/v1/machines', { as, body, headers });
        const [first, again] = [await send(), await send()];
        expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
        expectOne();
      });

      it('that is refused for a key touches one partition, and names the property', async () => {
        const { status, body } = await service.request('POST', '/v1/machines', {
          as,
          body: { code, name: 'again', state: 'IDLE' },
        });
        expect(status).toBe(409);
        expect(body.errors).toMatchObject([{ pointer: '/code' }]);
        expectOne(0);
      });

      it('that reads, lists, counts and searches touches one partition', async () => {
        const urls = [
          `/machines/${machine.id}`,
          `/machines/by-code/${code}`,
          '/machines?limit=1',
          '/machines?search=lathe&sort=name',
          '/machines?state=IDLE&sort=-name',
          `/machines/${machine.id}/jobs?sort=title`,
          `/machines/${machine.id}/notes`,
          '/workers?retired=false',
        ];
        for (const url of urls) expect([url, (await call.send('GET', url, as)).status]).toEqual([url, 200]);
        expectOne(urls.length);
      });

      it('of nested fields touches one partition', async () => {
        const query = `{ machines(first: 5) { totalCount nodes { code standard { name }
        notes { totalCount nodes { text worker { name } } } jobs { nodes { title worker { name } } } } } }`;
        const { data, errors } = await service.graphql(query, { as });
        expect(errors).toBeUndefined();
        expect(data.machines.nodes.length).toBeGreaterThan(1);
        expectOne(5);
      });

      it('that updates touches one partition', async () => {
        const patch = (url: string, body: object) =>
          service.request('PATCH', `/v1${url}`, {
            as,
            body,
            headers: { 'content-type': 'application/merge-patch+json', 'if-match': '*' },
          });
        const notes = await call.ids(`/machines/${machine.id}/notes`, as);
        const replies = [
          await patch(`/machines/${machine.id}`, { name: 'other' }),
          await patch(`/machines/${machine.id}/notes/${(notes as readonly string[])[0]}`, { text: 'dry' }),
        ];
        expect(replies.map(({ status }) => status)).toEqual([200, 200]);
        expectOne();
      });

      it('that deletes with all that refers to the row touches one partition', async () => {
        const statuses = [
          (await call.send('DELETE', `/workers/${worker.id}`, as)).status,
          (await call.send('DELETE', `/machines/${machine.id}`, as)).status,
        ];
        expect(statuses).toEqual([204, 204]);
        expectOne();
      });
    });
  },
);
