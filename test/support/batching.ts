import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addTo, collectionOf } from '../../src/authoring/scaffold/addition.ts';
import { batchAddition } from '../../src/authoring/scaffold/new-batch.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { BATCH_KINDS, batchesOf, type ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { withFolder } from './folder.ts';
import { offered } from './offering.ts';

const canWrite = ({ actions, ...resource }: ResourceDescriptor): boolean =>
  batchesOf(resource).length === 0 && BATCH_KINDS.some((kind) => kind !== 'upsert' && actions[kind]);

/** A contract of `test/fixtures` with a batch of each resource that can be written, offered to agents as all else. */
export function batchingAll(name: string): Promise<CompiledContract> {
  return withFolder({}, async (folder) => {
    await cp(join(import.meta.dirname, '../fixtures', name), folder, { recursive: true });
    for (const resource of (await modelOf(folder)).resources.filter(canWrite)) {
      const outcome = await addTo(folder, batchAddition(collectionOf(resource)));
      if (outcome.kind === 'refused') throw new Error(outcome.findings.map(({ message }) => message).join('\n'));
    }
    const file = join(folder, 'openapi.yaml');
    const text = offered(await readFile(file, 'utf8'), {});
    await writeFile(file, text.replaceAll(/^( +)x-batch: (.*)(?!\n +x-mcp)$/gm, '$1x-mcp: true\n$1x-batch: $2'));
    return modelOf(folder);
  });
}

async function modelOf(folder: string): Promise<CompiledContract> {
  const { model, findings } = await modelContract(folder);
  if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
  return model;
}
