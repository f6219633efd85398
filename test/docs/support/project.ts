import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { libraryFor } from '../../../src/compiler/emit/folder/library.ts';
import { writeOutput } from '../../../src/compiler/emit/folder/output-folder.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { signToken } from '../../../src/runtime/auth/sign-token.ts';
import { createServer } from '../../../src/runtime/server.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { endedByTests } from '../../support/clean-up.ts';
import type { Block } from './blocks.ts';
import { edited, isEdit } from './edited.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const keys = secretKeys('a secret of the documents, long enough for HS256');

export const tokenOf = (subject: string, scope: string): string =>
  signToken(keys, { subject, scopes: scope.split(' '), expiresInSeconds: 3_600 });

/** What `npm run generate` does. */
export async function generate(contracts: string, out: string): Promise<Compiled> {
  const compiled = await compileContract(contracts, libraryFor(out));
  if (compiled.files) await writeOutput(out, compiled.files);
  return compiled;
}

/** What a project imports, as files of this repository. */
const PACKAGES: Readonly<Record<string, string>> = {
  lockstep: 'src/index.ts',
  'lockstep/testing': 'src/testing.ts',
  'lockstep/codegen': 'src/codegen.ts',
  'lockstep-storefront-client': 'generated/sdk/index.js',
  'lockstep-storefront-client/bound': 'generated/sdk/bound.js',
  'lockstep-storefront-client/tanstack': 'generated/sdk/tanstack.js',
  'lockstep-storefront-client/graphql': 'generated/sdk/graphql.js',
};

/**
 * Writes the TypeScript of a block into a project, where the block says, or where its imports fit; one that shows a part of
 * `src/handlers/index.ts` becomes the whole file. Returns the path below the folder.
 */
export async function writeSource(folder: string, { words: [path], text, markers, line }: Block): Promise<string> {
  const whole = isEdit(text) ? edited(await readFile(join(folder, 'src/handlers/index.ts'), 'utf8'), text) : text;
  const given = markers.given === undefined ? '' : `${markers.given}\n`;
  const place = path ?? join(folderFor(text), `block-${line}.ts`);
  await mkdir(dirname(join(folder, place)), { recursive: true });
  const resolved = (given + whole).replaceAll(/ from '([^']+)'/g, (all, name: string) =>
    PACKAGES[name] === undefined ? all : ` from '${join(root, PACKAGES[name])}'`,
  );
  await writeFile(join(folder, place), `${resolved}\nexport {};\n`);
  return place;
}

function folderFor(text: string): string {
  if (text.includes("'../../../generated/")) return 'src/handlers/versions';
  if (text.includes("'../src/")) return 'test';
  return 'src/handlers';
}

/** Serves a contract; resolves with the address. `handlers`: the module that exports them. */
export async function serveContract(folder: string, contract: CompiledContract, handlers?: string): Promise<string> {
  const module = handlers === undefined ? {} : await import(pathToFileURL(join(folder, handlers)).href);
  const store = openSqliteStore({ file: join(folder, 'data.db'), resources: contract.resources });
  const app = await createServer({
    contract,
    handlers: ((module as { readonly handlers?: AnyHandlers }).handlers ?? {}) as AnyHandlers,
    allowMissing: handlers === undefined,
    store,
    authentication: { keys },
    checkResponses: true,
  });
  endedByTests(async () => {
    await app.close();
    await store.close();
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}
