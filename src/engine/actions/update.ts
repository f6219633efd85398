import type { FieldError } from '../../errors/api-error.ts';
import type { WriteCall } from '../call.ts';
import type { Entity } from '../engine.ts';
import { entityOfRow, entityOfValues } from '../entity.ts';
import { mergePatch } from '../merge-patch.ts';
import { normalize, normalized } from '../normalize.ts';
import { checkOwnerKept } from '../ownership.ts';
import type { Resource } from '../resource.ts';
import type { Values } from '../row-codec.ts';
import { updateRow } from '../row-writer.ts';
import type { Runtime } from '../runtime.ts';
import { checkTransitions } from '../transitions.ts';
import { validated, validationFailed } from '../validated.ts';
import { changing, type Target } from './change.ts';

/** Throws `VALIDATION_FAILED`, `NOT_FOUND`, `PRECONDITION_FAILED`, `ILLEGAL_TRANSITION`, and what `updateRow` throws. */
export function updateAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  const update = async (
    { transaction, row, current, now }: Target,
    call: WriteCall,
    patch: Values,
  ): Promise<Entity> => {
    const next = merged(resource, current, patch);
    checkMerged(resource, next, patch);
    checkOwnerKept(resource, next, current, call.caller.principal);
    checkTransitions(resource.machines, current, next);
    return entityOfRow(resource, await updateRow(transaction, resource, row, next, now));
  };

  const override = runtime.overrides[resource.descriptor.key]?.update;
  return async (call) => {
    const patch = validated<Values>(resource.validatePatch, call.input);
    return changing(runtime, resource, call, async (target) => {
      if (!override) return update(target, call, patch);
      const next = async (made: Values): Promise<Values> => (await update(target, call, made)).value;
      const context = target.context(call, target.current);
      return entityOfValues(resource, (await override(normalized(resource, patch) as never, context, next)) as Values);
    });
  };
}

/** The row's values with the patch applied (RFC 7396): null clears. */
function merged(resource: Resource, current: Values, patch: Values): Values {
  const next: Record<string, unknown> = { ...current };
  for (const [name, change] of Object.entries(patch)) {
    const property = resource.property.get(name);
    if (property && change !== undefined) next[name] = normalize(property, mergePatch(current[name], change));
  }
  return next;
}

/**
 * A patch may be valid and what it makes not: an object that misses a part, say. Faults in properties that the patch
 * leaves alone are not the caller's.
 */
function checkMerged(resource: Resource, next: Values, patch: Values): void {
  const errors = resource.validateMerged(inputOf(resource, next))?.filter((error) => concerns(error, patch));
  if (errors && errors.length > 0) throw validationFailed(errors);
}

function concerns(error: FieldError, patch: Values): boolean {
  if (!('pointer' in error)) return true;
  const name = error.pointer.split('/')[1];
  return name === undefined || Object.hasOwn(patch, name);
}

/** The values as a caller would send them. */
function inputOf(resource: Resource, values: Values): Values {
  const input: Record<string, unknown> = {};
  for (const { name, nullable } of resource.inputs) {
    const value = values[name];
    if (value !== undefined && (value !== null || nullable)) input[name] = value;
  }
  return input;
}
