import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { createRowCodec } from '../../src/runtime/engine/resource/row-codec.ts';
import type { Comparison, Condition, Relation } from '../../src/runtime/storage/store.ts';
import { property, resource } from './descriptors.ts';

const optional = { nullable: true, required: false } as const;
export const patients: ResourceDescriptor = resource('patients', 'Patient', [
  property('name', optional),
  property('visits', { type: 'integer', ...optional }),
  property('weight', { type: 'decimal', ...optional }),
  property('born', { type: 'date', ...optional }),
  property('isInsured', { type: 'boolean', ...optional }),
  property('guardianId', { type: 'uuid', ...optional, references: { resource: 'patients', onDelete: 'restrict' } }),
]);
const appointments: ResourceDescriptor = resource('appointments', 'Appointment', [
  property('patientId', { type: 'uuid', references: { resource: 'patients', onDelete: 'cascade' } }),
  property('doctor', optional),
  property('startsAt', { type: 'date-time', ...optional }),
  property('units', { type: 'int64', ...optional }),
]);
export const resources = [patients, appointments];

type Values = Readonly<Record<string, string | number | boolean | null>>;
const time = '2026-01-01T00:00:00.000Z';
export const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const managed = (n: number) => ({ id: idOf(n), version: 1, createdAt: time, updatedAt: time });
const pick = <T>(n: number, values: readonly T[]): T => values[n % values.length]!;

const NAMES = ['Ada', 'adam', null, 'Eve 100%', 'ZOË', ''];
export const people: readonly Values[] = Array.from({ length: 30 }, (_, n) => ({
  ...managed(n),
  name: pick(n, NAMES),
  visits: pick(n, [0, 1, null, 7]),
  weight: pick(n, ['70.5', '70.50', null, '9', '100']),
  born: pick(n, ['1990-05-01', null, '2001-12-31']),
  isInsured: pick(n, [true, false, null]),
  guardianId: n === 0 || n % 4 === 3 ? null : idOf(n - 1),
}));
export const visits: readonly Values[] = Array.from({ length: 40 }, (_, n) => ({
  ...managed(100 + n),
  patientId: idOf((n * 7) % 23),
  doctor: pick(n, ['d1', 'd2', null]),
  startsAt: pick(n, ['2026-01-01T08:00:00.000Z', null, '2026-02-01T08:00:00.500Z']),
  units: pick(n, ['9007199254740993', '5', null]),
}));
const rowsOf: Readonly<Record<string, readonly Values[]>> = { patients: people, appointments: visits };
export const codecs = {
  patients: createRowCodec(patients.properties),
  appointments: createRowCodec(appointments.properties),
};

/** What a condition means, said once more without SQL. */
export function holds(condition: Condition, row: Values): boolean {
  switch (condition.kind) {
    case undefined:
      return compares(condition, row[condition.property]!);
    case 'not':
      return !holds(condition.comparison, row);
    case 'all':
      return condition.conditions.every((one) => holds(one, row));
    case 'any':
      return condition.conditions.some((one) => holds(one, row));
    case 'related': {
      const { property: own, relatedProperty, conditions, isNone } = condition;
      const isRelated = (one: Values): boolean =>
        one[relatedProperty] !== null && one[relatedProperty] === row[own] && conditions.every((it) => holds(it, one));
      return rowsOf[condition.resource]!.some(isRelated) !== isNone;
    }
  }
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const ordered = (value: unknown): string | number | bigint =>
  typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : (value as string | number);

function compares({ operator, value }: Comparison, stored: string | number | boolean | null): boolean {
  if (operator === 'eq' && value === null) return stored === null;
  if (stored === null) return false;
  const own = typeof stored === 'boolean' ? Number(stored) : stored;
  switch (operator) {
    case 'eq':
      return own === value;
    case 'in':
      return (value as readonly unknown[]).includes(own);
    case 'contains':
      return lower(own as string).includes(lower(value as string));
    case 'gt':
      return ordered(own) > ordered(value);
    case 'gte':
      return ordered(own) >= ordered(value);
    case 'lt':
      return ordered(own) < ordered(value);
    case 'lte':
      return ordered(own) <= ordered(value);
    case 'search':
    case 'each':
      throw new Error('Rows are searched by lists alone.');
  }
}

export const test = (name: string, operator: Comparison['operator'], value: Comparison['value']): Comparison => ({
  property: name,
  operator,
  value,
});
export const not = (comparison: Comparison): Condition => ({ kind: 'not', comparison });
export const all = (...conditions: Condition[]): Condition => ({ kind: 'all', conditions });
export const any = (...conditions: Condition[]): Condition => ({ kind: 'any', conditions });
export const related = (
  name: string,
  other: string,
  relatedProperty: string,
  conditions: readonly Condition[],
  isNone = false,
): Relation => ({ kind: 'related', property: name, resource: other, relatedProperty, conditions, isNone });

export const visitedBy = (doctor: string, isNone = false) =>
  related('id', 'appointments', 'patientId', [test('doctor', 'eq', doctor)], isNone);
export const guardian = (...conditions: Condition[]) => related('guardianId', 'patients', 'id', conditions);
