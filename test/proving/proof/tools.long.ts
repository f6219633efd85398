import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { exchangeHandlers } from '../../support/exchange-handlers.ts';
import { oneIn } from '../../support/thorough.ts';

const CONTRACTS: readonly (readonly [name: string, handlers: AnyHandlers])[] = [
  ...['atlas', 'cats', 'clinic', 'club', 'conservatory', 'depot', 'diary', 'festival', 'folders', 'invoices'],
  ...['journal', 'laboratory', 'library', 'orchard', 'payroll', 'practice', 'tracker', 'workshop'],
].map((name) => [name, {}] as const);

const ALL = 'x-mcp: { offer: [read, create, update, replace, delete, custom], budget: 100000 }';

/** A contract that offers all that can be. */
async function offering(name: string) {
  const text = await readFile(join(import.meta.dirname, '../../fixtures', name, 'openapi.yaml'), 'utf8');
  const isFlow = /^info: *\{/m.test(text);
  return editedContract(name, [
    isFlow
      ? ['openapi.yaml', /^info: *\{/gm, `info: { ${ALL},`]
      : ['openapi.yaml', /^info:(\n +)/gm, `info:$1${ALL}$1`],
  ]);
}

it.each(oneIn(4, [...CONTRACTS, ['exchange', exchangeHandlers as unknown as AnyHandlers]]))(
  'agents, and callers of both other protocols, are answered the same by %s',
  async (name, handlers) => {
    const contract = await offering(name);
    const { differences, notCovered, outcomes } = await prove({ contract, handlers, samples: 12 });
    expect(differences.map(formatDifference).join('\n\n').slice(0, 4_000)).toBe('');
    expect(notCovered.filter((text) => text.includes('MCP'))).toEqual([]);
    expect(outcomes.get('data')).toBeGreaterThan(5);
  },
);
