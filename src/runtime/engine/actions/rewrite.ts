import type { Id } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Validate } from '../../schema/schema-registry.ts';
import type { Row } from '../../storage/store.ts';
import { checkStillWritable, fieldWrites } from '../access/field-checks.ts';
import { shown } from '../access/fields.ts';
import { checkOwnerChange } from '../access/owner.ts';
import { checkReferences } from '../access/references.ts';
import { checkAllowed } from '../access/rules.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import type { Override } from '../interface/untyped.ts';
import { type Called, judge, rowError } from '../resource/judged.ts';
import { isAsSent, normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfValues, RowEntity, type Values } from '../resource/row-codec.ts';
import { checkTransitions } from '../resource/transitions.ts';
import { validated } from '../resource/validated.ts';
import { committing } from '../transaction/in-transaction.ts';
import type { RowChecks } from '../transaction/row-checks.ts';
import { updateRow } from '../transaction/row-writer.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { rowChanger, type Target } from './change.ts';
import { differing, type Judged, takenCheck } from './judged-change.ts';

/** Where replacing and updating a row differ. */
export interface Rewrite {
  readonly action: 'replace' | 'update';
  readonly validate: Validate;
  /** The row's values with the input applied; `hidden` are the properties that the caller does not read of it. */
  readonly apply: (current: Values, input: Values, hidden: readonly string[]) => Values;
}

/** Writes the valid input of a call to a row that its caller may change. */
export type Rewriter = (target: Target, call: WriteCall) => Promise<Entity>;

/** Throws `VALIDATION_FAILED`, `ILLEGAL_TRANSITION`, and what `rowChanger`, `apply` and `updateRow` throw. */
export function rewriteAction(
  runtime: Runtime,
  resource: Resource,
  { validate, ...rewrite }: Rewrite,
): (call: WriteCall) => Promise<Entity> {
  const { action } = rewrite;
  const work = rowChanger(runtime, resource, action, rewriter(runtime, resource, rewrite));
  const commit = committing(runtime, resource, action, work);
  return async (call) => {
    validated(validate, call.input);
    return commit(call);
  };
}

export function rewriter(runtime: Runtime, resource: Resource, { action, apply }: Omit<Rewrite, 'validate'>): Rewriter {
  const { access, bound, machines } = resource;
  const { key, owner } = resource.descriptor;
  const applied = ({ current, fields }: Judged, input: Values): Values => apply(current, input, fields?.hidden ?? []);

  const rewrite = async (
    target: Judged,
    { caller, judge: judging }: WriteCall,
    input: Values,
    next = applied(target, input),
    judged?: RowChecks['judge'],
  ): Promise<RowEntity> => {
    const { row, current, fields } = target;
    // Owners and states are texts.
    const isChanged = (name: string): boolean => next[name] !== current[name];
    if (owner && isChanged(owner.property)) checkOwnerChange(resource, owner.property, caller.principal);
    if (machines.some(({ name }) => isChanged(name))) checkTransitions(machines, current, next, fields?.hidden);
    const whenTaken = access?.update || fields ? takenCheck(resource, target, caller.principal, input) : undefined;
    // What code may not write is refused before it is written: code may go on.
    const before = async (changed: Row): Promise<void> => {
      await judging?.(changed);
      await whenTaken?.(changed);
    };
    const checks = { isForced: fields?.isBlind, judge: judging ? before : judged, whenTaken, input };
    return new RowEntity(resource, await updateRow(target, resource, row, next, checks));
  };

  const override = runtime.overrides[key]?.[action];
  const overridden =
    (run: Override) =>
    async (target: Judged, call: WriteCall, input: Values): Promise<RowEntity> => {
      const next = async (values: Values): Promise<Values> => {
        const changed = appliedByCode(resource, (one) => applied(target, one), { input, values }, next);
        const isSent = isAsSent(resource, values, input);
        const judged = isSent ? undefined : (row: Row) => judge(resource, row, next, target.row);
        return (await rewrite(target, call, values, changed, judged)).value;
      };
      const context = target.context(call, target.current);
      return entityOfValues(resource, (await run(normalized(resource, input) as never, context, next)) as Values);
    };
  const make = override ? overridden(override) : rewrite;

  const ruled = async (target: Judged, call: WriteCall, input: Values): Promise<RowEntity> => {
    const { row, current, transaction } = target;
    const { principal } = call.caller;
    await checkReferences(transaction.unlocked, resource, input, row, call);
    const changed = await make(target, call, input);
    const id = resource.valueIn(row, 'id') as Id;
    const given = () => differing(resource, input, current);
    await checkAllowed(transaction.unlocked, resource, id, principal, { action: 'update', given });
    return changed;
  };
  const change = access?.update || bound.length > 0 ? ruled : make;
  if (!resource.fields) return (target, call) => change(target, call, call.input as Values);
  return async (target, call) => {
    const { principal } = call.caller;
    const reader = target.transaction.unlocked;
    const sent = { action, input: call.input as Values, row: target.row, judge: call.judge };
    const fields = await fieldWrites(reader, resource, sent, principal);
    const { row } = await change({ ...target, fields }, call, fields.input);
    await checkStillWritable(reader, resource, fields.written, row, principal);
    return shown(reader, resource, row, principal);
  };
}

/** What code makes of a row. A fault that the caller's own input does not have is the code's. */
function appliedByCode(
  resource: Resource,
  apply: (input: Values) => Values,
  { input, values }: { readonly input: Values; readonly values: Values },
  called: Called,
): Values {
  try {
    return apply(values);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') throw error;
    apply(input);
    throw rowError(resource, error.errors!, called);
  }
}
