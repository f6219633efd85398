import type { NameCase } from './convention-names.ts';
import type { PropertyDescriptor, PropertyType } from './resource.ts';

/** Periods by which dates and times are grouped, shortest first. */
export const PERIODS = ['Hour', 'Day', 'Week', 'Month', 'Quarter', 'Year'] as const;
export type Period = (typeof PERIODS)[number];

/** What is computed of the values of a property. */
export const MEASURES = ['Sum', 'Avg', 'Min', 'Max', 'Distinct'] as const;
type MeasureKind = (typeof MEASURES)[number];

/** Gathers the rows that have one value of a property, or whose dates and times lie in one period. */
export interface Grouping {
  readonly property: string;
  readonly period?: Period;
}

/** The number of rows of a group, or a value made of those of a property. */
export type Measure =
  | { readonly of: 'Count'; readonly property?: undefined }
  | { readonly of: MeasureKind; readonly property: string };

const TIMES: readonly PropertyType[] = ['date', 'date-time'];
const EXACT: readonly PropertyType[] = ['integer', 'int64', 'decimal'];
/** Equal numbers may be written in different ways. */
const UNGROUPED: readonly PropertyType[] = ['json', 'number', 'decimal'];

type Property = Pick<PropertyDescriptor, 'name' | 'type'>;

const canGroup = ({ type }: Property): boolean => !UNGROUPED.includes(type);

function canMeasure(of: MeasureKind, property: Property): boolean {
  const { type } = property;
  switch (of) {
    case 'Sum':
    case 'Avg':
      return EXACT.includes(type);
    case 'Min':
    case 'Max':
      return [...EXACT, ...TIMES, 'number'].includes(type);
    default:
      return canGroup(property);
  }
}

/** The periods by which a property groups: a date has no hours. */
const periodsOf = ({ type }: Property): readonly Period[] =>
  PERIODS.filter((period) => type === 'date-time' || (type === 'date' && period !== 'Hour'));

interface Named {
  readonly properties: readonly Property[];
  readonly nameCase?: NameCase | undefined;
}

/** All groups of a resource by their names: `status`, `createdAtMonth`; in snake_case documents `created_at_month`. */
function groupingsOf(resource: Named): ReadonlyMap<string, Grouping> {
  const { properties } = resource;
  const periods = properties.flatMap((property) =>
    periodsOf(property).map(
      (period) => [nameOf(resource, property, period), { property: property.name, period }] as const,
    ),
  );
  const plain = properties.filter(canGroup).map(({ name }) => [name, { property: name }] as const);
  return new Map<string, Grouping>([...periods, ...plain]);
}

/** All measures of a resource by their names: `count`, `totalSum`; in snake_case documents `total_sum`. */
function measuresOf(resource: Named): ReadonlyMap<string, Measure> {
  const measures = resource.properties.flatMap((property) =>
    MEASURES.filter((of) => canMeasure(of, property)).map(
      (of) => [nameOf(resource, property, of), { of, property: property.name }] as const,
    ),
  );
  return new Map<string, Measure>([...measures, ['count', { of: 'Count' }]]);
}

/** What totals of a resource may have, by name. */
export interface TotalNames {
  readonly groups: ReadonlyMap<string, Grouping>;
  readonly measures: ReadonlyMap<string, Measure>;
}

export const totalNamesOf = (resource: Named): TotalNames => ({
  groups: groupingsOf(resource),
  measures: measuresOf(resource),
});

const nameOf = ({ nameCase }: Named, { name }: Property, suffix: string): string =>
  nameCase === 'snake_case' ? `${name}_${suffix.toLowerCase()}` : `${name}${suffix}`;
