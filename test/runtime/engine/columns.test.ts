import { beforeEach, describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { type ColumnsOf, columnsReader } from '../../../src/runtime/engine/resource/columns.ts';
import { property, resource } from '../../support/descriptors.ts';

const NAMES = Array.from({ length: 20 }, (_, n) => `p${n}`);
const descriptor: ResourceDescriptor = {
  ...resource('things', 'Thing', [
    property('ownerId'),
    property('otherId', { type: 'uuid', references: { resource: 'others', onDelete: 'restrict' } }),
    ...NAMES.map((name) => property(name)),
  ]),
  owner: { property: 'ownerId', reads: 'anyone' },
};

const namesOf = (columns: ReturnType<ColumnsOf>) => columns && [...columns.names].sort();

describe('what is read of the rows of a resource', () => {
  let columnsOf: ColumnsOf;
  beforeEach(() => {
    columnsOf = columnsReader(descriptor, false);
  });

  it('is what is asked for, and what leads to other rows and to callers', () => {
    const known = ['id', 'otherId', 'ownerId', 'version'];
    expect(namesOf(columnsOf(new Set(['p1', 'noProperty'])))).toEqual([...known, 'p1'].sort());
    expect(namesOf(columnsOf(new Set()))).toEqual(known);
  });

  it('is all where all are asked for, or nobody says what is, or properties have rules', () => {
    expect(columnsOf(undefined)).toBeUndefined();
    expect(columnsOf(new Set(descriptor.properties.map(({ name }) => name)))).toBeUndefined();
    expect(columnsReader(descriptor, true)(new Set(['p1']))).toBeUndefined();
  });

  it('has one shape, whatever the order in which it is asked for', () => {
    expect(columnsOf(new Set(['p1', 'p2']))).toBe(columnsOf(new Set(['p2', 'p1'])));
  });

  it('is all for the sets beyond 200', () => {
    const sets = Array.from({ length: 210 }, (_, n) => new Set(NAMES.filter((_name, bit) => (n + 1) & (1 << bit))));
    const shapes = sets.map((asked) => columnsOf(asked)?.shape);
    expect(new Set(shapes.slice(0, 200)).size).toBe(200);
    expect(shapes.slice(200).every((shape) => shape === undefined)).toBe(true);
    expect(columnsOf(new Set([...sets[0]!]))?.shape).toBe(shapes[0]);
  });
});
