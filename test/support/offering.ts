import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { type Edit, editedContract } from './edited-contract.ts';

/** All that can be, whatever it costs. */
export const OFFER = { offer: ['read', 'create', 'update', 'replace', 'delete', 'custom'], budget: 100_000 };

export interface Offering {
  /** Each caller must sign in. */
  readonly isClosed?: boolean;
}

/** The document of a contract without an offer, with one of all that can be offered. */
export function offered(text: string, { isClosed = false }: Offering): string {
  if (/^ +x-mcp:$/m.test(text)) return text;
  const offer = JSON.stringify({ ...OFFER, ...(isClosed && { signIn: 'always' }) });
  return /^info: *\{/m.test(text)
    ? text.replace(/^info: *\{/m, `info: { x-mcp: ${offer},`)
    : text.replace(/^info:(\n +)/m, `info:$1x-mcp: ${offer}$1`);
}

/** A contract of `test/fixtures` that offers its operations to agents, after some edits. */
export async function offeringAll(
  name: string,
  offering: Offering = {},
  edits: readonly Edit[] = [],
): Promise<CompiledContract> {
  const text = await readFile(join(import.meta.dirname, '../fixtures', name, 'openapi.yaml'), 'utf8');
  return editedContract(name, [['openapi.yaml', text, offered(text, offering)], ...edits]);
}
