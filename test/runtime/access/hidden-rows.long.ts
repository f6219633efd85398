import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Attack, ask, get, type Rows, Worlds } from '../../support/interference.ts';
import { idOf } from '../../support/payroll.ts';
import type { As } from '../../support/service.ts';
import { NORTH, north, SOUTH, south } from '../../support/workshop.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const HIDDEN = idOf(12);
const NOBODY = idOf(99);

/** What can be tried on one row by who knows its id; `input` is a whole one, `patch` a part. */
function attacksOn(list: string, id: string, input: object, patch: object): readonly Attack[] {
  const url = `${list}/${id}`;
  return [
    ...['GET', 'HEAD', 'OPTIONS', 'DELETE'].map((method) => ({ method, url })),
    ...['"1"', '"9"', '*'].flatMap((tag) => [
      get(url, { 'if-none-match': tag }),
      { method: 'DELETE', url, headers: { 'if-match': tag } },
      { method: 'PATCH', url, body: patch, headers: { ...MERGE, 'if-match': tag } },
    ]),
    { method: 'PATCH', url, body: patch, headers: MERGE },
    { method: 'PATCH', url, body: { unknown: 1 }, headers: MERGE },
    { method: 'PUT', url, body: input },
    { method: 'PUT', url, body: {} },
  ];
}

/** Lists as they are asked for by query strings, alone, counted and page by page. */
const listsBy = (list: string, queries: readonly string[]): readonly Attack[] =>
  ['', ...queries].flatMap((query) => [
    get(`${list}?${query}`),
    get(`${list}?${query}&count=true`),
    get(`${list}?${query}&limit=1`),
  ]);

interface Case {
  readonly name: string;
  readonly contract: string;
  /** With the hidden rows, and without them. */
  readonly rows: readonly [Rows, Rows];
  readonly callers: readonly (As | undefined)[];
  readonly attacks: readonly Attack[];
  /** What each writes is looked at here. */
  readonly probes: readonly Attack[];
}

const clinic = { id: idOf(1), name: 'first', country: 'DE' };
const member = { id: idOf(2), clinicId: clinic.id, userId: 'editor', role: 'EDITOR' };
const known = { id: idOf(11), name: 'known', published: true, beds: 1, note: null, clinicId: clinic.id };
const secret = { ...known, id: HIDDEN, name: 'secret', published: false };
const visit = { id: idOf(21), patientId: known.id, doctorId: 'doctor', at: '2026-01-01T00:00:00.000Z' };
const practice = (patients: readonly object[]): Rows => [
  ['clinics', [clinic]],
  ['clinics.members', [member]],
  ['patients', patients],
  ['appointments', [visit]],
];
const patient = { name: 'new', published: true, clinicId: clinic.id };
const appointment = (patientId: string) => ({ patientId, doctorId: 'x', at: '2026-01-01T00:00:00Z' });
const nested = 'id name clinic { name } appointments { totalCount nodes { id } }';

const ROWS: Case = {
  name: 'hidden rows',
  contract: 'practice',
  rows: [practice([known, secret]), practice([known])],
  callers: [{ sub: 'stranger', scope: '' }, { sub: 'editor', scope: 'clinics:write' }, undefined],
  probes: [get('/v1/patients?count=true'), get('/v1/appointments?count=true')],
  attacks: [
    ...listsBy('/v1/patients', ['sort=name', 'sort=-name', 'name[contains]=ecr', 'published=false', 'published=true']),
    ...[HIDDEN, NOBODY].flatMap((id) => [
      ...attacksOn('/v1/patients', id, patient, { name: 'new' }),
      { method: 'POST', url: '/v1/appointments', body: appointment(id) },
      { method: 'PATCH', url: `/v1/appointments/${visit.id}`, body: { patientId: id }, headers: MERGE },
      { method: 'PUT', url: `/v1/appointments/${visit.id}`, body: appointment(id) },
      ask(`{ a: patient(id: "${id}") { ${nested} } b: patient(id: "${known.id}") { ${nested} } }`),
      ask(`mutation { updatePatient(id: "${id}", input: { published: true }) { id } }`),
      ask(`mutation { deletePatient(id: "${id}") }`),
      ask(
        `mutation { createAppointment(input: { patientId: "${id}", doctorId: "x", at: "2026-01-01T00:00:00Z" }) { id } }`,
      ),
    ]),
    ask(`{ patients { totalCount nodes { ${nested} } pageInfo { hasNextPage endCursor } } }`),
    ask('{ patients(first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } }'),
    ask('{ patients(filter: { published: false }) { totalCount } }'),
    ask('{ patients(sort: [NAME_DESC], first: 1) { nodes { id } } }'),
    ask('{ appointments { nodes { patient { name } } } }'),
    ask(`{ clinic(id: "${clinic.id}") { patients { totalCount nodes { id } } members { totalCount } } }`),
  ],
};

