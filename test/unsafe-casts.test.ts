import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Types say all else. A file may leave this list, and none may join it. */
const CASTING = `
src/compiler/emit/emit-errors.ts
src/compiler/emit/emit-types.ts
src/compiler/graphql/fields/describe-graphql.ts
src/compiler/read/read-contract.ts
src/readers/sdk/graphql.ts
src/readers/sdk/operation.ts
src/readers/sdk/resource.ts
src/readers/sdk/subscribe.ts
src/runtime/engine/actions/create.ts
src/runtime/engine/actions/delete.ts
src/runtime/engine/actions/get.ts
src/runtime/engine/actions/list.ts
src/runtime/engine/actions/rewrite.ts
src/runtime/engine/resource/row-view.ts
src/runtime/graphql/fields/custom-resolvers.ts
src/runtime/graphql/fields/replaced-resolver.ts
src/runtime/graphql/graphiql.ts
src/runtime/graphql/mount-graphql.ts
src/runtime/graphql/subscriptions/socket-server.ts
src/runtime/rest/bind-routes.ts
src/runtime/rest/code-route.ts
src/runtime/storage/sqlite/sqlite-connection.ts
src/runtime/storage/sqlite/sqlite-migration.ts
src/tools/samples/lifelike-values.ts
`;

/** How often a `!` says that a value is there, which its type could say. */
const MOST_ASSERTIONS = 690;

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const UNSAFE = /\bas (?:unknown as|never)\b/;
const ASSERTION = /[\w)\]]!(?=[.;,)[\]} :(?]|$)/gm;

/** Of each file, without its comments. */
const texts = new Map<string, string>();

beforeAll(async () => {
  for await (const path of glob('src/**/*.ts', { cwd: root }))
    texts.set(path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8').replace(COMMENTS, ''));
});

it('values are cast to types that have nothing in common with theirs in the files listed, and nowhere else', () => {
  const found = [...texts].filter(([, text]) => UNSAFE.test(text)).map(([path]) => path);
  expect(found.sort()).toEqual(CASTING.trim().split('\n'));
});

it('few values are asserted to be there', () => {
  const count = [...texts.values()].reduce((sum, text) => sum + (text.match(ASSERTION)?.length ?? 0), 0);
  console.log(`${count} assertions that a value is there`);
  expect(count).toBeLessThanOrEqual(MOST_ASSERTIONS);
});
