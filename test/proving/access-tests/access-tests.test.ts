import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { readSuite } from '../../../src/proving/access-tests/read-suite.ts';
import { runSuite, type SuiteResult } from '../../../src/proving/access-tests/run-suite.ts';
import { starterSuite } from '../../../src/proving/access-tests/starter/starter-suite.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';
import { LABORATORIES, laboratory } from '../../support/laboratory.ts';
import { contractOf } from '../../support/service.ts';

const PRACTICE = 'test/fixtures/practice';
let practice: CompiledContract;
let text: string;
beforeAll(async () => {
  practice = await contractOf('practice');
  text = await readFile(`${PRACTICE}/access.yaml`, 'utf8');
});

async function run(contract: CompiledContract, suite = text): Promise<SuiteResult> {
  const read = readSuite(suite, contract);
  expect(read.findings).toEqual([]);
  return runSuite(contract, read.suite!);
}

const changed = (key: string, change: (one: ResourceDescriptor) => ResourceDescriptor): CompiledContract => ({
  ...practice,
  resources: practice.resources.map((one) => (one.key === key ? change(one) : one)),
});

describe('tests of access', () => {
  it('pass over both protocols for the contract that they are of', async () => {
    const { findings, checks, protocols } = await run(practice);
    expect(findings).toEqual([]);
    expect(protocols).toEqual(['REST', 'GraphQL']);
    expect(checks).toBe(40);
  });

  it('of a link name the action whose rules it goes by', async () => {
    const suite =
      'callers: { ada: { sub: ada } }\nrows: {}\ntests:\n  - { who: ada, action: linkIssueLabel, expect: forbidden }\n';
    const { findings } = readSuite(suite, await contractOf('tracker'));
    expect(findings.map(({ message }) => message)).toContain(
      '`linkIssueLabel` is a link, which goes by the rules of `issueLabels.create`.',
    );
  });

  it('run over REST alone where there is no GraphQL', async () => {
    const { graphql: _, ...restOnly } = practice;
    const { findings, checks, protocols } = await run(restOnly);
    expect({ findings, checks, protocols }).toEqual({ findings: [], checks: 20, protocols: ['REST'] });
  });

  it('say who may do what they should not, on which protocols, and how to find out why', async () => {
    const lax = changed('patients', ({ rowAccess, ...one }) => {
      const { update: _, ...others } = rowAccess!;
      return { ...one, rowAccess: { ...others, read: [{}] } };
    });
    const { findings } = await run(lax);
    expect(findings.map(({ message }) => message)).toEqual([
      '`patients.list` as `stranger` is expected to list `known` and not to list `treated`, and lists `treated` over REST and GraphQL.',
      '`patients.list` as `anonymous` is expected to list `known` and not to list `treated`, and lists `treated` over REST and GraphQL.',
      '`patients.list` as `editor` is expected to list `known` and not to list `treated`, and lists `treated` over REST and GraphQL.',
      '`patients.get` of `treated` as `stranger` is expected to be not found, and is allowed over REST and GraphQL.',
      '`patients.get` of `treated` as `anonymous` is expected to be not found, and is allowed over REST and GraphQL.',
      '`patients.update` of `known` as `editor` is expected to be forbidden, and is allowed over REST and GraphQL.',
      '`patients.replace` of `elsewhere` as `editor` is expected to be forbidden, and is allowed over REST and GraphQL.',
      '`patients.replace` of `elsewhere` as `doctor` is expected to be forbidden, and is allowed over REST and GraphQL.',
      '`appointments.create` as `stranger` is expected to be not found, and is allowed over REST and GraphQL.',
    ]);
    expect(findings[0]).toMatchObject({
      rule: 'access-test',
      hint: 'The rules in words: `npm run explain -- patients.list --as \'{"sub":"stranger"}\'`.',
      location: { file: 'access.yaml', pointer: '/tests/1' },
    });
  });

  it('say what a caller does not get', async () => {
    const strict = changed('patients', (one) => ({ ...one, rowAccess: { read: [], create: [] } }));
    const messages = (await run(strict)).findings.map(({ message }) => message);
    expect(messages[0]).toContain('does not list `treated`, `known`, `elsewhere`');
    expect(messages).toContainEqual(
      expect.stringMatching(
        /`patients\.create` as `editor` is expected to be allowed, and is forbidden \(403 FORBIDDEN: /,
      ),
    );
    expect(messages).toContainEqual(
      expect.stringMatching(
        /`patients\.get` of `treated` as `doctor` is expected to be allowed, and is not found \(404/,
      ),
    );
  });

  it('find values that should be hidden', async () => {
    const shown = text.replace('note: null', 'note: told');
    const { findings } = await run(practice, shown);
    expect(findings.map(({ message }) => message)).toEqual([
      '`patients.get` of `treated` as `admin` is expected to hide `note`, and shows `note` over REST and GraphQL.',
    ]);
  });

  it('start from the same rows each, whatever the one before has changed', async () => {
    const tests = [
      '{ who: admin, action: patients.delete, row: fresh, expect: allowed }',
      '{ who: admin, action: patients.get, row: fresh, expect: allowed }',
    ];
    const suite = `${text.slice(0, text.indexOf('tests:'))}tests:\n${tests.map((one) => `  - ${one}\n`).join('')}`;
    expect(await run(practice, suite)).toMatchObject({ findings: [], checks: 4 });
  });

  it('read every page of a list', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `    p${i}: { published: true, clinicId: first }\n`).join('');
    const suite = text
      .replace('  appointments:\n', `${many}  appointments:\n`)
      .replace('[known], hidden', '[p59], hidden');
    expect((await run(practice, suite)).findings).toEqual([]);
  });
});

