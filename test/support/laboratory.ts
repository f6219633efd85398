import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { type Edit, editedContract } from './edited-contract.ts';

const UUID = 'LabId: {type: string, format: uuid}';

/** How the ids of tenants are made, each with the edits that make them so; `closed`: no action creates a tenant. */
export const LABORATORIES: readonly (readonly [kind: string, edits: readonly Edit[]])[] = [
  ['uuid', []],
  ['integer', [['openapi.yaml', UUID, 'LabId: {type: integer, minimum: 1, maximum: 9007199254740991}']]],
  ['int64', [['openapi.yaml', UUID, 'LabId: {type: string, format: int64}']]],
  [
    'chosen',
    [
      ['openapi.yaml', UUID, "LabId: {type: string, pattern: '^[A-Z]{3}[0-9]{2}$', maxLength: 5}"],
      [
        'openapi.yaml',
        /required: \[name, countryId\]\n {6}properties:/g,
        "required: [id, name, countryId]\n      properties:\n        id: {$ref: '#/components/schemas/LabId'}",
      ],
      ['schema.graphql', 'input LaboratoryInput {', 'input LaboratoryInput {\n  id: ID!'],
    ],
  ],
  [
    'closed',
    [
      ['openapi.yaml', /\n {4}post:\n {6}operationId: createLaboratory\n.*\n.*/g, ''],
      ['schema.graphql', /\n {2}createLaboratory\(.*/g, ''],
      ['schema.graphql', /\n.*\n {2}laboratoryCreated.*/g, ''],
    ],
  ],
];

export const laboratory = (edits: readonly Edit[] = []): Promise<CompiledContract> =>
  editedContract('laboratory', edits);
