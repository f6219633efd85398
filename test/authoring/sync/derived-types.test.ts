import { expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';

const wider: Edit = ['openapi.yaml', 'maximum: 100000000 }, lte', 'maximum: 10000000000 }, lte'];

it('a filter that takes more integers than its property has gets the type that parity asks for', () =>
  editedFolder('clinic', [wider], async (folder) => {
    const files = await ContractFiles.open(folder);
    expect(await synchronise(files, { contracts: folder })).toMatchObject({ kind: 'synced', findings: [] });
    expect(await files.read('schema.graphql')).toMatch(/gte: SafeInt\s[\s\S]*?lte: Int\s/);
  }));

it('a field that a type and its input have of one schema is derived once', () =>
  editedFolder(
    'library',
    [['library.graphql', '  depthMm: Int\n}', '  depthMm: Int\n  lengthMm: Int\n}']],
    async (folder) => {
      const files = await ContractFiles.open(folder);
      expect(await synchronise(files, { contracts: folder })).toMatchObject({ kind: 'synced', findings: [] });
      const document = await files.read('openapi.yaml');
      expect(document?.match(/lengthMm:/g)).toHaveLength(2);
    },
  ));