it('are run as docs/reference/access.md has them', async () => {
  const docs = await readFile('docs/reference/access.md', 'utf8');
  const [, example] = /```yaml\n(# yaml-language-server[^`]*?\ncallers:[^`]*)```/.exec(docs)!;
  expect(await run(practice, example)).toMatchObject({ findings: [], checks: 8 });
});

describe('faults of access.yaml', () => {
  it.each([
    [
      'action: listPatients',
      'action: listPatient',
      'The action listPatient does not exist.',
      'Did you mean `listPatients`?',
      '/tests/1/action',
    ],
    ['who: doctor,', 'who: docter,', 'There is no caller `docter`.', 'Did you mean `doctor`?', '/tests/0/who'],
    [
      '[known], hidden',
      '[knwon], hidden',
      'There is no row of patients `knwon`.',
      'Did you mean `known`?',
      '/tests/1/expect/listed',
    ],
    [
      '  appointments:',
      '  apointments:',
      'There is no resource `apointments`.',
      'Did you mean `appointments`?',
      '/rows/apointments',
    ],
    [
      'userId: $editor',
      'userId: $editr',
      'There is no caller `editr`.',
      'Did you mean `editor`?',
      '/rows/clinics.members/editor/userId',
    ],
    [
      '{ name: First,',
      '{ nam: First,',
      'There is no property of Clinic `nam`.',
      'Did you mean `name`?',
      '/rows/clinics/first/nam',
    ],
    [
      '{ null: [note] }',
      '{ null: [nota] }',
      'There is no property `nota`.',
      'Did you mean `note`?',
      '/tests/14/expect/null',
    ],
    [
      'patientId: treated, doctorId',
      'patientId: traeted, doctorId',
      'There is no row of patients `traeted`.',
      'Did you mean `treated`?',
      '/rows/appointments/today/patientId',
    ],
    [
      'row: treated, expect: allowed',
      'expect: allowed',
      'A row of `patients` is missing.',
      'Name it as `row`.',
      '/tests/2',
    ],
    [
      'expect: allowed',
      'expect: alowed',
      '`/tests/2/expect` must be equal to one of the allowed values.',
      undefined,
      '/tests/2/expect',
    ],
    ['expect: allowed', 'expects: allowed', '`/tests/2` must', undefined, '/tests/2'],
    ['callers:', 'callers: [', 'between flow sequence items', undefined, ''],
  ])('%s → %s is found with its place', (before, after, message, hint, pointer) => {
    const { suite, findings } = readSuite(text.replace(before, after), practice);
    expect(suite).toBeUndefined();
    expect(findings[0]!.message).toContain(message);
    if (hint !== undefined) expect(findings[0]!.hint).toBe(hint);
    expect(findings[0]!.location).toMatchObject({ file: 'access.yaml', pointer });
    expect(findings[0]!.location.line).toBeGreaterThan(0);
  });

  it('are rows that fit no schema', async () => {
    const { suite } = readSuite(text.replace('country: DE', 'country: Germany'), practice);
    const { findings } = await runSuite(practice, suite!);
    expect(findings[0]).toMatchObject({ rule: 'access-test-row', location: { pointer: '/rows/clinics/first' } });
  });
});

