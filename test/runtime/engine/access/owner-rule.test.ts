import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../../src/descriptor/document.ts';
import type { OwnerRule } from '../../../../src/descriptor/resource.ts';
import type { Principal } from '../../../../src/runtime/auth/principal.ts';
import { boundSubject } from '../../../../src/runtime/engine/access/owner.ts';
import { compileResources } from '../../../../src/runtime/engine/compile-resources.ts';
import type { Resource } from '../../../../src/runtime/engine/resource/resource.ts';
import { createSchemaRegistry } from '../../../../src/runtime/schema/create-schema-registry.ts';
import { property, resource } from '../../../support/descriptors.ts';

const document: OpenApiDocument = { openapi: '3.1.0', info: { title: 'Notes', version: '1' }, paths: {} };

function owned(owner?: OwnerRule): Resource {
  const notes = { ...resource('notes', 'Note', [property('userId')]), ...(owner && { owner }) };
  const contract = { document, rest: { operations: [], securitySchemes: {} }, resources: [notes] };
  return compileResources(contract, createSchemaRegistry(document)).get('notes')!;
}

const caller = (...scopes: string[]): Principal => ({ subject: 'ada', scopes: new Set(scopes), expiresAtMs: 0 });
const hidden: OwnerRule = { property: 'userId', scope: 'orders:admin', reads: 'owner' };
const shown: OwnerRule = { property: 'userId', scope: 'orders:admin', reads: 'anyone' };
const all: readonly unknown[] = [];
const own = [{ property: 'userId', operator: 'eq', value: 'ada' }];

describe('owner rules', () => {
  it.each([
    ['no rule', undefined, caller(), all, undefined],
    ['no rule, anonymous', undefined, undefined, all, undefined],
    ['hidden rows', hidden, caller(), own, 'ada'],
    ['hidden rows, with the scope', hidden, caller('orders:admin'), all, undefined],
    ['shown rows', shown, caller(), all, 'ada'],
    ['shown rows, with the scope', shown, caller('orders:admin'), all, undefined],
    ['a rule that no scope lifts', { property: 'userId', reads: 'owner' } as const, caller('undefined'), own, 'ada'],
  ])('%s', (_, owner, principal, read, changed) => {
    const notes = owned(owner);
    expect(notes.filter.own(principal)).toEqual(read);
    expect(boundSubject(notes, principal)).toBe(changed);
  });

  it('an anonymous caller reads shown rows, and owns none', () => {
    expect(owned(shown).filter.own(undefined)).toEqual(all);
    expect(() => boundSubject(owned(shown), undefined)).toThrow('UNAUTHENTICATED');
    for (let i = 0; i < 2; i++) expect(() => owned(hidden).filter.own(undefined)).toThrow('UNAUTHENTICATED');
  });

  it('a filter is made once for a caller, and is a constant without rules', () => {
    const [free, bound, ada] = [owned(), owned(hidden), caller()];
    expect(bound.filter.own(ada)).toBe(bound.filter.own(ada));
    expect([free.filter.isOpen, bound.filter.isOpen, owned(shown).filter.isOpen]).toEqual([true, false, true]);
    expect(free.filter).toBe(owned(shown).filter);
  });
});
