import { describe, expect, it } from 'vitest';
import { fixContract } from '../../../../src/authoring/fix-contract.ts';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import type { Finding } from '../../../../src/compiler/findings/finding.ts';
import { indexesOf } from '../../../../src/descriptor/indexes.ts';
import type { ResourceDescriptor } from '../../../../src/descriptor/resource.ts';
import { type Edit, editedContract } from '../../../support/edited-contract.ts';
import { filteredPayroll } from '../../../support/filtered-payroll.ts';

const OPENAPI = 'openapi.yaml';
const SDL = 'schema.graphql';
const SCHEMAS = '/components/schemas';
const ONE = "{ $ref: '#/components/schemas/EmployeeFilter' }";
const LIST = `{ type: array, maxItems: 10, items: ${ONE} }`;

/** What stands for a property of a schema in the document. */
const written = (schema: string, name: string, by: string): Edit => [
  OPENAPI,
  new RegExp(`(\\n {4}${schema}:(?:\\n {6}.*)*?)\\n {8}${name}: .*`, 'g'),
  `$1\n        ${by}`,
];
/** A field of an input written otherwise, or not at all. */
const inSdl = (input: string, name: string, by = ''): Edit => [
  SDL,
  new RegExp(`(\\ninput ${input} \\{[^}]*?)\\n {2}${name}: .*`, 'g'),
  `$1${by && `\n  ${by}`}`,
];

const errorsOf = async (edit: Edit): Promise<readonly Finding[]> => {
  const { model, findings } = await filteredPayroll([edit], (folder) => modelContract(folder));
  expect(model).toBeUndefined();
  return findings.filter(({ severity }) => severity === 'error');
};

const parameter = (from: string, to: string): Edit => [OPENAPI, from, to];

describe('what a filter cannot offer is an error with its place and what to write:', () => {
  it.each<[what: string, edit: Edit, rule: string, pointer: string, hint: string]>([
    [
      'a property that is not there',
      written('EmployeeFilter', 'badge', 'bagde: { type: string }'),
      'property',
      `${SCHEMAS}/EmployeeFilter/properties/bagde`,
      'Did you mean `badge`?',
    ],
    [
      'a value of another type',
      written('EmployeeFilter', 'salary', 'salary: { type: string }'),
      'type',
      `${SCHEMAS}/EmployeeFilter/properties/salary`,
      'Give it the type and format of the property.',
    ],
    [
      'an operator that there is not',
      written('TextFilter', 'in', 'gtt: { type: string }'),
      'operator',
      `${SCHEMAS}/TextFilter/properties/gtt`,
      'Did you mean `gt`?',
    ],
    [
      'values that are no list',
      written('TextFilter', 'in', 'in: { type: string }'),
      'type',
      `${SCHEMAS}/TextFilter/properties/in`,
      'Write a list whose items have the type and format of the property.',
    ],
    [
      'an `isNull` that is not a boolean',
      written('TextFilter', 'in', 'isNull: { type: string }'),
      'type',
      `${SCHEMAS}/TextFilter/properties/isNull`,
      'Write `isNull: { type: boolean }`.',
    ],
    [
      'an `or` that is no list',
      written('EmployeeFilter', 'or', `or: ${ONE}`),
      'style',
      `${SCHEMAS}/EmployeeFilter/properties/or`,
      `Write \`${LIST}\`.`,
    ],
    [
      'a `not` of other rows',
      written('EmployeeFilter', 'not', `not: ${ONE.replace('Employee', 'Department')}`),
      'style',
      `${SCHEMAS}/EmployeeFilter/properties/not`,
      `Write \`${ONE}\`.`,
    ],
    [
      'a reference with a schema of another name',
      written('EmployeeFilter', 'department', `department: ${ONE}`),
      'style',
      `${SCHEMAS}/EmployeeFilter/properties/department`,
      "Write `$ref: '#/components/schemas/DepartmentFilter'`, the name of GraphQL's input.",
    ],
    [
      'a list of another word',
      written('DepartmentFilter', 'employees', 'employees: { $ref: "#/components/schemas/TextFilter" }'),
      'style',
      `${SCHEMAS}/DepartmentFilter/properties/employees`,
      'Refer to an object `EmployeeListFilter` with the properties `some` and `none`, each an `EmployeeFilter`.',
    ],
    [
      'an open object',
      parameter(
        'TextFilter:\n      type: object\n      additionalProperties: false',
        'TextFilter:\n      type: object',
      ),
      'style',
      `${SCHEMAS}/TextFilter`,
      'Write `type: object`, `additionalProperties: false`, and `properties`.',
    ],
    [
      'a parameter with a property that its reference has not',
      parameter('              salary: {', '              salery: {'),
      'property',
      '/paths/~1employees/get/parameters/7/schema/properties/salery',
      'Did you mean `salary`?',
    ],
  ])('%s', async (_, edit, rule, pointer, hint) => {
    const [found, ...others] = await errorsOf(edit);
    expect(others).toEqual([]);
    expect([found!.rule, found!.location.pointer, found!.hint]).toEqual([`filter-${rule}`, pointer, hint]);
    expect(found!.location.file).toBe(OPENAPI);
    expect(found!.location.line).toBeGreaterThan(60);
  });
});

