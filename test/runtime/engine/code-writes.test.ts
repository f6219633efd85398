import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Observatory, type Outcome, openObservatory, outcomeOf, PROTOCOLS } from '../../support/observatory.ts';

const VALID = { observerId: 'ada', seats: 2, isNight: true };

/** Rows that code writes, each with the place that it breaks the contract at. */
const bad: Readonly<Record<string, readonly [values: object, fault: string]>> = {
  'an empty text': [{ observerId: '' }, '/observerId must have at least 1 character'],
  'a number out of range': [{ seats: 9 }, '/seats must be at most 8'],
  'a property that only code sets': [{ charged: -1 }, '/charged must be at least 0'],
  'null where none may be': [{ isNight: null }, '/isNight must be true or false'],
  'another type': [{ seats: '2' }, '/seats must be an integer'],
  'a place inside a value': [{ target: { name: 'M31', magnitude: 99 } }, '/target/magnitude must be at most 30'],
  'a member that the schema lacks': [{ target: { name: 'M31', size: 1 } }, '/target/size is not a known property'],
  'a time that is none': [{ startsAt: 'tomorrow' }, '/startsAt must be'],
};

describe.each(databases)('rows that code writes on $name', (database) => {
  let observatory: Observatory;
  let reports: Error[];

  beforeAll(async () => {
    reports = [];
    const reportFailure = (thrown: unknown): undefined => void reports.push(thrown as Error);
    observatory = await openObservatory(database, { reportFailure });
  });
  beforeEach(() => {
    reports = [];
    observatory.write = (input, _context, next) => next(input);
  });
  afterAll(() => observatory.close());

  const rows = (): Promise<readonly Record<string, unknown>[]> =>
    observatory.run(({ store }) => store.bookings.list({}));
  const newBooking = (more: object = {}): Promise<{ readonly id: string }> =>
    observatory.run(({ store }) => store.bookings.create({ ...VALID, ...more }));
  const send = async (method: string, path: string, body: object): Promise<Outcome> =>
    outcomeOf(await observatory.service.request(method, `/v1/bookings${path}`, { body }));

  /** A caller learns nothing of it; the developer learns the place in the row, and the line that wrote it. */
  function expectReported({ code, text }: Outcome, fault: string): void {
    expect(code).toBe('INTERNAL_ERROR');
    expect(text).not.toContain(fault.split(' ')[0]!);
    const [report] = reports;
    expect(report).toMatchObject({ name: 'RowError', message: expect.stringContaining(fault) });
    expect(report!.message).toContain('Booking');
    expect(report!.stack).toMatch(/^RowError: This Booking .+\n\s+at [^\n]*code-writes\.test\.ts:\d+/);
  }

  describe.each(PROTOCOLS)('over %s', (protocol) => {
    it.each(Object.entries(bad))('are refused with %s, and nothing is written', async (_, [values, fault]) => {
      const { id } = await newBooking();
      const before = await rows();
      const name = `lost by ${fault}`;
      const created = await observatory.tally(protocol, async ({ store }) => {
        await store.telescopes.create({ name });
        return store.bookings.create({ ...VALID, ...values });
      });
      expectReported(created, fault);
      reports.length = 0;
      // Its promise is only passed on: no stack of an awaited call has this line.
      const updated = await observatory.tally(protocol, ({ store }) => store.bookings.update(id, values));
      expectReported(updated, fault);
      expect(await rows()).toEqual(before);
      expect(await observatory.run(({ store }) => store.telescopes.list({ name }))).toEqual([]);
    });

    it('are not written by code that carries on after the error', async () => {
      const before = await rows();
      const { code } = await observatory.tally(protocol, async ({ store }) => {
        await store.bookings.create({ ...VALID, observerId: '' }).catch(() => undefined);
        return store.telescopes.list({}).then(() => 0);
      });
      expect(code).toBeUndefined();
      expect(await rows()).toEqual(before);
    });
  });

  it('are refused where an override passes them on', async () => {
    observatory.write = (input, _context, next) => next({ ...input, charged: 1001 });
    expectReported(await send('POST', '', VALID), '/charged must be at most 1000');
    const { id } = await newBooking();
    for (const [method, body] of [
      ['PUT', VALID],
      ['PATCH', { seats: 3 }],
    ] as const) {
      reports.length = 0;
      expectReported(await send(method, `/${id}`, body), '/charged must be at most 1000');
    }
    observatory.write = (input, _context, next) => next({ ...input, observerId: '' });
    for (const [method, body] of [
      ['PUT', VALID],
      ['PATCH', { seats: 3 }],
    ] as const) {
      reports.length = 0;
      expectReported(await send(method, `/${id}`, body), '/observerId must have at least 1 character');
    }
    expect((await rows()).find((row) => row['id'] === id)).toMatchObject({ version: 1, charged: 0, seats: 2 });
  });

  it('are refused where an override passes on what was sent, with values that its own keys do not show', async () => {
    class Charged {
      constructor(input: object) {
        Object.assign(this, input);
      }
      get charged(): number {
        return 1001;
      }
    }
    const { id } = await newBooking();
    observatory.write = (input, _context, next) => next(new Charged(input) as never);
    expectReported(await send('PUT', `/${id}`, VALID), '/charged must be at most 1000');
    expect((await rows()).find((row) => row['id'] === id)).toMatchObject({ version: 1, charged: 0 });
  });

  it.each<[what: string, change: (input: Record<string, unknown>) => void, fault: string]>([
    ['changes in place', (input) => Object.assign(input, { seats: 9 }), '/seats must be at most 8'],
    [
      'changes a member of in place',
      ({ target }) => Object.assign(target as object, { magnitude: 99 }),
      '/target/magnitude must be at most 30',
    ],
    ['leaves a part of out', (input) => delete input['observerId'], '/observerId'],
  ])('are refused where an override passes on an input that it %s', async (_, change, fault) => {
    observatory.write = (input, _context, next) => {
      change(input);
      return next(input);
    };
    const { id } = await newBooking();
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
    ] as const) {
      reports.length = 0;
      expectReported(await send(method, path, { ...VALID, target: { name: 'M31', magnitude: 1 } }), fault);
    }
  });

  it("are the caller's fault where its own input makes them wrong", async () => {
    const { id } = await newBooking();
    observatory.write = (input, _context, next) => next({ ...input, charged: 5 });
    const reply = await send('PATCH', `/${id}`, { target: { magnitude: 2 } });
    expect(reply).toMatchObject({ code: 'VALIDATION_FAILED', text: expect.stringContaining('/target/name') });
    observatory.write = (input, _context, next) => next({ ...input, target: { name: 'M31', ...input.target } });
    expect(await send('PATCH', `/${id}`, { target: { magnitude: 2 } })).toMatchObject({ code: undefined });
  });

  it('may keep what was wrong before, and be mended', async () => {
    const { id } = await newBooking();
    await breakRow(id);
    expect(await observatory.run(({ store }) => store.bookings.update(id, { charged: 7 }))).toMatchObject({
      observerId: '',
      charged: 7,
    });
    expectReported(
      await observatory.tally('REST', ({ store }) => store.bookings.update(id, { observerId: '', seats: 0 })),
      '/seats must be at least 1',
    );
    await observatory.run(({ store }) => store.bookings.update(id, { observerId: 'bob' }));
  });

  /** As another program would: not through the engine. */
  async function breakRow(id: string): Promise<void> {
    const { store, contract } = observatory.service;
    const { properties } = contract.resources.find(({ key }) => key === 'bookings')!;
    await store.transaction(async (transaction) => {
      const row = await transaction.get('bookings', id);
      const broken = row!.map((value, i) => (properties[i]!.name === 'observerId' ? '' : value));
      await transaction.update('bookings', broken, ['observerId']);
    });
  }

  it('follow the transitions of their states', async () => {
    const { id } = await newBooking();
    const jump = await observatory.tally('REST', ({ store }) => store.bookings.update(id, { state: 'DONE' }));
    expect(jump).toMatchObject({ text: expect.stringContaining('INTERNAL_ERROR') });
    expect(reports[0]!.message).toContain('ILLEGAL_TRANSITION');
    const caught = await observatory.run(({ store }) =>
      store.bookings.create({ ...VALID, state: 'DONE' }).catch((error: Error) => error.message),
    );
    expect(caught).toContain('must start as REQUESTED');
    await observatory.run(({ store }) => store.bookings.update(id, { state: 'CONFIRMED' }));
    expect(await observatory.run(({ store }) => store.bookings.update(id, { state: 'DONE' }))).toMatchObject({
      state: 'DONE',
    });
  });

  it.each([
    ['telescopes', { name: 'Hooker' }, 'ALREADY_EXISTS'],
    ['bookings', { ...VALID, telescopeId: 99 }, 'REFERENCE_NOT_FOUND'],
  ])('have their references and unique properties checked: %s', async (resource, values, code) => {
    await observatory.run(async ({ store }) => {
      const [known] = await store.telescopes.list({ name: 'Hooker' });
      const telescope = known ?? (await store.telescopes.create({ name: 'Hooker' }));
      await store.bookings.create({ ...VALID, telescopeId: telescope.id });
    });
    await observatory.tally('REST', ({ store }) => store[resource].create(values));
    expect(reports[0]!.message).toContain(code);
  });

  it.each(PROTOCOLS)('are taken back where code refuses, over %s', async (protocol) => {
    const before = await rows();
    const refused = await observatory.tally(protocol, async ({ store, refuse }) => {
      await store.bookings.create(VALID);
      refuse('TELESCOPE_CLOSED', { detail: 'It rains.' });
    });
    expect(refused).toMatchObject({ code: 'TELESCOPE_CLOSED', text: expect.stringContaining('It rains.') });
    expect(await rows()).toEqual(before);
  });

  it.each(PROTOCOLS)('are taken back where the answer breaks the contract, over %s', async (protocol) => {
    const before = await rows();
    for (const answer of [{ count: 'many', label: 'x' }, { count: 2 }, { count: null, label: 'x' }]) {
      const { code } = await observatory.tally(protocol, async ({ store }) => {
        await store.bookings.create(VALID);
        return answer;
      });
      expect(code).toBe('INTERNAL_ERROR');
    }
    expect(await rows()).toEqual(before);
  });
});
