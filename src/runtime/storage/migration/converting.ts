import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { Difference } from '../../../descriptor/migration/step.ts';
import type { JsonValue, PropertyDescriptor, PropertyType, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { tableOf } from '../../../descriptor/table.ts';
import { converted } from './converted.ts';
import type { MigrationTarget } from './target.ts';

/** A column whose values are stored in the form of another type than its property has now. */
export interface Conversion {
  readonly property: PropertyDescriptor;
  readonly from: PropertyType;
  /** The database has another type for the form. */
  readonly isTyped: boolean;
}

/** Rows by number, with the ids of some. */
export interface CountedRows {
  count: number;
  readonly ids: string[];
}

const NAMED_ROWS = 3;

export function note(rows: CountedRows, id: string): void {
  rows.count += 1;
  if (rows.ids.length < NAMED_ROWS) rows.ids.push(id);
}

/** `12 rows (ids a, b, c, …)`. */
export function counted({ count, ids }: CountedRows): string {
  if (count === 0) return '0 rows';
  const more = count > ids.length ? ', …' : '';
  return `${count.toLocaleString('en')} ${count === 1 ? 'row (id' : 'rows (ids'} ${ids.join(', ')}${more})`;
}

/** The rows of a table as a conversion finds them. */
export class Converting {
  readonly property: PropertyDescriptor;
  readonly #conversion: Conversion;
  /** Those that have a value in another form. */
  readonly #rows: CountedRows = { count: 0, ids: [] };

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
    this.property = conversion.property;
  }

  /** An integer beyond those of JSON is read as it is. */
  get readAs(): PropertyType {
    return this.#conversion.from === 'integer' ? 'int64' : this.#conversion.from;
  }

  /** Values that are stored alike in both forms need no statement. */
  get isNeeded(): boolean {
    return this.#conversion.isTyped || this.#rows.count > 0;
  }

  /** In JSON, as the property has it; a value that it cannot have stays as it is. */
  convert(stored: string | number, id: string): JsonValue {
    const { property, from, isTyped } = this.#conversion;
    const to = converted(stored, from, property.type);
    if (to.stored !== undefined && (isTyped || String(to.stored) !== String(stored))) note(this.#rows, id);
    return to.value;
  }

  /** `planned`: the tables show it; `broken`: rows whose values have to be changed before. */
  difference(
    { dialect }: MigrationTarget,
    resource: ResourceDescriptor,
    existing: LiveTable,
    { planned, broken }: { readonly planned: Difference | undefined; readonly broken: readonly Difference[] },
  ): Difference {
    const { property, from } = this.#conversion;
    const what = `column ${resource.table}.${property.column} holds ${from}, the contract needs ${property.type}`;
    const byHand = planned?.byHand ?? dialect.changeType(tableOf(resource), { property, from, existing });
    const faults = broken.map((one) => `; ${one.what}`).join('');
    return {
      what: `${planned?.what ?? what}: ${counted(this.#rows)} to convert${faults}`,
      byHand: [...broken.flatMap((one) => one.byHand), ...byHand],
      isHarmless: false,
      stopsOlder: planned?.stopsOlder ?? false,
    };
  }
}
