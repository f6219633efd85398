import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { WriteCall } from '../call.ts';
import type { Entity } from '../engine.ts';
import { entityOfRow, entityOfValues } from '../entity.ts';
import { normalize, normalized } from '../normalize.ts';
import { checkOwnerKept } from '../ownership.ts';
import type { Resource } from '../resource.ts';
import type { Values } from '../row-codec.ts';
import { updateRow } from '../row-writer.ts';
import type { Runtime } from '../runtime.ts';
import { checkTransitions } from '../transitions.ts';
import { validated } from '../validated.ts';
import { changing, type Target } from './change.ts';

/** Throws `VALIDATION_FAILED`, `NOT_FOUND`, `PRECONDITION_FAILED`, `IMMUTABLE_PROPERTY`, and what `updateRow` throws. */
export function replaceAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  const replace = async (
    { transaction, row, current, now }: Target,
    call: WriteCall,
    input: Values,
  ): Promise<Entity> => {
    const next = { ...current, ...replacement(resource, current, input) };
    checkImmutables(resource, current, next);
    checkOwnerKept(resource, next, current, call.caller.principal);
    checkTransitions(resource.machines, current, next);
    return entityOfRow(resource, await updateRow(transaction, resource, row, next, now));
  };

  const override = runtime.overrides[resource.descriptor.key]?.replace;
  return async (call) => {
    const input = validated<Values>(resource.validateInput, call.input);
    return changing(runtime, resource, call, async (target) => {
      if (!override) return replace(target, call, input);
      const next = async (made: Values): Promise<Values> => (await replace(target, call, made)).value;
      const context = target.context(call, target.current);
      return entityOfValues(resource, (await override(normalized(resource, input) as never, context, next)) as Values);
    });
  };
}

/**
 * An absent property goes back to its initial value or is cleared, but for those that a caller cannot clear: a state,
 * an immutable, the owner, and what only the server sets.
 */
function replacement(resource: Resource, current: Values, input: Values): Values {
  const replaced: Record<string, unknown> = {};
  for (const property of resource.descriptor.properties) {
    const { name, origin, immutable, transitions } = property;
    if (origin === 'managed' || origin === 'parent') continue;
    const isKept = origin === 'server' || immutable || transitions || name === resource.descriptor.owner?.property;
    if (input[name] !== undefined) replaced[name] = normalize(property, input[name]);
    else replaced[name] = isKept ? current[name] : (property.initial ?? null);
  }
  return replaced;
}

function checkImmutables(resource: Resource, current: Values, next: Values): void {
  const before = resource.codec.toRow(current);
  const after = resource.codec.toRow(next);
  const changed = resource.immutables.filter(
    ({ name }) => before[resource.index(name)] !== after[resource.index(name)],
  );
  if (changed.length === 0) return;
  const detail = 'can only be set on creation';
  throw new ApiError('IMMUTABLE_PROPERTY', {
    detail: `${changed.map(({ name }) => name).join(', ')} ${detail}.`,
    errors: changed.map(({ name }): FieldError => ({ pointer: `/${name}`, code: 'IMMUTABLE_PROPERTY', detail })),
  });
}
