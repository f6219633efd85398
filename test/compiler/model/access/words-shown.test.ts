import { describe, expect, it } from 'vitest';
import { ContractFiles } from '../../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../../src/authoring/sync-contract.ts';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import type { ContractModel } from '../../../../src/compiler/model/model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { buildSite } from '../../../../src/readers/build-site.ts';
import { contentAt } from '../../../../src/runtime/site/site.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

/** The Markdown of the pages of a contract, by name. */
async function pagesOf(model: ContractModel): Promise<(name: string) => Promise<string>> {
  const files = await buildSite({ model, parity: [], contracts: 'nowhere' });
  return async (name) => String(await contentAt(files, `docs/${name}.md`));
}

const OPENAPI = 'openapi.yaml';
const SDL = 'schema.graphql';

const modelled = (edits: readonly Edit[]) =>
  editedFolder('practice', edits, async (folder) => buildModel(await readContract(folder)));

async function modelOf(edits: readonly Edit[] = []): Promise<ContractModel> {
  const { model, findings } = await modelled(edits);
  expect(findings).toEqual([]);
  return model!;
}

const READ =
  "Readable by callers with the scope `patients:admin`, or where some appointment's `doctorId` is the caller's `sub`, or where its `published` is `true`.";

/** The practice in snake_case; the names of operations and scopes have none. */
const SNAKE_CASE: readonly Edit[] = [
  [OPENAPI, '  version: 1.0.0', '  version: 1.0.0\n  x-naming: { case: snake_case }'],
  ...[
    'createdAt',
    'updatedAt',
    'nextCursor',
    'totalCount',
    'clinicId',
    'memberId',
    'patientId',
    'appointmentId',
    'doctorId',
    'userId',
  ].map(
    (name): Edit => [
      OPENAPI,
      new RegExp(`\\b${name}\\b`, 'g'),
      name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
    ],
  ),
];

describe('the rules of rows in words', () => {
  it('are in the descriptions of both protocols', async () => {
    const { graphql, document } = await modelOf();
    expect(graphql!.sdl).toMatch(/"""\nA patient\.\n\nReadable by[^"]+"""\ntype Patient \{/);
    expect(graphql!.sdl).toContain(READ);
    expect(document.components?.schemas?.['Patient']).toMatchObject({ description: expect.stringContaining(READ) });
    expect(document.components?.schemas?.['Clinic']).not.toHaveProperty('description');
  });

  it('are in the documentation', async () => {
    const model = await modelOf();
    const page = await pagesOf(model);
    const access = await page('access');
    expect(access).toContain(`- \`Patient\`: ${READ}`);
    expect(access).toContain('[`Patient`](resources/Patient.md) †');
    expect(access).toContain('[`Clinic`](resources/Clinic.md) |');
    expect(await page('resources/Patient')).toContain(`\n${READ}\n`);
  });

  it('have the names of each protocol', async () => {
    const { graphql, document, resources } = await modelOf(SNAKE_CASE);
    expect(graphql!.sdl).toContain(READ);
    expect(document.components?.schemas?.['Patient']).toMatchObject({
      description: expect.stringContaining(READ.replace('doctorId', 'doctor_id')),
    });
    const patients = resources.find(({ key }) => key === 'patients');
    expect(patients?.rowAccess?.create?.[0]?.where).toMatchObject({ kind: 'reference', property: 'clinic_id' });
  });
});

describe('beside rules of rows', () => {
  it('a reference to what may be hidden is nullable', async () => {
    const { findings } = await modelled([[SDL, '  patient: Patient\n', '  patient: Patient!\n']]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'parity-reference',
        also: expect.objectContaining({ pointer: 'Appointment.patient' }),
      }),
    );
  });

  it('sync leaves them as they are', async () => {
    const edit: Edit = [SDL, '  note: String\n', '  note: String\n  nickname: String\n'];
    const written = await editedFolder('practice', [edit], async (folder) => {
      const files = await ContractFiles.open(folder);
      await synchronise(files, { contracts: folder });
      return await files.read(OPENAPI);
    });
    expect(written).toContain('nickname');
    expect(written).toContain('# her patients');
    expect(written).toContain('x-inverse: appointments');
  });
});

describe('the rules of properties in words', () => {
  const SALARY =
    "Null unless readable by callers with the scope `staff:admin`, or by callers with the scope `staff:audit`, or where its `userId` is the caller's `sub`.";

  it('are in the descriptions of both protocols', async () => {
    const { model } = await editedFolder('payroll', [], async (folder) => buildModel(await readContract(folder)));
    const { graphql, document } = model!;
    expect(graphql!.sdl).toContain(`"""\n  ${SALARY}\n  \n  Can be written by callers with the scope`);
    expect(graphql!.sdl).toMatch(
      /"""\n {2}What the head of the department thinks\.\n {2}\n {2}Null unless readable where/,
    );
    expect(document.components?.schemas?.['Employee']).toMatchObject({
      properties: { salary: { description: expect.stringContaining(SALARY) } },
    });
  });

  it('are in the documentation', async () => {
    const { model } = await editedFolder('payroll', [], async (folder) => buildModel(await readContract(folder)));
    const page = await pagesOf(model!);
    expect(await page('access')).toMatch(
      /\| `Employee\.level` \| – \| by callers with the scope `staff:admin`, or where/,
    );
    expect(await page('resources/Employee')).toContain(`- \`salary\`: ${SALARY}`);
  });
});
