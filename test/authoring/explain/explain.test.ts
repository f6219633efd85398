import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openAskedDatabase } from '../../../src/authoring/explain/asked-database.ts';
import { ANONYMOUS, type AskedCaller, callerWith, kindsOfCaller } from '../../../src/authoring/explain/callers.ts';
import { Explainer } from '../../../src/authoring/explain/explain-action.ts';
import type { Explanation } from '../../../src/authoring/explain/explanation.ts';
import { formatExplanation } from '../../../src/authoring/explain/format-explanation.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { findAction } from '../../../src/tools/find-action.ts';
import { runHere } from '../../support/command.ts';
import { databases } from '../../support/databases.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { head, STAFF, startPayroll } from '../../support/payroll.ts';
import { hasPostgres, makeDatabase, SERVER } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';

let practice: CompiledContract;
beforeAll(async () => {
  practice = await contractOf('practice');
});

async function explain(
  name: string,
  caller: AskedCaller,
  database = 'sqlite',
  contract = practice,
): Promise<Explanation> {
  const asked = await openAskedDatabase(database, contract.resources);
  try {
    return await new Explainer(contract, asked).explain(findAction(contract, name), caller);
  } finally {
    await asked.close();
  }
}

const ada = callerWith({ sub: 'ada' });
const admin = callerWith({ sub: 'ada', scope: 'patients:admin' });

