import { createClient } from 'graphql-ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { editedContract } from '../../support/edited-contract.ts';
import { eventually } from '../../support/eventually.ts';
import { startCompiled, tokenOf } from '../../support/service.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';
import { auditor, callerOf, north, operator, south } from '../../support/workshop.ts';

const NOTE = /( {4}Note:\n.*\n.*\n)/g;
/** Notes, which have no tenant of their own, of workers who have not retired. */
const RULE = '$1      x-access: { read: [{ where: { worker: { retired: false } } }] }\n';

it.each(layoutDatabases)(
  'rows that are gone with those above them are seen by their other references, on $name',
  async (database) => {
    const service = await startCompiled(await editedContract('workshop', [['openapi.yaml', NOTE, RULE]]), database);
    const call = callerOf(service);
    const followers = { north, south, operator, auditor };
    const heard: Record<string, unknown[]> = {};
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    const clients = [];
    for (const [name, as] of Object.entries(followers)) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      clients.push(client);
      const into: unknown[] = [];
      heard[name] = into;
      void (async () => {
        for await (const { data } of client.iterate({ query: 'subscription { noteDeleted }' }))
          into.push(data?.['noteDeleted']);
      })();
      await client.iterate({ query: '{ __typename }' }).next();
    }
    const notes: string[] = [];
    for (const as of [north, south]) {
      const machine = await call.machine(as, 'M1');
      for (const retired of [false, true]) {
        const worker = await call.worker(as, `${retired}@example.com`, { retired });
        const note = await call.made(`/machines/${machine.id}/notes`, retired ? { ...as, scope: 'workers:read' } : as, {
          text: 'oiled',
          workerId: worker.id,
        });
        if (!retired) notes.push(note.id);
      }
      expect((await call.send('DELETE', `/machines/${machine.id}`, as)).status).toBe(204);
    }
    const [first, second] = notes;
    await eventually(() =>
      expect(heard).toEqual({ north: [first], south: [second], operator: [first, second], auditor: [first, second] }),
    );
    for (const client of clients) await client.dispose();
    await service.close();
  },
);
