import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { readBlocks } from '../../docs/support/blocks.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { Instance, tokenOf } from '../../support/instance.ts';
import { admin } from '../../support/storefront.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { sh } from './support.ts';

/** What docs/other-clients.md says to paste, by its language. */
const blocks = new Map(
  readBlocks()
    .filter(({ markers }) => markers['tested in'] === 'test/readers/clients/kotlin.long.ts')
    .map(({ language, text }) => [language, text]),
);

/** Creates a product that customers see. */
async function offer(base: string, price: number): Promise<void> {
  const send = async (method: string, path: string, body: object) => {
    const headers = { Authorization: `Bearer ${tokenOf(admin)}`, 'Content-Type': 'application/json' };
    const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return (await response.json()) as { readonly id: string };
  };
  const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
  const product = { sku: `KT-${price}`, name: 'Mug', price, currency: 'EUR', delivery, stock: 1 };
  const { id } = await send('POST', '/products', product);
  await send('PATCH', `/products/${id}`, { status: 'ACTIVE' });
}

describe.runIf(hasToolchain('java'))('the recipe for Kotlin', () => {
  test('compiles, and lists products of a storefront that runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-kotlin-'));
    endedByTests(() => rm(folder, { recursive: true, force: true }));
    const { base } = await Instance.start({ DATA_DIR: join(folder, 'data') });
    await copyFile('generated/clients/openapi.json', join(folder, 'openapi.json'));
    await writeText(join(folder, 'pom.xml'), blocks.get('xml')!);
    const program = blocks.get('kotlin')!.replace(/http:[^"]*/, base);
    await writeText(join(folder, 'src/main/kotlin/Example.kt'), program);
    for (const price of [500, 5_000]) await offer(base, price);
    const lines = (await sh(blocks.get('sh')!, folder)).match(/Mug \d+$/gm) ?? [];
    expect(lines).toEqual(['Mug 500']);
  });
});
