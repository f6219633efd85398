import { expect, it } from 'vitest';
import { conventionChanges } from '../../../../src/compiler/gate/changes/convention-changes.ts';
import { type Edition, readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const edition = async (edits: readonly Edit[], contract = 'practice'): Promise<Edition> =>
  (await editedFolder(contract, edits, readEdition)).edition!;

/** What the gate says of rows when the rules of patients change from one text to another. */
async function changes(text: string | RegExp, by: string): Promise<readonly string[]> {
  const [released, current] = [await edition([]), await edition([['openapi.yaml', text, by]])];
  return conventionChanges(released, current)
    .filter(({ rule }) => rule.startsWith('row-access'))
    .map(({ impact, rule, message, location }) => `${impact} ${rule} ${location.pointer}: ${message}`);
}

const PUBLISHED = '          - where: { published: true }';
const AT = '/components/schemas/Patient';

it.each<[what: string, text: string | RegExp, by: string, found: readonly string[]]>([
  ['the same rules', /# her patients/g, '# theirs', []],
  [
    'an alternative more',
    PUBLISHED,
    `          - where: { beds: 1 }\n${PUBLISHED}`,
    [`minor row-access-widened ${AT}`],
  ],
  ['an alternative less', /^ +- where: \{ published: true \}.*$/gm, '', [`major row-access-narrowed ${AT}`]],
  ['another condition', '{ published: true }', '{ published: false }', [`major row-access-changed ${AT}`]],
  [
    'a scope beside a condition',
    '- where: { published: true }',
    '- { scope: patients:admin, where: { published: true } }',
    [`major row-access-narrowed ${AT}`],
  ],
  [
    'no scope beside a condition any more',
    '{ scope: patients:admin, where: { published: false } }',
    '{ where: { published: false } }',
    [`minor row-access-widened ${AT}`],
  ],
  ['no rule any more', /^ +delete: \[\{.*$/gm, '', [`minor row-access-widened ${AT}`]],
])('%s', async (_, text, by, found) => {
  expect((await changes(text, by)).map((change) => change.replace(/:.*/, ''))).toEqual(found);
});

it('says the rule that there is now', async () => {
  expect(await changes('{ scope: patients:admin, where: { published: false } }', '{ scope: patients:admin }')).toEqual([
    `minor row-access-widened ${AT}: Patient has another rule. Can be deleted by callers with the scope \`patients:admin\`.`,
  ]);
  expect(await changes(/^ +delete: \[\{.*$/gm, '')).toEqual([
    `minor row-access-widened ${AT}: Patient has another rule. Can be deleted by all callers that \`security\` admits.`,
  ]);
});

const SALARY = '/components/schemas/Employee/properties/salary';
const HERSELF = ", { where: { userId: $claims.sub } }]\n            write: [{ scope: 'staff:admin' }]";

it.each<[what: string, text: string, by: string, found: readonly string[]]>([
  ['a reader less', HERSELF, HERSELF.replace(/^.*\n/, ']\n'), [`major field-access-narrowed ${SALARY}`]],
  ['a reader more', HERSELF, `, { where: { name: Ann } }${HERSELF}`, [`minor field-access-widened ${SALARY}`]],
  ['another writer', HERSELF, HERSELF.replace('staff:admin', 'staff:audit'), [`major field-access-changed ${SALARY}`]],
  ['no rule of writing any more', HERSELF, HERSELF.replace(/\n.*$/, ''), [`minor field-access-widened ${SALARY}`]],
])('of a property, %s', async (_, text, by, found) => {
  const [released, current] = [await edition([], 'payroll'), await edition([['openapi.yaml', text, by]], 'payroll')];
  const changed = conventionChanges(released, current).filter(({ rule }) => rule.startsWith('field-access'));
  expect(changed.map(({ impact, rule, location }) => `${impact} ${rule} ${location.pointer}`)).toEqual(found);
});
