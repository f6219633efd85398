import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { OrderMembers } from '../../schema/member-order.ts';
import type { Row, StoredValue } from '../../storage/store.ts';

/** Gets a stored value that a property does not have. */
export type OnStray = (property: string, value: StoredValue) => void;

type Print = (stored: StoredValue) => string;

/** Most texts need no escapes, which a pattern finds out sooner than `JSON.stringify`. */
const quoted: Print = (stored) => (PLAIN_ASCII.test(stored as string) ? `"${stored}"` : JSON.stringify(stored));
const plain: Print = (stored) => String(stored);
const finite: Print = (stored) => (Number.isFinite(stored) ? String(stored) : 'null');
/** ASCII that JSON does not escape (RFC 8259, 7). */
const PLAIN_ASCII = /^[ !#-[\]-~]*$/;

const printers: Readonly<Record<PropertyDescriptor['type'], Print>> = {
  string: quoted,
  uuid: quoted,
  int64: quoted,
  decimal: quoted,
  date: quoted,
  'date-time': quoted,
  integer: plain,
  number: finite,
  json: plain,
  boolean: (stored) => (stored ? 'true' : 'false'),
};

/** A value that the enum does not have, because another program wrote it, is printed as it is. */
function printer({ name, type, enum: values }: PropertyDescriptor, onStray: OnStray): Print {
  if (!values) return printers[type];
  const texts = new Map<StoredValue, string>(values.map((value) => [value, JSON.stringify(value)]));
  return (stored) => texts.get(stored) ?? strayText(name, stored, onStray);
}

function strayText(name: string, stored: StoredValue, onStray: OnStray): string {
  onStray(name, stored);
  return JSON.stringify(stored);
}

/** How one property is printed. */
interface Field {
  /** NULL means absent, and is not printed. */
  readonly isOmittedWhenNull: boolean;
  /** Gets NULL, which the property does not have. */
  readonly onNull: (() => void) | undefined;
  /** What stands before its value: the first of the row, and any other. */
  readonly first: string;
  readonly next: string;
  readonly print: Print;
}

function fieldOf(property: PropertyDescriptor, order: OrderMembers | undefined, onStray: OnStray): Field {
  const { name, required, nullable } = property;
  return {
    isOmittedWhenNull: !required && !nullable,
    onNull: required && !nullable ? () => onStray(name, null) : undefined,
    first: `{${JSON.stringify(name)}:`,
    next: `,${JSON.stringify(name)}:`,
    print: order ? (stored) => order(stored as string) : printer(property, onStray),
  };
}

/** Prints rows as JSON. `orderings`: how the members of each property's values are ordered, if they have an order. */
export function createRowPrinter(
  properties: readonly PropertyDescriptor[],
  orderings: readonly (OrderMembers | undefined)[],
  onStray: OnStray,
): (row: Row, unlike?: Row) => string {
  const fields = properties.map((property, i) => fieldOf(property, orderings[i], onStray));
  return (row, unlike) => printRow(fields, row, unlike);
}

function printRow(fields: readonly Field[], row: Row, unlike: Row | undefined): string {
  let json = '';
  for (let i = 0; i < fields.length; i++) {
    const { first, next, isOmittedWhenNull, onNull, print } = fields[i]!;
    const stored = row[i]!;
    if (unlike ? stored === unlike[i] : stored === null && isOmittedWhenNull) continue;
    if (stored === null && !unlike) onNull?.();
    json += (json === '' ? first : next) + (stored === null ? 'null' : print(stored));
  }
  return json === '' ? '{}' : `${json}}`;
}
