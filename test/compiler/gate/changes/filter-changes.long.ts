import { expect, it } from 'vitest';
import type { Change } from '../../../../src/compiler/gate/changes/change.ts';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { type Edition, readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import type { Edit } from '../../../support/edited-contract.ts';
import { filteredPayroll } from '../../../support/filtered-payroll.ts';

const OPENAPI = 'openapi.yaml';
const SDL = 'schema.graphql';

const edition = async (edits: readonly Edit[]): Promise<Edition> => {
  const { edition: read, findings } = await filteredPayroll(edits, readEdition);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return read!;
};

const released = edition([]);

/** A line less in a schema of the document, and in GraphQL's input of the same name. */
const without = (schema: string, name: string): readonly Edit[] => [
  [OPENAPI, new RegExp(`(\\n {4}${schema}:(?:\\n {6}.*)*?)\\n {8}${name}: .*`, 'g'), '$1'],
  [SDL, new RegExp(`(\\ninput ${schema} \\{[^}]*?)\\n {2}${name}: .*`, 'g'), '$1'],
];

/** What has a line less, by its two sides: all are edited at once, as each comparison takes a second. */
const LESS = {
  'a property': ['EmployeeFilter', 'badge'],
  'a reference': ['EmployeeFilter', 'department'],
  'a word that combines': ['EmployeeFilter', 'or'],
  'an operator': ['TextFilter', 'in'],
  'a list': ['DepartmentFilter', 'employees'],
  'a word of lists': ['EmployeeListFilter', 'none'],
} as const;

const MENTOR = /\n {8}- name: mentor\n(?: {10}.*\n)*? {14}salary: .*/g;
const MENTORS_SALARY: Edit = [OPENAPI, /(- name: mentor\n(?: {10}.*\n)*?) {14}salary: .*\n/g, '$1'];

async function changes(edits: readonly Edit[]) {
  const [before, less] = [await released, await edition(edits)];
  const said = (all: readonly Change[]) =>
    all.map(({ impact, area, subject }) => `${impact} ${area} ${subject}`).toSorted();
  return { less: said(await changesBetween(before, less)), more: said(await changesBetween(less, before)) };
}

it('a condition less is breaking, one more is not', async () => {
  const subjects = Object.values(LESS).map((coordinate) => coordinate.join('.'));
  const { less, more } = await changes(Object.values(LESS).flatMap(([schema, name]) => without(schema, name)));
  const sides = subjects.flatMap((one) => [`rest ${one}`, `graphql ${one}`]);
  expect(less).toEqual(sides.map((one) => `major ${one}`).toSorted());
  expect(more).toEqual(sides.map((one) => `minor ${one}`).toSorted());
});

it.each<[what: string, edit: Edit, subject: string]>([
  ['a parameter named for a reference', [OPENAPI, MENTOR, ''], 'listEmployees.mentor'],
  ['a property of one', MENTORS_SALARY, 'listEmployees.mentor.salary'],
])('%s less is breaking, one more is not', async (_, edit, subject) => {
  const { less, more } = await changes([edit]);
  expect(less).toEqual([`major rest ${subject}`]);
  expect(more).toEqual([`minor rest ${subject}`]);
});

it('fewer alternatives, and values of fewer characters, are breaking', async () => {
  const { less, more } = await changes([
    [OPENAPI, 'or: { type: array, maxItems: 10', 'or: { type: array, maxItems: 5'],
    [OPENAPI, 'badge: { type: string, maxLength: 20 }', 'badge: { type: string, maxLength: 10 }'],
  ]);
  expect(less).toEqual(['major rest EmployeeFilter.badge', 'major rest EmployeeFilter.or']);
  expect(more).toEqual(['minor rest EmployeeFilter.badge', 'minor rest EmployeeFilter.or']);
});
