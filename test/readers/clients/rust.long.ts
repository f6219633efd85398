import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { writeText } from '../../../src/readers/clients/common/layer.ts';
import { withFolder } from '../../support/folder.ts';
import { hasToolchain } from '../../support/toolchains.ts';
import { sh, startSurroundings } from './support.ts';

const hasCargo = spawnSync('cargo', ['--version']).status === 0;

/** Variants that their discriminator alone tells apart. */
const PRODUCTS = [
  { name: 'Mug', delivery: { kind: 'PHYSICAL', weightGrams: 410 }, shows: 'PhysicalDelivery' },
  {
    name: 'Guide',
    delivery: { kind: 'DIGITAL', downloadUrl: 'https://example.com/guide.pdf' },
    shows: 'DigitalDelivery',
  },
];

/** Compiling what the client stands on takes minutes, and a fifth less without what debuggers need. */
const BUILD = { CARGO_PROFILE_DEV_DEBUG: '0', CARGO_INCREMENTAL: '0' };
const LONGEST_MS = 1_800_000;

test.runIf(hasCargo && hasToolchain('java'))(
  'the recipe for Rust in other-clients.md makes a client that lists products',
  async () => {
    const text = await readFile('docs/other-clients.md', 'utf8');
    const recipe = text.slice(text.indexOf('\n## Rust'), text.indexOf('\n## Kotlin'));
    const [generate, program, run] = [...recipe.matchAll(/^```\w+\n(.+?)^```$/gms)].map(([, block]) => block!);
    const { API_URL, STAFF_TOKEN } = await startSurroundings();
    const headers = { Authorization: `Bearer ${STAFF_TOKEN}`, 'Content-Type': 'application/json' };
    for (const [index, { name, delivery }] of PRODUCTS.entries()) {
      const body = JSON.stringify({ sku: `RUST-${index}`, name, price: 1999, currency: 'EUR', delivery });
      expect((await fetch(`${API_URL}/products`, { method: 'POST', headers, body })).status).toBe(201);
    }
    await withFolder({}, async (folder) => {
      await symlink(resolve('generated'), join(folder, 'generated'));
      await sh(generate!, folder);
      await mkdir(join(folder, 'client-rust/examples'));
      const here = program!.replace(/http:[^"]*/, API_URL);
      await writeText(join(folder, 'client-rust/examples/products.rs'), here);
      const written = await sh(run!, folder, BUILD);
      for (const { name, shows } of PRODUCTS) expect(written).toContain(`${name} 1999 ${shows}(`);
    });
  },
  LONGEST_MS,
);
