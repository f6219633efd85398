import type { ChunkingContext, CodeSplittingNameFunction } from 'rolldown';

/** What a process or a thread begins with. */
export interface Begin {
  readonly modules: readonly string[];
  /** Whether it also imports what its modules import later. */
  readonly all: boolean;
}

/**
 * Names the files of an image for the modules of a start, by the beginnings that import them: Node finds, reads and links
 * each file by itself, which cost a start a twentieth. Others, such as the thread of slow reads, load nothing of the server
 * that they do not use. The remaining modules are left to the bundler.
 */
export function filesOfStarts<Name extends string>(
  begins: Readonly<Record<Name, Begin>>,
  starts: readonly Name[],
): CodeSplittingNameFunction {
  const all = Object.entries<Begin>(begins) as [Name, Begin][];
  let reached: readonly (readonly [Name, ReadonlySet<string>])[] | undefined;
  return (id, context) => {
    reached ??= all.map(([name, begin]) => {
      const others = all.flatMap(([other, { modules }]) => (other === name ? [] : modules));
      return [name, reachedFrom(begin, new Set(others), context)];
    });
    const names = reached.flatMap(([name, ids]) => (ids.has(id) ? [name] : []));
    return names.some((name) => starts.includes(name)) ? names.join('-') : null;
  };
}

/** `others`: modules that are not imported later for this beginning. */
function reachedFrom(
  { modules, all }: Begin,
  others: ReadonlySet<string>,
  context: ChunkingContext,
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    const info = context.getModuleInfo(id);
    info?.importedIds.forEach(visit);
    if (all) info?.dynamicallyImportedIds.filter((one) => !others.has(one)).forEach(visit);
  };
  modules.forEach(visit);
  return found;
}
