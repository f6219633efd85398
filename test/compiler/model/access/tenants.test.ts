import { expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { indexesOf } from '../../../../src/descriptor/indexes.ts';
import { accessSentences } from '../../../../src/descriptor/row-access-words.ts';
import { type Edit, editedContract, editedFolder } from '../../../support/edited-contract.ts';
import { contractOf } from '../../../support/service.ts';
import { workshop } from '../../../support/workshop.ts';

const TENANT = { kind: 'tenant', property: 'tenantId', claim: ['app', 'tenant'], across: 'tenants:operate' };
const resourceOf = async (key: string, edits: readonly Edit[] = []) => {
  const { resources } = edits.length > 0 ? await editedContract('workshop', edits) : await workshop();
  return { resources, resource: resources.find((one) => one.key === key)! };
};

it('a tenant is in the rules of reading, and in what they go to', async () => {
  const { resource: machine } = await resourceOf('machines');
  expect(machine.rowAccess).toEqual({ read: [{ where: TENANT }] });
  const { resource: worker } = await resourceOf('workers');
  expect(worker.rowAccess!.read![1]).toEqual({ scope: 'workers:read', where: TENANT });
  expect(worker.rowAccess!.read![2]).toMatchObject({
    where: {
      kind: 'all',
      conditions: [TENANT, { kind: 'some', condition: { conditions: [TENANT, { property: 'title' }] } }],
    },
  });
});

it('what has not the property is of no tenant', async () => {
  for (const key of ['standards', 'machines.notes']) {
    const { resource } = await resourceOf(key);
    expect(resource).not.toHaveProperty('tenant');
    expect(resource).not.toHaveProperty('rowAccess');
  }
});

it('keys and indexes begin with the tenant, but for those that follow references', async () => {
  const indexes = async (key: string) => {
    const { resource } = await resourceOf(key);
    return indexesOf(resource).map(({ columns, isUnique }) => `${isUnique ? 'unique ' : ''}${columns.join(' ')}`);
  };
  expect(await indexes('machines.jobs')).toEqual([
    'unique tenant_id machine_id title',
    'tenant_id id',
    'tenant_id machine_id id',
    'machine_id id',
    'worker_id id',
    'standby_id id',
    'tenant_id machine_id title id',
    'tenant_id worker_id title id',
    'tenant_id title worker_id id',
  ]);
  expect(await indexes('workers')).toContain('unique tenant_id email');
  expect(await indexes('standards')).toEqual([]);
});

it('the descriptions of both protocols say it in words', async () => {
  const { resources, resource } = await resourceOf('workers');
  const [words] = accessSentences(resource.rowAccess!, resources);
  expect(words).toBe(
    "Readable within the caller's tenant (`tenantId` is its `app.tenant`; with the scope `tenants:operate`, in all tenants), where its `retired` is `false`, or by callers with the scope `workers:read`, or where some job's `title` is the caller's `sub`.",
  );
  const { document, graphql } = await workshop();
  expect(JSON.stringify(document.components!.schemas!['Worker'])).toContain('within the caller');
  expect(graphql!.sdl).toContain("Readable within the caller's tenant");
});

it('a claim whose name is a URL has no path', async () => {
  const { resource } = await resourceOf('machines', [['openapi.yaml', 'app.tenant', 'https://a.example/tenant']]);
  expect(resource.tenant!.claim).toEqual(['https://a.example/tenant']);
});

it('a contract in snake_case has the same tenants in both protocols', async () => {
  const spelled: readonly Edit[] = [
    ['openapi.yaml', /\b(tenant|machine|worker|standby|standard|job|note)Id\b/g, '$1_id'],
    ['openapi.yaml', /\b(created|updated)At\b/g, '$1_at'],
    ['openapi.yaml', 'nextCursor', 'next_cursor'],
    ['openapi.yaml', 'totalCount', 'total_count'],
    ['openapi.yaml', '  version: 1.0.0', '  version: 1.0.0\n  x-naming: { case: snake_case }'],
  ];
  const { model, findings } = await editedFolder('workshop', spelled, async (folder) =>
    buildModel(await readContract(folder)),
  );
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(model!.resources[0]!.tenant).toMatchObject({ property: 'tenant_id' });
  expect(model!.graphql!.sdl).toContain("Readable within the caller's tenant (`tenantId` is its");
});

it('`x-tenant` elsewhere has no effect, which is an error', async () => {
  const edit: Edit = ['openapi.yaml', /^x-tenant: .*$/gm, ''];
  const misplaced: Edit = [
    'openapi.yaml',
    '  title: Workshop',
    '  title: Workshop\n  x-tenant: { property: tenantId, claim: t }',
  ];
  const { findings } = await editedFolder('workshop', [edit, misplaced], async (folder) =>
    buildModel(await readContract(folder)),
  );
  const found = findings.find(({ rule }) => rule === 'extension-place');
  expect(found).toMatchObject({ message: '`x-tenant` has no effect on `info`.', hint: 'Put it on the document.' });
});

it('lists of all tenants have indexes that begin with their order, where somebody may ask for them', async () => {
  const sorted = async (edits: readonly Edit[]) => {
    const { resource } = await resourceOf('machines', edits);
    return indexesOf(resource).some(({ columns }) => columns.join() === 'name,id');
  };
  expect(await sorted([['openapi.yaml', 'title: Workshop', 'title: Workshops']])).toBe(true);
  expect(await sorted([['openapi.yaml', ", across: 'tenants:operate'", '']])).toBe(false);
});

it('what all tenants see, and refers to rows of one, is warned of, and so are children that nobody sees, or that are unique over all', async () => {
  const found = async (edits: readonly Edit[]) =>
    editedFolder('workshop', edits, async (folder) => {
      const { findings } = await buildModel(await readContract(folder));
      return findings.filter(({ message }) => message.includes('tenant')).map(({ rule, message }) => [rule, message]);
    });
  const STANDARD = /(\n {4}Standard:(?:\n {6}.*)*?\n {6}properties:)/g;
  const reference = '{ type: [string, "null"], format: uuid, x-references: Machine, x-on-delete: set-null }';
  expect(await found([['openapi.yaml', STANDARD, `$1\n        machineId: ${reference}`]])).toEqual([
    [
      'tenant-reference',
      "`Standard.machineId` refers to rows of tenants, but `Standard` belongs to all of them: each sees the ids of others' rows.",
    ],
  ]);
  const unbound: Edit = ['openapi.yaml', /(\n {4}Note:\n.*\n.*\n)/g, '$1      x-unique: [[text], [machineId, text]]\n'];
  expect(await found([unbound])).toEqual([
    ['access-hidden-key', expect.stringContaining('The unique key `text` of `Note` spans all tenants')],
  ]);
  const open = await found([['openapi.yaml', /(operationId: listNotes\n.*\n {6}security:).*/g, '$1 []']]);
  expect(open).toMatchObject([['access-anonymous', expect.stringContaining('`listNotes` reads no credentials')]]);
});

it('a scope that sees all tenants has indexes for filters of few values in each order, too', async () => {
  const { resources } = await contractOf('tracker');
  const issues = resources.find(({ key }) => key === 'issues')!;
  const indexes = indexesOf(issues).map(({ columns }) => columns.join());
  expect(indexes).toEqual(
    expect.arrayContaining(['tenant_id,status,due_on,id', 'status,due_on,id', 'status,id', 'created_at,id']),
  );
});
