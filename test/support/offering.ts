import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { editedContract } from './edited-contract.ts';

/** All that can be, whatever it costs. */
export const OFFER = { offer: ['read', 'create', 'update', 'replace', 'delete', 'custom'], budget: 100_000 };

export interface Offering {
  /** Each caller must sign in. */
  readonly isClosed?: boolean;
}

/** A contract of `test/fixtures` that offers its operations to agents. */
export async function offeringAll(name: string, { isClosed = false }: Offering = {}): Promise<CompiledContract> {
  const offer = JSON.stringify({ ...OFFER, ...(isClosed && { signIn: 'always' }) });
  const text = await readFile(join(import.meta.dirname, '../fixtures', name, 'openapi.yaml'), 'utf8');
  const isFlow = /^info: *\{/m.test(text);
  return editedContract(name, [
    isFlow
      ? ['openapi.yaml', /^info: *\{/gm, `info: { x-mcp: ${offer},`]
      : ['openapi.yaml', /^info:(\n +)/gm, `info:$1x-mcp: ${offer}$1`],
  ]);
}
