import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/compiler/build-model.ts';
import { EXTENSIONS } from '../../src/compiler/model/extensions/extensions.ts';
import { readContract } from '../../src/compiler/read/read-contract.ts';
import { RULE_GROUPS } from '../../src/compiler/rules/texts/rule-text.ts';
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

const pages = readdirSync('docs/reference').map((name) => documentText(`reference/${name}`));

describe('docs/reference/', () => {
  it('describes every extension', () => {
    const described = pages.flatMap((page) => page.match(/(?<=^##+ `)x-[\w-]+/gm) ?? []);
    expect(Object.keys(EXTENSIONS).filter((name) => !described.includes(name))).toEqual([]);
  });

  it('names rules that exist', () => {
    const rules = Object.values(RULE_GROUPS).flatMap((texts) => texts.map(({ id }) => id));
    const named = pages.flatMap((page) =>
      page
        .slice(page.indexOf('\n## Refused\n'))
        .match(/(?<=^\|.* \| )`.*`(?= \|$)/gm)!
        .flatMap((cell) => cell.replaceAll('`', '').split(', ')),
    );
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((name) => !rules.includes(name))).toEqual([]);
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
