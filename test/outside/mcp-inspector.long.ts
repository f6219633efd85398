import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scopesOf } from '../../src/tools/token/index.ts';
import { Command, type Finished } from '../support/command.ts';
import { databases } from '../support/databases.ts';
import { filledFolders } from '../support/folder.ts';
import { offeringAll } from '../support/offering.ts';
import { startCompiled, tokenOf } from '../support/service.ts';
import { admin, customer, type Json, Shop, stranger } from '../support/storefront.ts';

/** It brings 110 MB of packages, which a project needs for nothing else. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const CLI = 'node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js';

/** Runs the inspector, without its windows, as a caller. */
type Inspect = (port: number, token: string, args: readonly string[]) => Promise<Finished>;

const installed = filledFolders(async (cwd, name) => {
  await writeFile(join(cwd, 'package.json'), '{}');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', name], { cwd });
});

const listing = ['--method', 'tools/list', '--strict'];
const calling = (name: string, args: Json): readonly string[] => [
  ...['--method', 'tools/call', '--tool-name', name],
  ...Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${JSON.stringify(value)}`]),
];

describe('the inspector of MCP', () => {
  const inspect: Inspect = async (port, token, more) =>
    new Command(join(await installed(INSPECTOR), CLI), [
      ...[`http://127.0.0.1:${port}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`],
      ...more,
    ]).finished;

  it('warns of no tool of the shop, and calls each', async () => {
    const shop = await Shop.open(databases[0]!);
    const { subject: sub, scope } = admin;
    const [port, token] = [await shop.listen(), tokenOf({ sub, scope })];
    const { code, stdout, stderr } = await inspect(port, token, listing);
    expect([code, stderr]).toEqual([0, '']);
    const calls = await callsOf(shop);
    expect(JSON.parse(stdout).tools.map(({ name }: Json) => name)).toEqual(Object.keys(calls));
    for (const [name, args] of Object.entries(calls)) {
      const called = await inspect(port, token, calling(name, args));
      expect([name, called.code, called.stderr]).toEqual([name, 0, '']);
      const { content, isError } = JSON.parse(called.stdout);
      expect([name, isError, typeof JSON.parse(content[0].text)]).toEqual([name, undefined, 'object']);
    }
    await shop.close();
  });

  it.each(['atlas', 'clinic', 'club', 'depot', 'exchange', 'library', 'payroll', 'tracker', 'workshop'])(
    'warns of no tool of %s',
    async (name) => {
      const contract = await offeringAll(name);
      const service = await startCompiled(contract, databases[0]!, {}, { allowMissing: true });
      const token = tokenOf({ sub: customer.subject, scope: scopesOf(contract).join(' ') });
      const { code, stdout, stderr } = await inspect(await service.listen(), token, listing);
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout).tools.length).toBeGreaterThan(2);
      await service.close();
    },
  );
});

/** Arguments of each tool of the shop, in the order of the tools, that succeed in the order in which they are called. */
async function callsOf(shop: Shop): Promise<Readonly<Record<string, Json>>> {
  const { id: userId } = await shop.user(customer);
  await shop.user(stranger);
  const { id: productId } = await shop.product();
  const { id: reviewId } = await shop.review(productId, customer);
  const { id: orderId } = await shop.order();
  const { id: itemId } = await shop.item(orderId, productId, 1);
  const delivery = { kind: 'PHYSICAL', weightGrams: 300 };
  const { id: mugId } = await shop.product();
  const { version } = (await shop.get(`/products/${productId}`)).body;
  return {
    listUsers: { limit: 1, sort: ['-name'] },
    createUser: { input: { email: 'grace@example.com', name: 'Grace' }, idempotencyKey: 'a key' },
    getUser: { userId },
    updateUser: { userId, input: { name: 'Ada' } },
    listProducts: { price: { gte: 5 }, fields: ['id', 'name'] },
    createProduct: { input: { sku: 'TEA-1', name: 'Tea', price: 900, currency: 'EUR', delivery } },
    getProduct: { productId },
    updateProduct: { productId, input: { price: 950 }, ifVersion: version },
    getRatingSummary: { productId },
    listReviews: { productId },
    createReview: { productId: mugId, input: { rating: 5, title: 'Fine', userId } },
    getReview: { productId, reviewId },
    updateReview: { productId, reviewId, input: { rating: 3 } },
    listOrders: { count: true },
    createOrder: { input: { userId, note: 'Ring twice' } },
    totalOrders: { measures: ['count'] },
    getOrder: { orderId },
    updateOrder: { orderId, input: { note: 'Ring once' } },
    listItems: { orderId },
    createItem: { orderId, input: { productId: mugId, quantity: 2 } },
    getItem: { orderId, itemId },
    updateItem: { orderId, itemId, input: { quantity: 2 } },
  };
}
