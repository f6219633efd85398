import { startWithArticle } from '../../../descriptor/article.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { once } from '../../../descriptor/once.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../storage/store.ts';
import { shown } from '../access/fields.ts';
import { ancestorsOf, checkParents } from '../access/parents.ts';
import { checkUnstored } from '../access/rules.ts';
import { rowsSeenBy, sightOf } from '../access/sight.ts';
import type { Caller, WriteCall } from '../interface/call.ts';
import { danglingReference, referenceNotFound } from '../resource/faults.ts';
import { judge } from '../resource/judged.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { type Change, changeOf } from '../transaction/in-transaction.ts';
import { deleteRow } from '../transaction/row-deleter.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { type AnyTable, missing, readsIn } from '../transaction/table.ts';
import { type AsCallerIn, type AskedAs, tablesBy } from '../transaction/tables.ts';
import { type Target, targeting } from './change.ts';
import { type Creator, creator } from './create.ts';
import { type Rewriter, rewriter } from './rewrite.ts';

/** How rows of one resource are written, without overrides. */
interface Writers {
  readonly create: Creator;
  readonly update: Rewriter;
  readonly targetOf: { readonly [A in 'update' | 'delete']: ReturnType<typeof targeting> };
}

/** The tables that code has as its caller, by the rules of rows and properties that bind the caller's own requests. */
export function asCallerIn(resources: ReadonlyMap<string, Resource>, runtimeOf: () => Runtime): AsCallerIn {
  const given = once((): Runtime => ({ ...runtimeOf(), overrides: {} }));
  const writersOf = new Map([...resources].map(([key, one]) => [key, once(() => writersFor(given(), one))]));
  return tablesBy(resources, ({ unit: { scope: _, ...unit }, caller }: AskedAs, resource) => {
    const { principal } = caller;
    const runtime = given();
    const scope = runtime.tenancy?.scopeFor(principal);
    const transaction = scope ? unit.transaction.within(scope) : unit.transaction;
    const change = changeOf(runtime, { ...unit, principal, transaction }, []);
    return tableAs(change, caller, resource, lookUp(writersOf, resource.descriptor.key));
  });
}

const writersFor = (runtime: Runtime, resource: Resource): Writers => ({
  create: creator(runtime, resource),
  update: rewriter(runtime, resource, {
    action: 'update',
    apply: (current, values) => ({ ...current, ...normalized(resource, values), id: current['id'] }),
  }),
  targetOf: {
    update: targeting(runtime, resource, 'update'),
    delete: targeting(runtime, resource, 'delete'),
  },
});

function tableAs(change: Change, caller: Caller, resource: Resource, writers: () => Writers): AnyTable {
  const { principal } = caller;
  const { onLock, transaction } = change;
  const { unlocked } = transaction;
  const { key } = resource.descriptor;

  const targetOf = async (id: Id, action: 'update' | 'delete'): Promise<Target> => {
    onLock?.(resource);
    const row = await transaction.get(key, resource.idOf(id), rowsSeenBy(resource, principal));
    if (!row) throw missing(resource);
    checkKnown(resource, principal);
    const params = await ancestorsOf(unlocked, resource, row);
    await checkParents(unlocked, resource, params, principal, action);
    return writers().targetOf[action](change, { caller, params }, row);
  };

  /** A parent that the caller does not read is like one that is not there, as it is to `store`. */
  const placed = async <T>(values: Values, work: (params: Record<string, Id>) => Promise<T>): Promise<T> => {
    const { parent } = resource.descriptor;
    const id = parent && (values[parent.property] as Id | undefined);
    try {
      return await work(id == null ? {} : { ...(await ancestorsOf(unlocked, resource, resource.codec.toRow(values))) });
    } catch (error) {
      if (!parent || id == null || !resource.levels.slice(1).some(({ notFound }) => error === notFound)) throw error;
      throw referenceNotFound([danglingReference(resource, parent.property, id)], error);
    }
  };

  const table: AnyTable = {
    ...readsIn(change, resource, sightOf(principal)),
    async create(values) {
      const called = calledFrom(table.create);
      checkKnown(resource, principal);
      const input = values as Values;
      const given = () => Object.keys(input);
      const judged = (row: Row) => {
        judge(resource, row, called);
        return checkUnstored(unlocked, resource, row, principal, { action: 'create', given });
      };
      const made = await placed(input, (params) => writers().create(change, { caller, params, input, judge: judged }));
      return (await shown(unlocked, resource, made.row, principal)).value;
    },
    async update(id, values) {
      const called = calledFrom(table.update);
      const target = await targetOf(id, 'update');
      const input = normalized(resource, values as Values);
      const call: WriteCall = {
        caller,
        params: {},
        input,
        judge: (row) => judge(resource, row, called, target.row),
      };
      const { parent } = resource.descriptor;
      if (parent && (input[parent.property] ?? target.current[parent.property]) !== target.current[parent.property])
        await placed(input, (params) => Promise.resolve(checkParents(unlocked, resource, params, principal, 'update')));
      return (await writers().update(target, call)).value;
    },
    async delete(id) {
      const target = await targetOf(id, 'delete');
      await deleteRow(target, resource, resource.idOf(id), target.row);
    },
  };
  return table;
}

function calledFrom(method: (...args: never) => unknown): { readonly stack?: string } {
  const called = {};
  Error.captureStackTrace(called, method);
  return called;
}

/** A caller without a token owns nothing. */
function checkKnown({ descriptor, levels }: Resource, principal: Principal | undefined): void {
  if (principal || !levels.some((level) => level.descriptor.owner)) return;
  throw new ApiError('FORBIDDEN', {
    detail: `${startWithArticle(descriptor.name)} belongs to a caller, and this one has no token.`,
  });
}
