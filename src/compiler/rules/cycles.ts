import { type Reference, referencesOf } from '../model/access/relations.ts';
import type { ResourceDraft } from '../model/draft.ts';

type Cycle = readonly [Reference, ...Reference[]];

/** Resources whose first row each needs one of another first: nobody can make any, but for what is in the database already. */
export function* cyclesOf(resources: readonly ResourceDraft[]): Iterable<Cycle> {
  const needs = needsOf(resources);
  const told = new Set<ResourceDraft>();
  for (const { from } of needs) {
    const [first, ...others] = told.has(from) ? [] : (cycleFrom(from, needs) ?? []);
    if (!first) continue;
    for (const need of [first, ...others]) told.add(need.from);
    yield [first, ...others];
  }
}

/** The references that whoever creates a row must name, in the path or in the input, where callers create both ends. */
const needsOf = (resources: readonly ResourceDraft[]): readonly Reference[] =>
  referencesOf(resources).filter(({ from, property: { name }, target }) => {
    const sent = from.input?.properties.get(name);
    const isSent = sent !== undefined && from.input!.flat.required.has(name) && !sent.flat.nullable;
    const isNeeded = isSent || from.parent?.property === name;
    return isNeeded && [from, target].every(({ operations }) => operations.create !== undefined);
  });

/** The needs that lead from a resource back to it. */
function cycleFrom(start: ResourceDraft, needs: readonly Reference[]): readonly Reference[] | undefined {
  const seen = new Set<ResourceDraft>();
  const search = (from: ResourceDraft): readonly Reference[] | undefined => {
    if (seen.has(from)) return undefined;
    seen.add(from);
    for (const need of needs.filter((one) => one.from === from)) {
      const rest = need.target === start ? [] : search(need.target);
      if (rest) return [need, ...rest];
    }
    return undefined;
  };
  return search(start);
}
