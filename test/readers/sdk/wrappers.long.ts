import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFolder } from '../../support/folder.ts';
import { runIn } from '../../support/package.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Wrappers of different releases, so that they bring different copies of what they wrap. */
const PACKAGES = [
  ...['@tanstack/react-query@5.108.0', 'react@19.3.1', '@types/react@19.3.0'],
  ...['@tanstack/solid-query@5.104.5', 'solid-js@1.9.19', '@tanstack/svelte-query@6.3.6', 'svelte@5.57.3'],
  ...['@tanstack/vue-query@5.104.0', 'vue@3.5.45'],
];

/** `given`: how the wrapper takes options; `data`: how it gives what was answered. */
const program = (wrapper: string, prefix: string, given: (options: string) => string, data = 'data'): string => `
import { ${prefix}InfiniteQuery as infinite, ${prefix}Mutation as mutation, ${prefix}Query as query } from '${wrapper}';
import { createClient, type Product, products } from 'lockstep-storefront-client';
import * as options from 'lockstep-storefront-client/tanstack';

const client = createClient();
const list = query(${given("options.listOptions(client, products, { status: ['ACTIVE'] })")});
const names = query(${given('{ ...options.listOptions(client, products), select: (page) => page.data.map(({ name }) => name) }')});
const pages = infinite(${given("options.infiniteOptions(client, products, { sort: ['-price'] })")});
const one = query(${given("options.getOptions(client, products, 'x')")});
const update = mutation(${given('{ ...options.updateOptions(client, products), onSuccess: ({ price }) => console.log(price + 1) }')});
const create = mutation(${given("options.createOptions(client, products.reviews, { productId: 'x' })")});
update.mutate({ target: 'x', patch: { price: 1 } });
create.mutate({ rating: 5, title: 'Fine' });
// @ts-expect-error no such property
update.mutate({ target: 'x', patch: { colour: 1 } });
export const price: number | undefined = list.${data}?.data[0]?.price;
export const found: readonly [string[] | undefined, Product | undefined, Product | undefined] = [
  names.${data},
  pages.${data}?.pages[0]?.data[0],
  one.${data},
];
`;

it('options of TanStack Query have types that its wrappers take', async () => {
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'react.ts': program('@tanstack/react-query', 'use', (options) => options),
    'solid.ts': program('@tanstack/solid-query', 'use', (options) => `() => (${options})`),
    'svelte.ts': program('@tanstack/svelte-query', 'create', (options) => `() => (${options})`),
    'vue.ts': program('@tanstack/vue-query', 'use', (options) => options, 'data.value'),
  };
  await withFolder(files, async (folder) => {
    const installed = await runIn(folder, ['npm', 'install', '--ignore-scripts', ...PACKAGES]);
    if (installed.code !== 0 && process.env['REQUIRE_PACKAGE_MANAGERS'] !== 'true')
      return console.warn(`No wrappers to test: ${installed.stderr}`);
    expect(installed.code, installed.stderr).toBe(0);
    await symlink(join(ROOT, 'generated/sdk'), join(folder, 'node_modules/lockstep-storefront-client'));
    const tsc = [process.execPath, join(ROOT, 'node_modules/typescript-7/bin/tsc'), '--noEmit', '--strict'];
    const options = ['--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2024'];
    const sources = ['react.ts', 'solid.ts', 'svelte.ts', 'vue.ts'];
    expect((await runIn(folder, [...tsc, ...options, '--lib', 'es2024,dom', ...sources])).stdout).toBe('');
  });
});
