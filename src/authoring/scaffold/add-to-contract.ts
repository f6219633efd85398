import { dirname, join } from 'node:path';
import { compileContract } from '../../compiler/compile-contract.ts';
import { libraryFor, writeOutput } from '../../compiler/emit/folder/index.ts';
import { type Finding, formatFindings } from '../../compiler/findings/index.ts';
import type { ContractModel } from '../../compiler/model/index.ts';
import { ACCESS_FILE } from '../../tools/access-file.ts';
import { diffOf } from '../sync/text-diff.ts';
import { type Addition, addTo } from './addition.ts';
import { mentionsIn } from './mentions.ts';
import { type Removing, removeFrom } from './removal.ts';

export interface ChangeOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what is generated from it. */
  readonly out: string;
  /** Prints what would change, and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface AddOptions extends ChangeOptions {
  /** What to do next, below the names of the files. */
  readonly next: (model: ContractModel) => string;
}

/** Adds to a contract and generates. Resolves with the exit code: 1 when the contract would have errors. */
export async function addToContract(
  addition: Addition,
  { contracts, out, dryRun = false, next }: AddOptions,
): Promise<number> {
  const outcome = await addTo(contracts, addition, { out, dryRun });
  if (outcome.kind === 'refused') return refused(outcome.findings);
  if (dryRun) {
    console.log(`${diffOf(outcome.folder, outcome.changes)}\n\nWould write:\n${lines(outcome.files)}`);
    return 0;
  }
  const model = await generatedAgain(contracts, out);
  console.log(
    `Wrote these files, and generated ${out}/ again:\n${lines(outcome.files)}${model ? `\n\n${next(model)}` : ''}`,
  );
  return 0;
}

/**
 * Removes from a contract and generates. `what`: how the caller names it. Resolves with the exit code: 1 when something else needs it, or
 * the contract would have errors.
 */
export async function removeFromContract(
  removing: Removing,
  what: string,
  { contracts, out, dryRun = false }: ChangeOptions,
): Promise<number> {
  const outcome = await removeFrom(contracts, removing);
  if (outcome.kind === 'refused') return refused(outcome.findings);
  if (outcome.kind === 'needed') {
    console.error(
      `${what} is needed elsewhere; remove or change this first:\n${lines(outcome.by)}\n\nNothing was written.`,
    );
    return 1;
  }
  const { files, gone, left, words } = outcome;
  const { folder, changes } = files;
  if (dryRun) console.log(`${diffOf(folder, changes)}\n`);
  else {
    await files.save();
    await generatedAgain(contracts, out);
  }
  const names = changes.map(({ path, after }) => `${join(folder, path)}${after === undefined ? ' (removed)' : ''}`);
  const beside = [join(folder, ACCESS_FILE), ...['samples', 'docs'].map((name) => join(folder, name))];
  const code = ['src', 'test'].map((name) => join(dirname(out), name));
  const mentions = words.length === 0 ? [] : await mentionsIn([...beside, ...code], words);
  const stays = [...left, ...mentions.map((place) => `${place} which may name it`)];
  const [removes, changed] = dryRun
    ? ['Would remove', 'In these files']
    : ['Removed', `Changed these files, and generated ${out}/ again`];
  console.log(
    `${removes}:\n${lines(gone)}\n${changed}:\n${lines(names)}${stays.length > 0 ? `\nLeft to you:\n${lines(stays)}` : ''}`,
  );
  return 0;
}

const lines = (all: readonly string[]): string => all.map((line) => `  ${line}`).join('\n');

function refused(findings: readonly Finding[]): number {
  console.error(`${formatFindings(findings, { colour: process.stderr.isTTY })}\n\nNothing was written.`);
  return 1;
}

async function generatedAgain(contracts: string, out: string): Promise<ContractModel | undefined> {
  const { files, model } = await compileContract(contracts, libraryFor(out));
  if (files) await writeOutput(out, files);
  return model;
}
