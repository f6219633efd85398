import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/compiler/build-model.ts';
import { EXTENSIONS } from '../../src/compiler/model/extensions/extensions.ts';
import { readContract } from '../../src/compiler/read/read-contract.ts';
import { standardErrors } from '../../src/descriptor/standard-errors.ts';
import { blockOf, documentText } from '../support/documents.ts';
import { withFolder } from '../support/folder.ts';
import { parseContract } from '../support/single-file-contract.ts';

const contractYaml = blockOf('contract.md', 'yaml contract');

describe('docs/contract.md', () => {
  it('has an example that compiles as it stands', () => {
    const { model, findings } = buildModel(parseContract(contractYaml));
    expect(findings).toEqual([]);
    expect(model?.resources.map(({ key, actions }) => [key, Object.keys(actions).length])).toEqual([['books', 6]]);
  });

  it('has a GraphQL side in docs/graphql.md that compiles as it stands, and says the same', async () => {
    const sdl = blockOf('graphql.md', 'graphql contract');
    const files = { 'openapi.yaml': contractYaml, 'schema.graphql': sdl };
    const { findings, parity } = await withFolder(files, async (folder) => buildModel(await readContract(folder)));
    expect(findings).toEqual([]);
    expect(new Set(parity.map(({ verdict }) => verdict))).toEqual(new Set(['same']));
  });
});

describe('docs/reference/', () => {
  it('describes every extension', () => {
    const headings = readdirSync('docs/reference')
      .map((name) => documentText(`reference/${name}`))
      .join()
      .match(/^##+ .*$/gm)!;
    const described = headings.flatMap((heading) => /^#+ `(x-[\w-]+)`/.exec(heading)?.[1] ?? []);
    expect(Object.keys(EXTENSIONS).filter((name) => !described.includes(name))).toEqual([]);
  });

  it('lists every standard code with its status', () => {
    const table = documentText('reference/errors.md')
      .split('<!-- standard codes -->')[1]!
      .split('<!-- /standard codes -->')[0]!;
    const rows = [...table.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no) \|$/gm)].map(([, code, status, retryable]) => [
      code,
      Number(status),
      retryable === 'yes',
    ]);
    expect(rows).toEqual(Object.values(standardErrors).map(({ code, status, retryable }) => [code, status, retryable]));
  });
});
