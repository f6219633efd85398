import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { soundContract } from '../compiler/compile-contract.ts';
import { entryOf } from '../compiler/read/index.ts';
import { ACCESS_FILE } from '../tools/access-file.ts';
import { CommandFailure } from '../tools/command-failure.ts';

export interface NewAccessOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what is generated from it, which has the JSON Schema of the file. */
  readonly out: string;
}

export interface NewAccess {
  readonly path: string;
  /** Sentences about actions in which no caller of the tests succeeds. */
  readonly refused: readonly string[];
}

/** Writes the `access.yaml` that a contract's own tests of who may do what begin with; resolves with its path, and what it found of it. */
export async function newAccess({ contracts, out }: NewAccessOptions): Promise<NewAccess> {
  const { folder } = await entryOf(contracts);
  const path = join(folder, ACCESS_FILE);
  if (existsSync(path)) throw new CommandFailure(`${path} exists already. Nothing was written.`);
  const { model } = await soundContract(contracts, process.stderr.isTTY, 'Nothing was written.');
  const { starterSuite } = await import('../proving/access-tests/starter/index.ts');
  const { readSuite, runSuite } = await import('../proving/access-tests/index.ts');
  const schema = join(out, 'editor/access.json');
  const text = await starterSuite(model, existsSync(schema) ? relative(folder, schema) : undefined);
  if (text === undefined) throw new CommandFailure(NO_RULES);
  await writeFile(path, text, { flag: 'wx' });
  const { suite } = readSuite(text, model);
  const { findings } = await runSuite(model, suite!);
  return { path, refused: findings.map(({ message }) => message) };
}

const NO_RULES = `No resource of this contract has access rules (\`x-access\`, \`x-owner\`, \`x-tenant\`), so nothing needs a test beyond the
scopes of \`security\`. Nothing was written.`;
