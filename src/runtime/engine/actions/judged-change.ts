import type { Principal } from '../../auth/principal.ts';
import { checkStillWritable, type FieldWrites } from '../access/field-checks.ts';
import { checkUnstored } from '../access/rules.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import type { RowChecks } from '../transaction/row-checks.ts';
import type { Target } from './change.ts';

/** A row about to change, and what the rules of its properties let the caller write, or undefined. */
export interface Judged extends Target {
  readonly fields?: FieldWrites;
}

/** Asks the rules whether the caller may write a row of which a key is taken, before it hears of that. */
export function takenCheck(
  resource: Resource,
  { transaction: { unlocked }, current, fields }: Judged,
  principal: Principal | undefined,
  input: Values,
): RowChecks['whenTaken'] {
  return async (row) => {
    const given = () => differing(resource, input, current);
    await checkUnstored(unlocked, resource, row, principal, { action: 'update', given });
    if (fields) await checkStillWritable(unlocked, resource, fields.written, row, principal);
  };
}

/** The properties that an input gives another value. */
export function differing(resource: Resource, input: Values, current: Values): readonly string[] {
  const next = normalized(resource, input);
  return Object.keys(next).filter((name) => (next[name] ?? null) !== (current[name] ?? null));
}