describe('npm run contract', () => {
  it('runs them as a check of its own, and fails with them', async () => {
    const passed = await runHere('scripts/contract.ts', ['--only', 'access', '--contracts', PRACTICE]);
    expect(passed).toMatchObject({
      code: 0,
      stdout: '✓ access      15 tests of access.yaml, 40 requests over REST and GraphQL\n',
    });
    const files = {
      'openapi.yaml': await readFile(`${PRACTICE}/openapi.yaml`, 'utf8'),
      'schema.graphql': await readFile(`${PRACTICE}/schema.graphql`, 'utf8'),
    };
    const absent = await withFolder(files, (folder) =>
      runHere('scripts/contract.ts', ['--only', 'access', '--contracts', folder]),
    );
    expect(absent).toMatchObject({ code: 0, stdout: '– access      not run: there is no access.yaml\n' });
    const wrong = text.replace('row: fresh, expect: allowed', 'row: fresh, expect: forbidden');
    const failed = await withFolder({ ...files, 'access.yaml': wrong }, (folder) =>
      runHere('scripts/contract.ts', ['--only', 'access', '--contracts', folder, '--format', 'json']),
    );
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject([{ piece: 'access', findings: [{ rule: 'access-test' }] }]);
  });
});

describe('tests of access where tenants are rows', () => {
  it.each(LABORATORIES)(
    'start with the rows of both tenants, so that each action is allowed to somebody: %s',
    async (_, edits) => {
      const contract = await laboratory(edits);
      const { suite } = readSuite((await starterSuite(contract))!, contract);
      const allowed = suite!.tests.filter(({ expected }) => expected.outcome === 'allowed');
      expect(new Set(allowed.map(({ resource, action }) => `${resource.key}.${action}`))).toEqual(
        new Set(suite!.tests.map(({ resource, action }) => `${resource.key}.${action}`)),
      );
      expect((await runSuite(contract, suite!)).findings).toEqual([]);
    },
  );

  it('fail where no caller belongs to a tenant that is there', async () => {
    const contract = await laboratory();
    const started = (await starterSuite(contract))!;
    const elsewhere = started.replaceAll(/ lab: "[^"]+"/g, ' lab: "019bc0de-7c00-7000-8000-0000000000ff"');
    const tests =
      '  - { who: somebody, action: people.get, row: person, expect: not found }\n  - { who: other, action: people.create, expect: not found }\n';
    const { findings } = await run(contract, `${elsewhere.slice(0, elsewhere.indexOf('\ntests:'))}\ntests:\n${tests}`);
    expect(findings.map(({ rule, severity, message }) => ({ rule, severity, message }))).toEqual(
      ['people.get', 'people.create'].map((action) => ({
        rule: 'access-test-refused',
        severity: 'error',
        message: expect.stringContaining(`\`${action}\` succeeds for no caller and no row of these tests: `),
      })),
    );
  });
});
