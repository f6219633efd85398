import { childPointer } from '../../../descriptor/json-pointer.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { WriteCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { rewriteAction } from './rewrite.ts';

/** Throws `IMMUTABLE_PROPERTY` and what `rewriteAction` throws. */
export function replaceAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  return rewriteAction(runtime, resource, {
    action: 'replace',
    validate: resource.validateInput,
    apply(current, input) {
      const next = { ...current, ...replacement(resource, current, input) };
      checkImmutables(resource, current, next);
      return next;
    },
  });
}

/**
 * An absent property is reset to its initial value, or cleared. Properties that a caller cannot clear keep their
 * values: states, immutable properties, the owner, and those that only the server sets.
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
    errors: changed.map(
      ({ name }): FieldError => ({ pointer: childPointer('', name), code: 'IMMUTABLE_PROPERTY', detail }),
    ),
  });
}
