import { isReferring, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Columns } from '../../storage/store.ts';

/** Each set of columns makes statements of its own. */
const MAX_SHAPES = 200;

/** The properties that are asked for of rows, as the columns to read; undefined: all. */
export type ColumnsOf = (asked: ReadonlySet<string> | undefined) => Columns | undefined;

const WHOLE: ColumnsOf = () => undefined;

/**
 * What is read of rows of which some properties are asked for: these, and what leads from a row to others. Rules of
 * properties look at whole rows.
 */
export function columnsReader(descriptor: ResourceDescriptor, hasRules: boolean): ColumnsOf {
  if (hasRules) return WHOLE;
  const { owner, parent, tenant, properties } = descriptor;
  const always = new Set(['id', 'version', owner?.property, parent?.property, tenant?.property]);
  for (const { name } of properties.filter(isReferring)) always.add(name);
  const shapes = new Map<string, Columns>();
  const known = new WeakMap<ReadonlySet<string>, Columns | undefined>();
  const columnsFor = (asked: ReadonlySet<string>): Columns | undefined => {
    const names = properties.map(({ name }) => name).filter((name) => asked.has(name) || always.has(name));
    const shape = names.join();
    if (names.length === properties.length || (shapes.size >= MAX_SHAPES && !shapes.has(shape))) return undefined;
    if (!shapes.has(shape)) shapes.set(shape, { shape, names: new Set(names) });
    return shapes.get(shape);
  };
  return (asked) => {
    if (!asked) return undefined;
    if (!known.has(asked)) known.set(asked, columnsFor(asked));
    return known.get(asked);
  };
}
