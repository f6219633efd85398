import { expect, it } from 'vitest';
import { conventionChanges } from '../../../../src/compiler/gate/changes/convention-changes.ts';
import { type Edition, readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const edition = async (edits: readonly Edit[]): Promise<Edition> =>
  (await editedFolder('workshop', edits, readEdition)).edition!;

const LINE = "x-tenant: { property: tenantId, claim: app.tenant, across: 'tenants:operate' }";
const released = edition([]);

async function changes(before: Edition, now: Edition): Promise<readonly string[]> {
  return conventionChanges(before, now)
    .filter(({ message }) => message.includes('Worker'))
    .map(({ impact, rule, message }) => `${impact} ${rule}: ${message}`);
}

it.each<[what: string, line: string, found: readonly string[]]>([
  [
    'another claim',
    LINE.replace('app.tenant', 'tenant'),
    [
      'major tenant-changed: The tenant of a Worker is `tenantId` by the claim `tenant`, no longer `tenantId` by the claim `app.tenant`.',
    ],
  ],
  [
    'no scope for all tenants',
    LINE.replace(", across: 'tenants:operate'", ''),
    ['major tenant-scope-changed: The scope that sees each Worker of all tenants is none, no longer tenants:operate.'],
  ],
  ['another order of the same', "x-tenant: { claim: app.tenant, across: 'tenants:operate', property: tenantId }", []],
])('the gate tells of %s', async (_, line, found) => {
  expect(await changes(await released, await edition([['openapi.yaml', LINE, line]]))).toEqual(found);
});

it('the gate tells of tenants that come and go, and not of their part in keys and rules', async () => {
  const open = await edition([
    ['openapi.yaml', `${LINE}\n`, ''],
    [
      'openapi.yaml',
      '        tenantId: { type: string, format: uuid }',
      '        tenantId: { type: string, format: uuid, default: 00000000-0000-7000-8000-000000000000 }',
    ],
  ]);
  const kept = (found: readonly string[]) =>
    found.filter((text) => !text.includes('default-changed') && !text.includes('answer-'));
  expect(kept(await changes(await released, open))).toEqual([
    'major tenant-removed: Each Worker belongs to no tenant any more: all tenants can see it.',
  ]);
  expect(kept(await changes(open, await released))).toEqual([
    'major tenant-added: Callers can now see only the Worker of their own tenant, `tenantId` by the claim `app.tenant`.',
  ]);
});