const machine = (id: string, tenantId: string, code: string, standardId: string | null) => ({
  ...{ id, tenantId, code, name: `${code} lathe`, state: 'IDLE', standardId },
});
const standard = { id: idOf(1), name: 'shared' };
const worker = (id: string, tenantId: string, email: string) => ({ id, tenantId, name: 'Ann', email, retired: false });
const job = (id: string, tenantId: string, machineId: string, workerId: string) => ({
  ...{ id, tenantId, machineId, title: 'Turn', workerId, standbyId: null },
});
const [WORKER, JOB, NOTE] = [idOf(32), idOf(42), idOf(52)];
const own = [machine(idOf(11), SOUTH, 'OWN', standard.id), worker(idOf(31), SOUTH, 'own@a.b')] as const;
const ownJob = job(idOf(41), SOUTH, idOf(11), idOf(31));
const shop = (isWhole: boolean): Rows => [
  ['standards', [standard]],
  ['machines', isWhole ? [own[0], machine(HIDDEN, NORTH, 'OTHER', standard.id)] : [own[0]]],
  ['workers', isWhole ? [own[1], worker(WORKER, NORTH, 'other@a.b')] : [own[1]]],
  ['machines.jobs', isWhole ? [ownJob, job(JOB, NORTH, HIDDEN, WORKER)] : [ownJob]],
  ['machines.notes', isWhole ? [{ id: NOTE, machineId: HIDDEN, text: 'hidden' }] : []],
];
const jobs = `/v1/machines/${idOf(11)}/jobs`;
const aMachine = { code: 'OTHER', name: 'other lathe', state: 'IDLE' };
const machineFields = 'id code name jobs { totalCount nodes { worker { email } standby { id } } } notes { totalCount }';

const TENANTS: Case = {
  name: 'rows of other tenants',
  contract: 'workshop',
  rows: [shop(true), shop(false)],
  callers: [south, { ...south, claims: {} }, undefined],
  probes: [get('/v1/machines?count=true'), get('/v1/workers?count=true'), get(`${jobs}?count=true`)],
  attacks: [
    ...listsBy('/v1/machines', ['sort=name', 'sort=-name', 'state=IDLE', 'search=other', 'search=oth*']),
    ...listsBy('/v1/workers', []),
    ...listsBy('/v1/standards', []),
    ...listsBy(`/v1/machines/${HIDDEN}/jobs`, []),
    ...listsBy(`/v1/machines/${HIDDEN}/notes`, []),
    ...['OTHER', 'OWN', 'NONE'].map((code) => get(`/v1/machines/by-code/${code}`)),
    ...attacksOn('/v1/machines', HIDDEN, aMachine, { name: 'new' }),
    ...attacksOn('/v1/workers', WORKER, { name: 'A', email: 'other@a.b', retired: false }, { name: 'new' }),
    ...[HIDDEN, idOf(11)].flatMap((id) => [
      ...attacksOn(`/v1/machines/${id}/jobs`, JOB, { title: 'Turn' }, { title: 'new' }),
      ...attacksOn(`/v1/machines/${id}/notes`, NOTE, { text: 'a' }, { text: 'new' }),
    ]),
    { method: 'POST', url: '/v1/machines', body: aMachine },
    { method: 'POST', url: '/v1/machines', body: aMachine, headers: { 'idempotency-key': 'of-the-north' } },
    { method: 'POST', url: '/v1/workers', body: { name: 'A', email: 'other@a.b', retired: false } },
    { method: 'POST', url: `/v1/machines/${HIDDEN}/jobs`, body: { title: 'Turn' } },
    { method: 'POST', url: `/v1/machines/${HIDDEN}/notes`, body: { text: 'a' } },
    ...[WORKER, NOBODY].map((workerId) => ({ method: 'POST', url: jobs, body: { title: 'New', workerId } })),
    ...[HIDDEN, NOBODY].map((standbyId) => ({ method: 'POST', url: jobs, body: { title: 'New', standbyId } })),
    { method: 'PATCH', url: `${jobs}/${idOf(41)}`, body: { standbyId: HIDDEN }, headers: MERGE },
    { method: 'DELETE', url: `/v1/standards/${standard.id}` },
    ask(`{ machines { totalCount nodes { ${machineFields} } pageInfo { hasNextPage } } standards { nodes { id } } }`),
    ask(`{ a: machine(id: "${HIDDEN}") { ${machineFields} } b: machine(id: "${idOf(11)}") { ${machineFields} } }`),
    ask('{ a: machine(code: "OTHER") { id } b: machine(code: "OWN") { id } }'),
    ask(`{ standard(id: "${standard.id}") { machines { totalCount nodes { id code } } } }`),
    ask('{ machines(search: "other") { totalCount } }'),
    ask(`mutation { deleteMachine(id: "${HIDDEN}") }`),
  ],
};

const keyed = { method: 'POST', url: '/v1/machines', body: aMachine, headers: { 'idempotency-key': 'of-the-north' } };

describe.each(databases)('what callers may not see changes nothing that they are told, on $name:', (database) => {
  describe.each([ROWS, TENANTS])('$name', ({ contract, rows, callers, attacks, probes }) => {
    let worlds: Worlds;
    beforeAll(async () => {
      worlds = await Worlds.start(contract, database, rows);
    });
    afterAll(() => worlds.close());

    it('whatever they ask and write', async () => {
      if (contract === 'workshop') {
        await worlds.send({ ...keyed, body: { ...aMachine, code: 'KEYED' } }, north, 0);
        await worlds.refill();
      }
      const found: string[] = [];
      for (const as of callers)
        for (const attack of attacks) {
          found.push(...(await worlds.differing(attack, as)));
          if (attack.method === 'GET' || attack.method === 'OPTIONS' || attack.method === 'HEAD') continue;
          for (const probe of probes) {
            const after = await worlds.differing(probe, as);
            found.push(...after.map((text) => `after ${JSON.stringify(attack)}: ${text}`));
          }
          await worlds.refill();
        }
      expect(found).toEqual([]);
    });
  });
});
