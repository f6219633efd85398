import { lookUp } from '../../descriptor/look-up.ts';
/** What the bounds of a schema are read from. */
export interface Keywords {
  readonly keywords: ReadonlyMap<string, { readonly value: unknown }>;
}

/** The smallest and the greatest integer that something takes. */
export interface IntegerBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** What `Int` takes (GraphQL, 3.5.1), and `format: int32`. */
export const INT32_BOUNDS: IntegerBounds = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** JSON numbers are exact up to 2^53 - 1 (RFC 8259, 6), and so is `SafeInt`. */
export const SAFE_BOUNDS: IntegerBounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** The bounds of the scalar that a property of integers has in GraphQL. */
export const scalarBounds = (flat: Keywords): IntegerBounds => (isInt32(flat) ? INT32_BOUNDS : SAFE_BOUNDS);

/** Whether every value that the schema allows is an `Int`: by its format, its values, or its bounds. */
export function isInt32({ keywords }: Keywords): boolean {
  if (keywords.get('format')?.value === 'int32') return true;
  const values = keywords.has('const') ? [lookUp(keywords, 'const').value] : keywords.get('enum')?.value;
  if (Array.isArray(values)) return values.every((value) => Math.abs(Number(value)) <= INT32_BOUNDS.maximum);
  const { least, most } = declaredBounds({ keywords });
  return least !== undefined && most !== undefined && isWithin({ keywords }, INT32_BOUNDS);
}

/** Whether the bounds that a schema declares are those or narrower ones; a bound that it does not declare is. */
export function isWithin(flat: Keywords, { minimum, maximum }: IntegerBounds): boolean {
  const { least = minimum, most = maximum } = declaredBounds(flat);
  return least >= minimum && most <= maximum;
}

/** The smallest and the greatest integer by the bounds of a schema; undefined where it declares none. */
export function declaredBounds({ keywords }: Keywords): {
  readonly least: number | undefined;
  readonly most: number | undefined;
} {
  const numbers = (name: string, off: number): number[] => {
    const value = keywords.get(name)?.value;
    return typeof value === 'number' ? [value + off] : [];
  };
  const least = [...numbers('minimum', 0), ...numbers('exclusiveMinimum', 1)];
  const most = [...numbers('maximum', 0), ...numbers('exclusiveMaximum', -1)];
  return {
    least: least.length > 0 ? Math.max(...least) : undefined,
    most: most.length > 0 ? Math.min(...most) : undefined,
  };
}