describe('a parameter and the condition of the same name, which GraphQL has one filter for, take the same values:', () => {
  const NAMED = `\n        - { name: name, in: query, SCHEMA }`;
  it.each<[what: string, schema: string, condition: string, message: string]>([
    [
      'of one value',
      'schema: { type: string, minLength: 2, maxLength: 80 }',
      'name: { type: string, minLength: 3, maxLength: 80 }',
      '`name` of `listEmployees` accepts other values than the condition of the same name in `EmployeeFilter`, and GraphQL has one filter for both: their `minLength` differ.',
    ],
    [
      'of an operator',
      'style: deepObject, schema: { type: object, additionalProperties: false, properties: { contains: { type: string, minLength: 3, maxLength: 80 } } }',
      'name: { type: object, additionalProperties: false, properties: { contains: { type: string, minLength: 3, maxLength: 90 } } }',
      '`name[contains]` of `listEmployees` accepts other values than the condition of the same name in `EmployeeFilter`, and GraphQL has one filter for both: their `maxLength` differ.',
    ],
    [
      'of several values',
      'explode: false, schema: { type: array, maxItems: 5, items: { type: string, minLength: 1, maxLength: 80 } }',
      'name: { type: object, additionalProperties: false, properties: { in: { type: array, maxItems: 9, items: { type: string, minLength: 1, maxLength: 80 } } } }',
      '`name` of `listEmployees` accepts other values than the condition of the same name in `EmployeeFilter`, and GraphQL has one filter for both: their `maxItems` differ.',
    ],
  ])('%s', async (_what, schema, condition, message) => {
    const edits: readonly Edit[] = [
      [OPENAPI, /(operationId: listEmployees[\s\S]*?parameters:)/g, `$1${NAMED.replace('SCHEMA', schema)}`],
      written('EmployeeFilter', 'name', condition),
    ];
    const { findings } = await filteredPayroll(edits, (folder) => modelContract(folder));
    const found = findings.filter(({ rule }) => rule === 'filter-type');
    expect(found).toMatchObject([{ severity: 'error', message, hint: 'Refer to the same schema in both.' }]);
    expect(found[0]?.location).toMatchObject({ pointer: '/paths/~1employees/get/parameters/0/schema' });
  });
});

describe('what only one protocol offers is an error with the line to add:', () => {
  it.each<[fact: string, edit: Edit, text: string]>([
    ['EmployeeFilter.badge', inSdl('EmployeeFilter', 'badge'), 'badge: String'],
    ['EmployeeFilter.or', inSdl('EmployeeFilter', 'or'), 'or: [EmployeeFilter!]'],
    ['TextFilter.in', inSdl('TextFilter', 'in'), 'in: [String!]'],
    ['EmployeeListFilter.none', inSdl('EmployeeListFilter', 'none'), 'none: EmployeeFilter'],
    ['EmployeeFilter.department', inSdl('EmployeeFilter', 'department'), 'department: DepartmentFilter'],
    ['EmployeeFilter.badge', inSdl('EmployeeFilter', 'badge', 'badge: Int'), 'String'],
  ])('%s', async (fact, edit, text) => {
    const [found, ...others] = await errorsOf(edit);
    expect(others).toEqual([]);
    expect(found!.rule).toBe('parity-input');
    expect(found!.message).toContain(`\`${fact}\``);
    expect(found!.fix?.text.trim()).toBe(text);
  });

  it('EmployeeFilter.level, which --fix adds to the document', async () => {
    const level = / {8}level: \{ \$ref: '#\/components\/schemas\/Level' \}\n(?= {8}departmentId: .*\n {8}department:)/g;
    await filteredPayroll([[OPENAPI, level, '']], async (folder) => {
      const { findings } = await modelContract(folder);
      const [found] = findings.filter(({ severity }) => severity === 'error');
      expect(found).toMatchObject({ rule: 'parity-input', hint: expect.stringContaining('`--fix` does if it can') });
      expect(found?.message).toContain('`EmployeeFilter.level`');
      await fixContract(folder);
      const fixed = await modelContract(folder);
      expect(fixed.model).toBeDefined();
      expect(fixed.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    });
  });

  it('a parameter of a reference, whose list names where', async () => {
    const found = await errorsOf(inSdl('EmployeeFilter', 'mentor'));
    const messages = found.map(({ rule, message }) => `${rule} ${message}`);
    for (const list of ['Query.employees', 'Department.employees', 'Employee.mentored'])
      expect(messages).toContain(
        `parity-filter \`${list} mentor[salary]\`: REST says \`Int\`, GraphQL does not have it.`,
      );
  });
});

it('what a filter offers has indexes, on whatever it goes to', async () => {
  const indexes = (resources: readonly ResourceDescriptor[]): readonly string[] =>
    resources.flatMap((one) => indexesOf(one).map(({ columns }) => `${one.key}: ${columns.join(' ')}`));
  const { model } = await filteredPayroll([], (folder) => modelContract(folder));
  const before = new Set(indexes((await editedContract('payroll', [])).resources));
  const added = indexes(model!.resources).filter((index) => !before.has(index));
  expect(added).toEqual(['departments: name id', 'employees: user_id id', 'employees: badge id']);
});
