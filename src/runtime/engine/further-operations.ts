import { lookUp } from '../../descriptor/look-up.ts';
import { batchesOf, linksOf, nestedOf, totalsOf } from '../../descriptor/resource.ts';
import { guarded } from './access/door.ts';
import { batchAction, type Writes } from './actions/batch.ts';
import { linkAction } from './actions/link.ts';
import { throughActions } from './actions/list-each.ts';
import { placed } from './actions/placed.ts';
import { totalsAction } from './actions/totals.ts';
import type { ResourceActions } from './interface/engine.ts';
import type { Resource } from './resource/resource.ts';
import type { Runtime } from './transaction/runtime.ts';

type FurtherOperations = Pick<ResourceActions, 'furtherLists' | 'totals' | 'batches' | 'links'>;

/** The actions that write, each made when it is first used. */
type LazyWrites = { readonly [W in keyof Writes]: () => Writes[W] };

/** What a resource has beside its actions, by kind. */
export const furtherOperations = (runtime: Runtime, resource: Resource, writes: LazyWrites): FurtherOperations => ({
  furtherLists: furtherLists(runtime, resource),
  totals: totalsOperations(runtime, resource),
  batches: batchOperations(runtime, resource, writes),
  links: linkOperations(runtime, resource, writes),
});

function furtherLists(runtime: Runtime, resource: Resource): FurtherOperations['furtherLists'] {
  return new Map(
    nestedOf(resource.descriptor).map((descriptor) => {
      const { list, listEach } = throughActions(runtime, resource, descriptor);
      const { access, operationId } = descriptor;
      return [operationId, { access, list: guarded(access, list), listEach: guarded(access, listEach) }];
    }),
  );
}

function totalsOperations(runtime: Runtime, resource: Resource): FurtherOperations['totals'] {
  return new Map(
    totalsOf(resource.descriptor).map((descriptor) => {
      const { access, operationId } = descriptor;
      const read = placed((of, one) => totalsAction(of, one, descriptor))(runtime, resource);
      const checkQuery = lookUp(resource.queryChecks, operationId);
      return [operationId, { access, checkQuery, read: guarded(access, read) }];
    }),
  );
}

function batchOperations(
  runtime: Runtime,
  resource: Resource,
  { create, replace, update, delete: remove }: LazyWrites,
): FurtherOperations['batches'] {
  const batches = batchesOf(resource.descriptor);
  if (batches.length === 0) return NONE;
  const writes = { create: create(), replace: replace(), update: update(), delete: remove() };
  return new Map(
    batches.map((descriptor) => {
      const { access, operationId } = descriptor;
      const validate = lookUp(resource.batchInputs, operationId);
      return [
        operationId,
        { access, run: guarded(access, batchAction(runtime, resource, descriptor, writes, validate)) },
      ];
    }),
  );
}

const NONE: FurtherOperations['batches'] = new Map();

function linkOperations(runtime: Runtime, resource: Resource, writes: LazyWrites): FurtherOperations['links'] {
  return new Map(
    linksOf(resource.descriptor).map((descriptor) => {
      const { access, operationId } = descriptor;
      return [operationId, { access, run: guarded(access, linkAction(runtime, resource, descriptor, writes)) }];
    }),
  );
}
