import type { WriteCall } from '../interface/call.ts';
import type { Entity, Replacement } from '../interface/engine.ts';
import { immutable } from '../resource/faults.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { replaceOrCreate } from './replace-or-create.ts';
import { rewriteAction } from './rewrite.ts';

/** Throws `IMMUTABLE_PROPERTY` and what `rewriteAction` throws, and where it creates, what `createAt` throws. */
export function replaceAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Replacement> {
  const rewrite = rewriting(runtime, resource);
  if (resource.descriptor.actions.replace?.creates) return replaceOrCreate(runtime, resource, rewrite);
  return async (call) => ({ entity: await rewrite(call), isCreated: false });
}

function rewriting(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
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
 * values: states, immutable properties, the owner, those that only the server sets, and required ones that a table of others
 * has filled in.
 */
function replacement(resource: Resource, current: Values, input: Values): Values {
  const replaced: Record<string, unknown> = {};
  for (const property of resource.descriptor.properties) {
    const { name, origin, immutable, transitions, initial } = property;
    if (origin === 'managed' || origin === 'parent') continue;
    const isKept =
      origin === 'server' ||
      immutable ||
      transitions ||
      name === resource.descriptor.owner?.property ||
      (resource.descriptor.mapped && property.required && !property.nullable && initial === undefined);
    if (input[name] !== undefined) replaced[name] = normalize(property, input[name]);
    else replaced[name] = isKept ? current[name] : (initial ?? null);
  }
  return replaced;
}

function checkImmutables(resource: Resource, current: Values, next: Values): void {
  const before = resource.codec.toRow(current);
  const after = resource.codec.toRow(next);
  const changed = resource.immutables.filter(
    ({ name }) => before[resource.index(name)] !== after[resource.index(name)],
  );
  if (changed.length > 0) throw immutable(changed.map(({ name }) => name));
}
