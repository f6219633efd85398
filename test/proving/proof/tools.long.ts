import { expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { exchangeHandlers } from '../../support/exchange-handlers.ts';
import { offeringAll } from '../../support/offering.ts';
import { oneIn } from '../../support/thorough.ts';

const CONTRACTS: readonly (readonly [name: string, handlers: AnyHandlers])[] = [
  ...['atlas', 'cats', 'clinic', 'club', 'conservatory', 'depot', 'diary', 'festival', 'folders', 'invoices'],
  ...['journal', 'laboratory', 'library', 'orchard', 'payroll', 'practice', 'tracker', 'workshop'],
].map((name) => [name, {}] as const);

const EXCHANGE = ['exchange', exchangeHandlers as unknown as AnyHandlers] as const;

it('agents that must sign in are answered as callers of both other protocols are', async () => {
  for (const [name, handlers] of [['library', {}], EXCHANGE] as const) {
    const contract = await offeringAll(name, { isClosed: true });
    const { differences, outcomes } = await prove({ contract, handlers, samples: 6 });
    expect(differences.map(formatDifference).join('\n\n').slice(0, 4_000)).toBe('');
    expect(outcomes.get('data')).toBeGreaterThan(5);
  }
});

it.each(oneIn(4, [...CONTRACTS, EXCHANGE]))(
  'agents, and callers of both other protocols, are answered the same by %s',
  async (name, handlers) => {
    const contract = await offeringAll(name);
    const { differences, notCovered, outcomes } = await prove({ contract, handlers, samples: 12 });
    expect(differences.map(formatDifference).join('\n\n').slice(0, 4_000)).toBe('');
    expect(notCovered.filter((text) => text.includes('MCP'))).toEqual([]);
    expect(outcomes.get('data')).toBeGreaterThan(5);
  },
);
