import type { ValueSchema } from './value-schema.ts';
import { typesOf } from './value-schema.ts';

/** The numbers that a schema allows: the multiples of a step, counted from zero. */
export interface NumberRange {
  readonly step: number;
  /** The smallest, in steps; undefined: it has none. */
  readonly least: number | undefined;
  /** The greatest, in steps; infinite if it has none. */
  readonly most: number;
}

const MAX_HALVINGS = 20;

/** `fraction` is the step between numbers that need not be whole; it is halved until a number lies between the bounds. */
export function rangeOf(schema: ValueSchema, fraction: number): NumberRange {
  const { multipleOf } = schema;
  if (typesOf(schema).includes('integer')) return stepped(schema, Number.isInteger(multipleOf) ? multipleOf! : 1);
  let range = stepped(schema, multipleOf ?? fraction);
  for (let i = 0; i < MAX_HALVINGS && multipleOf === undefined && isEmpty(range); i++)
    range = stepped(schema, range.step / 2);
  return range;
}

/** The number of so many steps, without the digits that binary fractions add (`3 * 0.05`). */
export function multiple(steps: number, step: number): number {
  const parts = 1 / step;
  return step < 1 && Number.isInteger(parts) ? steps / parts : steps * step;
}

function stepped({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueSchema, step: number): NumberRange {
  const least = [
    ...(minimum === undefined ? [] : [Math.ceil(minimum / step)]),
    ...(exclusiveMinimum === undefined ? [] : [Math.floor(exclusiveMinimum / step) + 1]),
  ];
  const most = [
    ...(maximum === undefined ? [] : [Math.floor(maximum / step)]),
    ...(exclusiveMaximum === undefined ? [] : [Math.ceil(exclusiveMaximum / step) - 1]),
  ];
  return { step, least: least.length > 0 ? Math.max(...least) : undefined, most: Math.min(...most) };
}

const isEmpty = ({ least, most }: NumberRange): boolean => least !== undefined && least > most;
