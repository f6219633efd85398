import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Compiled, compileContract } from '../../../src/compiler/compile-contract.ts';
import { sdkNames } from '../../../src/compiler/emit/sdk/sdk-resources.ts';
import { siteOf } from '../../readers/docs/support/site-of.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { filledFolders } from '../../support/folder.ts';
import { HOSTILE_NAMES, hostileNames } from '../../support/hostile-contract.ts';
import { libraryFrom, typeErrorsIn } from '../../support/type-check.ts';

/** The emitters, by the files that they write. */
const EMITTERS = {
  types: /^types\/.*\.ts$/,
  'the wiring': /^[\w-]+\.ts$/,
  'the SDK': /^sdk\/.*\.(?:ts|js)$/,
};

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const contractsIn = filledFolders(async (folder) => {
  for (const [path, text] of Object.entries(hostileNames())) await writeText(join(folder, path), text);
});

/** A folder of the project, where packages are found. */
let output: string;

let compiled: Compiled;
let contracts: string;
beforeAll(async () => {
  contracts = await contractsIn('hostile');
  compiled = await compileContract(contracts, libraryFrom(0));
  output = await mkdtemp(join(import.meta.dirname, '../../.types-'));
  for (const [path, text] of compiled.files!) await writeText(join(output, path), text);
});
afterAll(() => rm(output, { recursive: true }));

/** Identifiers of a module that a name has brought, and what makes it no program. */
function codeOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const { parseDiagnostics = [] } = source as { parseDiagnostics?: readonly ts.Diagnostic[] };
  const found = parseDiagnostics.map(({ messageText }) => `${path}: ${String(messageText)}`);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'HOSTILE') found.push(`${path}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Tags and attributes of a page, without their values. */
const markupOf = (html: string): readonly string[] =>
  [...html.matchAll(/<[a-z!](?:"[^"]*"|[^<>"])*/gi)].map(([tag]) => tag.replaceAll(/="[^"]*"/g, ''));

describe('hostile names of a contract', () => {
  test('are no error', () => {
    expect(compiled.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test.each(Object.entries(EMITTERS))('are no code of %s', (_, form) => {
    const files = [...compiled.files!].filter(([path]) => form.test(path));
    expect(files.length).toBeGreaterThan(1);
    for (const [path, text] of files) expect(codeOf(path, text)).toEqual([]);
  });

  test('have types', async () => {
    const paths = [...compiled.files!.keys()].filter((path) => path.endsWith('.ts'));
    const errors = await typeErrorsIn(output, paths, { skipLibCheck: false });
    expect([...errors].filter(([, lines]) => lines.length > 0)).toEqual([]);
  });

  test('are sent by the SDK as they are', async () => {
    const arrived: unknown[] = [];
    const server = createServer(async (request, response) => {
      const { searchParams } = new URL(request.url!, 'http://host');
      arrived.push({ query: [...searchParams], body: await json(request) });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endedByTests(() => server.close());
    const { createClient, ...api } = await import(String(pathToFileURL(join(output, 'sdk/index.js'))));
    const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const { operations } = sdkNames(compiled.model!);
    const sent = Object.values(HOSTILE_NAMES).map((name, at) => ({
      id: `${name}${at}`,
      query: { [name]: name, [`by${at}`]: undefined },
      body: Object.fromEntries([[name, name]]),
    }));
    for (const { id, query, body } of sent) await api[operations.get(id)!](client, { query, body });
    expect(arrived).toEqual(sent.map(({ query, body }) => ({ query: Object.entries(query).slice(0, 1), body })));
  });

  test('are no markup of the documentation', async () => {
    const pages = [...(await siteOf(contracts))].filter(
      ([path]) => path.endsWith('.html') && !/graphiql|console/.test(path),
    );
    expect(pages.length).toBeGreaterThan(Object.keys(HOSTILE_NAMES).length);
    for (const [path, html] of pages) {
      expect(
        markupOf(String(html)).filter((tag) => tag.includes('HOSTILE')),
        path,
      ).toEqual([]);
      expect(String(html), path).not.toMatch(/href="javascript:/);
    }
  });
});
