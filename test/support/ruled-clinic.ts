import { createRowCodec } from '../../src/runtime/engine/resource/row-codec.ts';
import type { ServerOptions } from '../../src/runtime/server.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import type { DatabaseKind } from './databases.ts';
import { ruledClinic } from './ruled-contract.ts';
import { type As, type Service, startCompiled } from './service.ts';

export const startClinic = async (
  database: DatabaseKind,
  handlers: AnyHandlers = {},
  options: Partial<ServerOptions> = {},
): Promise<Service> => startCompiled(await ruledClinic(), database, handlers, options);

/** Whom the tests ask as, with what they read of `PEOPLE`. */
export const admin: As = { sub: 'admin', scope: 'clinic:admin' };
/** An editor of the first clinic, who reads two wards of both. */
export const editor: As = { sub: 'editor', scope: '', claims: { wards: ['NORTH', 'SOUTH'] } };
/** The same in the first clinic, but for changing anything. */
export const reader: As = { sub: 'reader', scope: '', claims: { wards: ['NORTH', 'SOUTH'] } };
export const doctor: As = { sub: 'doctor', scope: '' };
export const nurse: As = { sub: 'nurse', scope: '', claims: { wards: ['EAST', 'NORTH'] } };
export const stranger: As = { sub: 'stranger', scope: '' };

export const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const CLINICS = { first: idOf(1), second: idOf(2) };

/** Patients by what is known of them. */
export const PEOPLE = {
  treated: { id: idOf(11), ward: 'EAST', published: false, note: null, clinicId: CLINICS.first, friendId: null },
  north: { id: idOf(12), ward: 'NORTH', published: false, note: 'plain', clinicId: CLINICS.first, friendId: null },
  secret: { id: idOf(13), ward: 'NORTH', published: false, note: 'secret', clinicId: CLINICS.first, friendId: null },
  known: { id: idOf(14), ward: 'SOUTH', published: true, note: null, clinicId: CLINICS.second, friendId: idOf(15) },
  hidden: { id: idOf(15), ward: 'SOUTH', published: false, note: 'secret', clinicId: CLINICS.second, friendId: null },
} as const;
export type Person = keyof typeof PEOPLE;

const VISITS = [
  { id: idOf(21), patientId: PEOPLE.treated.id, doctorId: 'doctor', room: 'A' },
  { id: idOf(22), patientId: PEOPLE.hidden.id, doctorId: 'other', room: 'B' },
  { id: idOf(23), patientId: PEOPLE.known.id, doctorId: 'other', room: 'C' },
];
const MEMBERS = [
  { id: idOf(31), clinicId: CLINICS.first, userId: 'editor', role: 'EDITOR' },
  { id: idOf(32), clinicId: CLINICS.first, userId: 'reader', role: 'READER' },
];
const RECORDS = [
  { id: idOf(41), patientId: PEOPLE.treated.id, text: 'on the treated' },
  { id: idOf(42), patientId: PEOPLE.hidden.id, text: 'on the hidden' },
];

/** Fills the tables, past everybody's rights. */
export async function fill({ store, contract, now }: Service): Promise<void> {
  const managed = { version: 1, createdAt: now, updatedAt: now };
  const people = Object.entries(PEOPLE).map(([name, one]) => ({ ...one, name }));
  const rows: readonly (readonly [string, readonly object[]])[] = [
    ['clinics', Object.entries(CLINICS).map(([name, id]) => ({ id, name }))],
    ['clinics.members', MEMBERS],
    ['patients', people],
    ['appointments', VISITS],
    ['patients.records', RECORDS],
  ];
  await store.transaction(async (transaction) => {
    await transaction.deferReferences();
    for (const [key, some] of rows) {
      const { properties } = contract.resources.find((one) => one.key === key)!;
      const codec = createRowCodec(properties);
      await transaction.insertAll(
        key,
        some.map((one) => codec.toRow({ ...managed, ...one })),
      );
    }
  });
}