describe('an explanation', () => {
  it('says what the claims make of each alternative, in the order in which the engine asks', async () => {
    const { rules, security } = await explain('patients.update', ada);
    expect(security.admits).toBe(true);
    expect(rules.map(({ rule, holds }) => [rule, holds])).toEqual([
      ['x-access.read', 'depending on the row'],
      ['x-access.update', 'depending on the row'],
    ]);
    expect(rules[0]!.alternatives).toEqual([
      {
        words: 'by callers with the scope `patients:admin`',
        holds: 'for no row',
        lacks: ['the scope `patients:admin`'],
      },
      { words: "where some appointment's `doctorId` is the caller's `sub`", holds: 'depending on the row', lacks: [] },
      { words: 'where its `published` is `true`', holds: 'depending on the row', lacks: [] },
    ]);
  });

  it('says what the caller reads and writes of the properties that have rules', async () => {
    const payroll = await contractOf('payroll');
    const explained = await explain(
      'employees.update',
      callerWith({ sub: 'ada', scope: 'staff:audit' }),
      'sqlite',
      payroll,
    );
    const of = (name: string) =>
      explained.properties.filter(({ resource }) => resource === name).map(({ rule, holds }) => [rule, holds]);
    expect(of('Employee.salary')).toEqual([
      ['x-access.write', 'for no row'],
      ['x-access.read', 'for all rows'],
    ]);
    expect(of('Employee.level')).toEqual([['x-access.write', 'depending on the row']]);
    expect(formatExplanation(explained, 'sqlite')).toContain(
      'Properties\n  Employee.salary, `x-access.write`, on the row before and after the change:\n    no   by callers',
    );
    const answers = explained.refusals.map(({ answer }) => answer);
    expect(answers).toEqual(expect.arrayContaining(['403 FORBIDDEN, with its pointer', 'the property is null']));
    const listed = await explain('employees.list', ada, 'sqlite', payroll);
    expect(listed.refusals.map(({ answer }) => answer)).toContain('403 FORBIDDEN, with the parameter');
    expect((await explain('employees.delete', ada, 'sqlite', payroll)).properties).toEqual([]);
  });

  it('has the statement that is executed, with its values and the indexes that serve it', async () => {
    const { statements } = await explain('listPatients', ada);
    expect(statements).toHaveLength(1);
    expect(statements[0]!.sql).toContain(
      `where ("patients"."id" in (select "related_1_"."patient_id" from "appointments" as "related_1_" where "related_1_"."doctor_id" = 'ada') or "patients"."published" = 1)`,
    );
    expect(statements[0]!.sql).toMatch(/ limit 21$/);
    expect(statements[0]!.values).toEqual(['ada', 1]);
    expect(statements[0]!.plan.join()).toContain('appointments_doctor_id_patient_id_id_index');
    const all = await explain('patients.list', admin);
    expect(all.statements[0]!.sql).not.toContain('where');
    expect(all.rules[0]!.holds).toBe('for all rows');
  });

  const HEADED: Readonly<Record<string, RegExp>> = {
    sqlite:
      /^select "position_" from \(select cast\(json_extract\(value, '\$\[0\]'\) as text\) as "id", .*, key as position_ from json_each\(:rows\)\) as "employees" where exists \(select 1 from "departments" as "related_1_" where "related_1_"\."id" = "employees"\."department_id" and "related_1_"\."head_id" = 'ada'\)$/,
    postgres:
      /^select "position_" from \(select .* from jsonb_array_elements\(:rows::jsonb\) .*\) as "employees" where exists \(select 1 from "departments" as "related_1_" where "related_1_"\."id" = "employees"\."department_id" and "related_1_"\."head_id" = 'ada'\)$/,
  };

  it.each(['sqlite', 'postgres'])('has the SQL that asks for rules of properties, on %s', async (database) => {
    const payroll = await contractOf('payroll');
    const asked = async (action: string, caller = ada) =>
      (await explain(action, caller, database, payroll)).statements
        .filter(({ reads }) => reads.includes('`'))
        .map(({ reads, sql }) => [reads, sql]);
    const headed = expect.stringMatching(HEADED[database]!);
    const shown = ['the rows that show `notes`, of those that are answered', headed];
    expect(await asked('employees.list')).toEqual([shown]);
    expect(await asked('employees.get')).toEqual([shown]);
    expect(await asked('employees.update')).toEqual([
      ['the rows whose `notes` and `level` may be written, of those before and after the change', headed],
      shown,
    ]);
    expect(await asked('employees.create')).toEqual([
      ['the rows whose `notes` and `level` may be written, of the new one', headed],
      shown,
    ]);
    expect(await asked('employees.delete')).toEqual([]);
    // Every level is theirs to write, and no more of the notes.
    expect((await asked('employees.update', callerWith({ sub: 'ada', scope: 'staff:admin' })))[0]).toEqual([
      'the rows whose `notes` may be written, of those before and after the change',
      headed,
    ]);
    expect(await asked('employees.list', ANONYMOUS)).toEqual([]);
  });

  it('has the SQL for rules of properties as the engine executes it', async () => {
    const service = await startPayroll(databases[0]!);
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const url = `/v1/employees/${STAFF.ann.id}`;
    const requests = [
      ['employees.get', () => service.request('GET', url, { as: head })],
      ['employees.update', () => service.request('PATCH', url, { as: head, body: { notes: 'late' } })],
    ] as const;
    for (const [action, ask] of requests) {
      expect((await ask()).status).toBe(200);
      const executed = prepared.mock.calls.map(([sql]) => sql);
      const { statements } = await explain(action, callerWith({ sub: 'head' }), 'sqlite', service.contract);
      const explained = statements.filter(({ sql }) => sql.includes(':rows'));
      expect(explained.length).toBe(action === 'employees.get' ? 1 : 2);
      for (const { sql } of explained) expect(executed).toContain(sql.replace(':rows', '?').replaceAll("'head'", '?'));
    }
    prepared.mockRestore();
    await service.close();
  });

  it.runIf(hasPostgres)('has the plan of Postgres for rules of properties', async () => {
    const url = await makeDatabase();
    const { statements } = await explain('employees.get', ada, url, await contractOf('payroll'));
    expect(statements.at(-1)!.plan.join('\n')).toContain('Index Scan using departments_pkey on departments');
  });

  it('says which rules of properties the row itself tells, for which there is no SQL', async () => {
    const explained = await explain('employees.get', ada, 'sqlite', await contractOf('payroll'));
    expect(explained.properties.map(({ resource, toldBy }) => [resource, toldBy])).toEqual([
      ['Employee.salary', 'the row'],
      ['Employee.notes', 'the database'],
      ['Employee.badge', undefined],
      ['Employee.mentorId', 'the row'],
    ]);
    const text = formatExplanation(explained, 'SQLite');
    expect(text).toContain(
      "    rows where its `userId` is the caller's `sub`\n    The row itself decides, without SQL.\n",
    );
    expect(text).toContain(
      '  -- the rows that show `notes`, of those that are answered\n  select "position_"\n' +
        '  from (select …, key as position_ from json_each(:rows)) as "employees"\n  where exists (select 1 from "departments" as ',
    );
    expect(text.match(/without SQL/g)).toHaveLength(2);
  });

  it.each([
    ['patients', 'practice', ada],
    ['employees', 'payroll', ada],
  ])(
    'of a change of %s reads no table as a whole on SQLite, also for rules that no list asks',
    async (name, contract, caller) => {
      const { statements } = await explain(`${name}.update`, caller, 'sqlite', await contractOf(contract));
      const plans = statements.map(({ plan }) => plan.join('; '));
      expect(plans.filter((plan) => /SCAN (?!json_each)/.test(plan))).toEqual([]);
      expect(plans.filter((plan) => plan.includes('SEARCH related_1_ EXISTS')).length).toBeGreaterThan(0);
    },
  );

  it('names what only a request knows by its path parameter', async () => {
    const { statements } = await explain('clinics.members.get', ada);
    expect(statements.map(({ sql }) => sql.replace(/select .* from "/, 'from "'))).toEqual([
      'from "clinics" where "id" = :clinicId',
      'from "clinics_members" where "id" = :memberId and "clinic_id" = :clinicId',
    ]);
  });

  it('has the SQL of Postgres, without a plan where there is no database', async () => {
    const { statements } = await explain('patients.list', ANONYMOUS, 'postgres');
    expect(statements[0]!.sql).toContain(`where "published" = 'true'`);
    expect(statements[0]!.plan).toEqual([]);
  });

  it.runIf(hasPostgres)('has the plan of Postgres from a database made for it, which is dropped', async () => {
    const url = await makeDatabase();
    const { statements } = await explain('patients.list', ada, url);
    expect(statements[0]!.plan.join('\n')).toContain('appointments_doctor_id_patient_id_id_index');
  });

  it('says which scopes are missing, and executes nothing for a caller whom `security` refuses', async () => {
    const refused = await explain('clinics.update', ada);
    expect(refused.security).toEqual({
      admits: false,
      alternatives: [{ isAnonymous: false, scopes: ['clinics:write'], lacks: ['the scope `clinics:write`'] }],
    });
    expect(refused.statements).toEqual([]);
    expect(formatExplanation(refused, 'SQLite')).toContain('It may not call this at all');
  });

  it('names claims that are missing, or of another type', async () => {
    const { rules } = await explain('patients.get', ANONYMOUS);
    expect(rules[0]!.alternatives[1]).toMatchObject({ holds: 'for no row', lacks: ['the claim `sub`'] });
  });

  it('follows `x-owner` and the parents of a sub-resource', async () => {
    const storefront = await contractOf('contracts');
    const caller = callerWith({ sub: '019bc0de-7c00-7000-8000-00000000000a', scope: 'orders:write' });
    const { rules, statements, refusals } = await explain('orders.items.create', caller, 'sqlite', storefront);
    expect(rules.map(({ resource, rule, holds }) => [resource, rule, holds])).toEqual([
      ['Order', 'x-owner', 'depending on the row'],
    ]);
    expect(statements[0]!.sql).toContain(
      `where "id" = :orderId and "user_id" = '019bc0de-7c00-7000-8000-00000000000a'`,
    );
    expect(refusals.map(({ answer }) => answer)).toContain('404 NOT_FOUND');
  });

  it('follows `x-tenant`', async () => {
    const workshop = await contractOf('workshop');
    const tenant = '019bc0de-7c00-7000-8000-0000000000aa';
    const caller = callerWith({ sub: 'ada', app: { tenant } });
    const { rules, statements } = await explain('machines.list', caller, 'sqlite', workshop);
    expect(rules.map(({ rule, holds }) => [rule, holds])).toEqual([['x-tenant', 'depending on the row']]);
    expect(rules[0]!.alternatives[0]!.words).toMatch(/^within the caller's tenant \(`tenantId` is its `app\.tenant`/);
    expect(statements[0]!.sql).toContain(tenant);
    const lacking = await explain('machines.list', ada, 'sqlite', workshop);
    expect(lacking.rules[0]!.alternatives[0]).toMatchObject({ holds: 'for no row', lacks: ['the claim `app.tenant`'] });
  });

  it.each(['sqlite', 'postgres'])('keeps statements on %s within the tenant, also below its rows', async (database) => {
    const workshop = await contractOf('workshop');
    const tenant = '019bc0de-7c00-7000-8000-0000000000aa';
    const caller = callerWith({ sub: 'ada', app: { tenant } });
    const { statements } = await explain('machines.notes.get', caller, database, workshop);
    expect(statements.at(-1)!.sql).toMatch(/exists \(select 1 from "machines" as "related_1_" where .*"tenant_id" = /);
    expect(statements.at(-1)!.sql).toContain(tenant);
  });

  it.skipIf(!hasPostgres)('plans statements on tables in the layout that is set', async () => {
    const workshop = await contractOf('workshop');
    const tenant = '019bc0de-7c00-7000-8000-0000000000aa';
    const caller = callerWith({ sub: 'ada', app: { tenant } });
    vi.stubEnv('DATABASE_LAYOUT', 'tenants/2');
    const { statements } = await explain('machines.notes.get', caller, SERVER, workshop);
    vi.unstubAllEnvs();
    const { sql, plan } = statements.at(-1)!;
    expect(sql).toContain(`"tenant_" = '${tenant}'`);
    expect(new Set(plan.join().match(/machines_notes_p\d/g))).toHaveProperty('size', 1);
  });

  it('has the rules of creating and deleting the joining row for a link', async () => {
    const tracker = await contractOf('tracker');
    const caller = callerWith({ sub: 'ada', scope: '', tenant: 'acme' });
    const { action, operationId, rules } = await explain('unlinkIssueLabel', caller, 'sqlite', tracker);
    expect([action, operationId]).toEqual(['issueLabels.delete', 'unlinkIssueLabel']);
    expect(JSON.stringify(rules)).toContain('x-access.delete');
  });

  it('names the rule of tenants apart from `x-access`, which holds within it', async () => {
    const tracker = await contractOf('tracker');
    const caller = callerWith({ sub: 'ada', scope: 'teams:write', tenant: '019bc0de-7c00-7000-8000-0000000000aa' });
    const { rules } = await explain('teams.get', caller, 'sqlite', tracker);
    expect(rules.map(({ rule, alternatives }) => [rule, alternatives.map(({ words }) => words)])).toEqual([
      ['x-tenant', [expect.stringMatching(/^within the caller's tenant \(`tenantId` is its `\w+`/)]],
      [
        'x-access.read',
        [
          'by callers with the scope `tracker:operate`',
          "where some member's `userId` is the caller's `sub`",
          "where its `createdBy` is the caller's `sub`",
        ],
      ],
    ]);
    const { rules: lacking, refusals } = await explain('teams.get', ada, 'sqlite', tracker);
    expect(lacking.map(({ rule, holds }) => [rule, holds])).toContainEqual(['x-tenant', 'for no row']);
    expect(refusals.map(({ answer }) => answer)).toContain('null, with NOT_FOUND in `errors`');
  });

  it('tells the kinds of caller apart', () => {
    const kinds = kindsOfCaller(findAction(practice, 'patients.delete'), practice);
    expect(kinds.map(({ name }) => name)).toEqual([
      'a caller without a token',
      'a caller with a token and no scopes',
      'a caller with patients:admin',
    ]);
  });
});

describe('npm run explain', () => {
  const args = ['--contracts', 'test/fixtures/practice', '--as', '{"sub":"ada"}'];

  it('says that an input refers to no row that `x-owner` hides, unless the contract allows it', async () => {
    const journal = await contractOf('journal');
    const of = async (action: string) =>
      (await explain(action, ada, 'sqlite', journal)).refusals.map(({ answer }) => answer);
    expect(await of('entries.create')).toContain('422 REFERENCE_NOT_FOUND');
    expect(await of('entries.delete')).not.toContain('422 REFERENCE_NOT_FOUND');
    expect(await of('diaries.create')).not.toContain('422 REFERENCE_NOT_FOUND');
    const belowHidden = await editedContract('journal', [
      ['openapi.yaml', /(x-references: (?:Diary|Account),.*x-reference-hidden: )refuse/g, '$1allow'],
    ]);
    const below = await explain('entries.create', ada, 'sqlite', belowHidden);
    expect(below.refusals.map(({ answer }) => answer)).toContain('422 REFERENCE_NOT_FOUND');
    const allowed = await editedContract('journal', [
      ['openapi.yaml', 'x-reference-hidden: refuse', 'x-reference-hidden: allow'],
    ]);
    const { refusals } = await explain('entries.create', ada, 'sqlite', allowed);
    expect(refusals.map(({ answer }) => answer)).not.toContain('422 REFERENCE_NOT_FOUND');
  });

  it('prints words, SQL and refusals', async () => {
    const { code, stdout, stderr } = await runHere('scripts/explain.ts', ['patients.delete', ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchSnapshot();
  });

  it('prints JSON', async () => {
    const { stdout } = await runHere('scripts/explain.ts', ['getPatient', ...args, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      action: 'patients.get',
      method: 'GET',
      caller: { claims: { sub: 'ada' } },
    });
  });

  it.each([
    [['patients.updte', ...args], 1, 'The action patients.updte does not exist. Did you mean `patients.update`?'],
    [['patients.get', ...args.slice(0, 3), '{"scope":"a"}'], 1, 'A token with these claims is refused.'],
    [['patients.get', ...args.slice(0, 3), 'ada'], 2, 'It must be a JSON object'],
  ])('refuses %j', async (words, code, message) => {
    const finished = await runHere('scripts/explain.ts', words);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(message);
  });
});
