import type { ListCall } from '../call.ts';
import type { Page } from '../engine.ts';
import { entityOfRow, entityOfValues } from '../entity.ts';
import { planList } from '../list-plan.ts';
import type { PageOf } from '../overrides.ts';
import type { Resource } from '../resource.ts';
import type { Values } from '../row-codec.ts';
import { type Runtime, readingOnly } from '../runtime.ts';
import { checkParents, visible } from '../visibility.ts';

/** Throws `NOT_FOUND` for a missing parent, `INVALID_CURSOR`. */
export function listAction(runtime: Runtime, resource: Resource): (call: ListCall) => Promise<Page> {
  const { store, cursors, overrides } = runtime;

  const read = async ({ params, query, caller: { principal } }: ListCall): Promise<Page> => {
    if (resource.parent) await checkParents(store, resource, params, principal, 'read');
    const plan = planList(resource, query, visible(resource, params, principal), cursors);
    const rows = await store.list(plan.rows);
    const isLast = rows.length <= plan.limit;
    const page = isLast ? rows : rows.slice(0, plan.limit);
    return {
      items: page.map((row) => entityOfRow(resource, row)),
      nextCursor: isLast ? null : plan.cursorAfter(page.at(-1)!),
      ...(plan.isCounted && { totalCount: await store.count(plan.rows.resource, plan.rows.conditions) }),
    };
  };

  const override = overrides[resource.descriptor.key]?.list;
  if (!override) return read;
  return async (call) => {
    const next = async (query: ListCall['query']) => {
      const page = await read({ ...call, query });
      return { ...page, items: page.items.map(({ value }) => value) };
    };
    const context = readingOnly(runtime).context(call);
    const page = (await override(call.query as never, context, next)) as PageOf<Values>;
    return { ...page, items: page.items.map((values) => entityOfValues(resource, values)) };
  };
}
