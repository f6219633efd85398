import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { createClient, products } from '../../../generated/sdk/index.js';
import { readBlocks } from '../../docs/support/blocks.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { runIn } from '../../support/package.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, Shop } from '../../support/storefront.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLIENT = 'lockstep-storefront-client';

/** The block of `docs/clients.md` that names this test, in a language. */
const blockOf = (language: string): string =>
  readBlocks().find(
    (block) => block.language === language && block.markers['tested in'] === 'test/readers/sdk/zod.long.ts',
  )!.text;

it('the recipe for Zod makes schemas that hold, and that real answers meet', async () => {
  const shop = await Shop.open(databases[0]!);
  const baseUrl = `http://127.0.0.1:${await shop.listen()}/v1`;
  const client = createClient({ baseUrl, token: await tokenOf({ sub: admin.subject, scope: admin.scope }) });
  const delivery = { kind: 'DIGITAL', downloadUrl: 'https://example.com/a', sizeBytes: 5 } as const;
  const product = await products.create(client, { sku: 'ZOD-1', name: 'Map', price: 1, currency: 'EUR', delivery });
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'generated/openapi.json': await readFile(join(ROOT, 'generated/openapi.json'), 'utf8'),
    'src/use.ts': blockOf('ts').replace('https://api.example.com/v1', baseUrl),
  };
  await withFolder(files, async (folder) => {
    for (const command of blockOf('sh').trim().split('\n')) {
      const [tool, ...args] = command.split(' ');
      const ran = await runIn(folder, tool === 'npx' ? ['npx', '--yes', ...args] : [tool!, ...args]);
      if (ran.code !== 0 && process.env['REQUIRE_PACKAGE_MANAGERS'] !== 'true') return console.warn(ran.stderr);
      expect(ran.code, `${command}\n${ran.stdout}${ran.stderr}`).toBe(0);
    }
    await symlink(join(ROOT, 'generated/sdk'), join(folder, 'node_modules', CLIENT));
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: [] },
          ...{ allowImportingTsExtensions: true, skipLibCheck: true },
        },
        include: ['src'],
      }),
    );
    const checked = await runIn(folder, [process.execPath, join(ROOT, 'node_modules/typescript-7/bin/tsc')]);
    expect(checked.stdout).toBe('');
    const ran = await runIn(folder, [process.execPath, 'src/use.ts']);
    expect(ran.stdout, ran.stderr).toBe("Map\n[ 'name', 'price', 'currency', 'delivery' ]\n");
    const { zProduct, zProductPage } = await import(pathToFileURL(join(folder, 'src/zod/zod.gen.ts')).href);
    expect(zProduct.parse(product)).toEqual({ ...product, unitsSold: 0n });
    expect(zProductPage.parse(await products.list(client).page()).data).toHaveLength(1);
    expect(zProduct.safeParse({ ...product, price: '1' }).success).toBe(false);
  });
  await shop.close();
});
