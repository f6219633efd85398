import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { buildModel } from '../../src/compiler/build-model.ts';
import { EXTENSIONS } from '../../src/compiler/extensions/extensions.ts';
import { readContract } from '../../src/compiler/read/read-contract.ts';
import { standardErrors } from '../../src/descriptor/standard-errors.ts';
import { withFolder } from '../support/folder.ts';
import { parseContract } from '../support/single-file-contract.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/contract.md'), 'utf8');

const graphqlText = readFileSync(join(import.meta.dirname, '../../docs/graphql.md'), 'utf8');

/** The code block whose info string is `info`. */
function block(info: string): string {
  const found = text.match(new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'm'));
  if (!found) throw new Error(`no block ${info}`);
  return found[1]!;
}

interface Parts {
  readonly paths: object;
  readonly components: { readonly schemas: object };
}

/** The example with the second resource in it. */
function extended(): string {
  const contract = parse(block('yaml contract')) as Parts;
  const addition = parse(block('yaml addition')) as Parts;
  const schemas = { ...contract.components.schemas, ...addition.components.schemas };
  return stringify({
    ...contract,
    paths: { ...contract.paths, ...addition.paths },
    components: { ...contract.components, schemas },
  });
}

describe('docs/contract.md', () => {
  it('has an example that compiles as it stands', () => {
    const { model, findings } = buildModel(parseContract(block('yaml contract')));
    expect(findings).toEqual([]);
    expect(model?.resources.map(({ key, actions }) => [key, Object.keys(actions).length])).toEqual([['books', 6]]);
  });

  it('has an addition to it that compiles, and uses the extensions', () => {
    const { model, findings } = buildModel(parseContract(extended()));
    expect(findings).toEqual([]);
    expect(model?.resources.map(({ key }) => key)).toEqual(['books', 'loans']);
  });

  it('describes every extension', () => {
    const extensions = Object.keys(EXTENSIONS);
    expect(extensions.filter((name) => !text.includes(`### \`${name}\``))).toEqual([]);
  });

  it('has a GraphQL side in docs/graphql.md that compiles as it stands, and says the same', async () => {
    const sdl = /^```graphql contract\n([\s\S]*?)^```$/m.exec(graphqlText)![1]!;
    const files = { 'openapi.yaml': block('yaml contract'), 'schema.graphql': sdl };
    const { findings, parity } = await withFolder(files, async (folder) => buildModel(await readContract(folder)));
    expect(findings).toEqual([]);
    expect(new Set(parity.map(({ verdict }) => verdict))).toEqual(new Set(['same']));
  });

  it('lists every standard code with its status', () => {
    const table = text.split('<!-- standard codes -->')[1]!.split('<!-- /standard codes -->')[0]!;
    const rows = [...table.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no) \|$/gm)].map(([, code, status, retryable]) => [
      code,
      Number(status),
      retryable === 'yes',
    ]);
    expect(rows).toEqual(Object.values(standardErrors).map(({ code, status, retryable }) => [code, status, retryable]));
  });
});
