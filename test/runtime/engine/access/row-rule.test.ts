import { describe, expect, it } from 'vitest';
import type { OwnerRule } from '../../../../src/descriptor/resource.ts';
import type { Principal } from '../../../../src/runtime/auth/principal.ts';
import { rowRule } from '../../../../src/runtime/engine/access/row-rule.ts';

const caller = (...scopes: string[]): Principal => ({ subject: 'ada', scopes: new Set(scopes), expiresAtMs: 0 });
const hidden: OwnerRule = { property: 'userId', scope: 'orders:admin', reads: 'owner' };
const shown: OwnerRule = { property: 'userId', scope: 'orders:admin', reads: 'anyone' };
const all = { kind: 'all' };
const own = { kind: 'own', property: 'userId', subject: 'ada' };

describe('row rules', () => {
  it.each([
    ['no rule', undefined, caller(), all, all],
    ['no rule, anonymous', undefined, undefined, all, all],
    ['hidden rows', hidden, caller(), own, own],
    ['hidden rows, with the scope', hidden, caller('orders:admin'), all, all],
    ['shown rows', shown, caller(), all, own],
    ['shown rows, with the scope', shown, caller('orders:admin'), all, all],
    ['a rule that no scope lifts', { property: 'userId', reads: 'owner' } as const, caller('undefined'), own, own],
  ])('%s', (_, owner, principal, read, change) => {
    expect(rowRule(owner, principal, 'read')).toEqual(read);
    expect(rowRule(owner, principal, 'change')).toEqual(change);
  });

  it('an anonymous caller reads shown rows, and owns none', () => {
    expect(rowRule(shown, undefined, 'read')).toEqual(all);
    expect(() => rowRule(shown, undefined, 'change')).toThrow('UNAUTHENTICATED');
    expect(() => rowRule(hidden, undefined, 'read')).toThrow('UNAUTHENTICATED');
  });
});
