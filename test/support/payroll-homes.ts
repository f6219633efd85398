import { ContractFiles } from '../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../src/authoring/sync-contract.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { type Edit, editedFolder } from './edited-contract.ts';

const OPENAPI = 'openapi.yaml';
const home = (schema: string, more = ''): string =>
  `\n        home:\n          anyOf: [{ $ref: '#/components/schemas/${schema}' }, { type: 'null' }]${more}`;
const READERS = '\n          x-access: { read: [{ scope: staff:admin }, { where: { userId: $claims.sub } }] }';
const propertyOf = (schema: string, text: string): Edit => [
  OPENAPI,
  new RegExp(`(\\n    ${schema}:\\n(?:      .*\\n)*?      properties:)`, 'g'),
  `$1${text}`,
];

/** The payroll, where an employee has an address that only the admin and the employee read, and all may write. */
export const payrollWithHomes = (): Promise<CompiledContract> =>
  editedFolder(
    'payroll',
    [
      [OPENAPI, '\n        salary:\n', `${home('Home', READERS)}\n        salary:\n`],
      propertyOf('EmployeeInput', home('Home')),
      propertyOf('EmployeePatch', home('HomePatch')),
      [
        OPENAPI,
        '\n    EmployeeInput:',
        `
    Home:
      type: object
      required: [city]
      properties:
        city: { type: string, minLength: 1, maxLength: 40 }
        street: { type: string, minLength: 1, maxLength: 40 }
    HomePatch:
      type: object
      properties:
        city: { type: string, minLength: 1, maxLength: 40 }
        street: { type: [string, 'null'], minLength: 1, maxLength: 40 }
    EmployeeInput:`,
      ],
    ],
    async (folder) => {
      const files = await ContractFiles.open(folder);
      const outcome = await synchronise(files, { contracts: folder, connections: [] });
      if (outcome.kind !== 'synced') throw new Error(JSON.stringify(outcome, undefined, 1));
      await files.save();
      const { model, findings } = await modelContract(folder);
      if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
      return model;
    },
  );
