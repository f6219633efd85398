import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { withAncestorIds } from '../access/parents.ts';
import type { Call } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import { readerFor } from '../transaction/reading.ts';
import type { Runtime } from '../transaction/runtime.ts';

/** Gives the ids of the ancestors to a reading action whose path may name them by other keys. */
export function placed<C extends Call, T>(
  make: (runtime: Runtime, resource: Resource) => (call: C) => MaybePromise<T>,
): (runtime: Runtime, resource: Resource) => (call: C) => MaybePromise<T> {
  return (runtime, resource) => {
    const run = make(runtime, resource);
    if (!resource.hasKeyedAncestor) return run;
    return (call) =>
      whenKnown(readerFor(runtime, call.caller), (reader) =>
        whenKnown(withAncestorIds(reader, resource, call.params, call.caller.principal), (params) =>
          run({ ...call, params }),
        ),
      );
  };
}
