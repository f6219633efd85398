import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { withDoubles } from '../../../descriptor/written-number.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import { patched } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { validationFailed } from '../resource/validated.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { rewriteAction } from './rewrite.ts';

/** Throws what `rewriteAction` throws. */
export function updateAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  return rewriteAction(runtime, resource, {
    action: 'update',
    validate: resource.validatePatch,
    apply(current, patch, hidden) {
      const next = merged(resource, current, patch, hidden);
      checkMerged(resource, next, patch);
      return next;
    },
  });
}

/**
 * The row's values with the patch applied (RFC 7396): null clears a property. What the caller does not read is null to
 * it, and nothing that an object could be merged into: what is wrong with the result would reveal what is there.
 */
function merged(resource: Resource, current: Values, patch: Values, hidden: readonly string[]): Values {
  const next: Record<string, unknown> = { ...current };
  for (const [name, change] of Object.entries(patch)) {
    const property = resource.property.get(name);
    if (!property || change === undefined) continue;
    const isNew = hidden.includes(name) || isOtherVariant(property, current[name], change);
    const before = isNew ? undefined : current[name];
    next[name] = patched(property, before, change);
  }
  return next;
}

/**
 * A patch that names another variant of a union starts from an empty object: merging it into the current variant would
 * leave members that belong to neither.
 */
function isOtherVariant({ discriminator }: PropertyDescriptor, current: unknown, change: unknown): boolean {
  if (discriminator === undefined) return false;
  const named = (change as Values | null)?.[discriminator];
  return named !== undefined && named !== (current as Values | null | undefined)?.[discriminator];
}

/** A valid patch may yield an invalid resource. Errors in properties that it does not touch are not the caller's fault. */
function checkMerged(resource: Resource, next: Values, patch: Values): void {
  const input = inputOf(resource, next);
  const faults = resource.validateMerged(input) && resource.validateMerged(withDoubles(input));
  const errors = faults?.filter((error) => concerns(error, patch));
  if (errors && errors.length > 0) throw validationFailed(errors);
}

function concerns(error: FieldError, patch: Values): boolean {
  if (!('pointer' in error)) return true;
  const [name] = pointerTokens(error.pointer);
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
