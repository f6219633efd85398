import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer } from '../../../scripts/bench/server-process.ts';
import { eventually } from '../../support/eventually.ts';
import { SECRET, tokenOf } from '../../support/instance.ts';
import { admin, customer } from '../../support/storefront.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-jobs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const serve = (environment: Record<string, string>) =>
  startServer({
    name: 'storefront',
    entry: 'src/main.ts',
    environment: { JWT_SECRET: SECRET, LOG_LEVEL: 'fatal', DATA_DIR: folder, ...environment },
  });

it('a server runs jobs after their commit, also those of servers that run none or serve reads only', async () => {
  const sender = await serve({ JOBS_AT_ONCE: '0' });
  try {
    const ask = async (method: string, path: string, as: typeof admin, body: object) => {
      const response = await fetch(`http://127.0.0.1:${sender.port}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${tokenOf(as)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.ok).toBe(true);
      return (await response.json()) as { readonly id: string };
    };
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const input = { sku: 'MUG-1', name: 'Mug', price: 1, currency: 'EUR', stock: 1, delivery };
    const { id: productId } = await ask('POST', '/products', admin, input);
    await ask('PATCH', `/products/${productId}`, admin, { status: 'ACTIVE' });
    await ask('POST', '/users', customer, { email: 'ada@example.com', name: 'Ada' });
    const { id } = await ask('POST', '/orders', customer, {});
    await ask('POST', `/orders/${id}/items`, customer, { productId, quantity: 1 });
    await ask('PATCH', `/orders/${id}`, customer, { status: 'PAID' });
    using database = new DatabaseSync(join(folder, 'lockstep.db'));
    const waiting = () => database.prepare('select name, attempt from lockstep_job').all();
    const reader = await serve({ SERVE_READS_ONLY: 'true' });
    try {
      for (let i = 0; i < 5; i++) expect((await fetch(`http://127.0.0.1:${reader.port}/v1/products`)).ok).toBe(true);
    } finally {
      await reader.stop();
    }
    expect(waiting()).toMatchObject([{ name: 'sendConfirmation', attempt: 0 }]);
    const worker = await serve({});
    await eventually(() => expect(waiting()).toEqual([])).finally(() => worker.stop());
  } finally {
    await sender.stop();
  }
});
