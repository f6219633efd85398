import type { Id } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { ChangeKind } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import type { RowChange } from './row-change.ts';

/** Keys of the resources that can be subscribed to. */
export type Watched = ReadonlySet<string>;

/** The rows that one transaction changes, each with its net change, in the order of their first change. */
export class ChangeLog {
  readonly #watched: Watched;
  readonly #changes = new Map<string, RowChange>();
  readonly #stale = new Set<string>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  get changes(): readonly RowChange[] {
    return [...this.#changes.values()];
  }

  /** Keys of the resources whose lists may have changed. */
  get stale(): ReadonlySet<string> {
    return this.#stale;
  }

  /** Marks the lists as stale that a written or a deleted row may appear in. */
  markStale({ stale }: Resource, kind: 'write' | 'delete'): void {
    for (const key of stale[kind]) this.#stale.add(key);
  }

  isWatched({ descriptor }: Resource): boolean {
    return this.#watched.has(descriptor.key);
  }

  /** Records a change of a row. Called while the row's ancestors still exist. */
  record(kind: ChangeKind, resource: Resource, row: Row, reader: Reader): MaybePromise<void> {
    if (!this.isWatched(resource)) return;
    if (!hasOwnedAncestor(resource)) return this.#add(kind, resource, row, []);
    return ancestorsOf(resource, row, reader).then((ancestors) => this.#add(kind, resource, row, ancestors));
  }

  #add(kind: ChangeKind, resource: Resource, row: Row, ancestors: readonly Row[]): void {
    const key = `${resource.descriptor.key} ${resource.valueIn(row, 'id')}`;
    const before = this.#changes.get(key)?.kind;
    const isUndone = before === 'created' && kind === 'deleted';
    if (isUndone) this.#changes.delete(key);
    else {
      const merged = before === 'created' ? 'created' : before === 'deleted' && kind === 'created' ? 'updated' : kind;
      this.#changes.set(key, { resource: resource.descriptor.key, kind: merged, row, ancestors });
    }
  }
}

/** Whether the owner of an ancestor decides who may see a row of the resource. */
function hasOwnedAncestor({ parent }: Resource): boolean {
  return parent !== undefined && (parent.descriptor.owner?.reads === 'owner' || hasOwnedAncestor(parent));
}

async function ancestorsOf(resource: Resource, row: Row, reader: Reader): Promise<readonly Row[]> {
  const { parent } = resource;
  if (!parent) return [];
  const id = resource.valueIn(row, resource.descriptor.parent!.property) as Id;
  const above = await reader.get(parent.descriptor.key, id);
  return above ? [above, ...(await ancestorsOf(parent, above, reader))] : [];
}
