import type { RecordedContract } from '../../../descriptor/migration/contract-record.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { HandWritten } from './hand-written.ts';
import type { MigrationTarget } from './target.ts';

type Live = ReadonlyMap<string, LiveTable>;

/** Instances of the contract that a database was served by last: what they read and write goes on under their feet. */
export interface OldInstances {
  /** `info.version` of their contract. */
  readonly version: string;
  /** By table and column, whether they may write null. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

/** Undefined if no contract is recorded. A record without columns stands for all that are there. */
export function oldInstancesOf(last: RecordedContract | undefined, live: Live): OldInstances | undefined {
  if (!last?.shapes) return undefined;
  const { tables, columns } = last.shapes;
  const uses = Object.keys(tables).map((table): [string, ReadonlyMap<string, boolean>] => {
    const recorded = columns?.[table];
    if (recorded)
      return [table, new Map(Object.entries(recorded).map(([name, { isRequired }]) => [name, !isRequired]))];
    return [table, new Map([...(live.get(table)?.columns.keys() ?? [])].map((name) => [name, true]))];
  });
  return { version: last.version, uses: new Map(uses) };
}

/** What a change of the tables takes from old instances, in words; empty if they go on. */
export function brokenBy({ uses }: OldInstances, before: Live, after: Live): string[] {
  return [...uses].flatMap(([table, columns]) => {
    const [was, is] = [before.get(table), after.get(table)];
    if (!was) return [];
    if (!is) return [`table ${table} is gone`];
    const taken = [...columns].flatMap(([name, mayBeNull]) => {
      const [old, now] = [was.columns.get(name), is.columns.get(name)];
      if (!old) return [];
      if (!now) return [`column ${table}.${name} is gone`];
      if (now.type !== old.type) return [`column ${table}.${name} is ${now.type}`];
      if (now.isComputed && !old.isComputed) return [`column ${table}.${name} cannot be written`];
      return mayBeNull && now.isRequired && !old.isRequired ? [`column ${table}.${name} may not be empty`] : [];
    });
    const unwritten = [...is.columns].filter(([name, { isRequired, hasDefault, isCounted }]) => {
      const old = was.columns.get(name);
      const wasDue = old?.isRequired && !old.hasDefault;
      return !columns.has(name) && isRequired && !hasDefault && !isCounted && !wasDue;
    });
    return [...taken, ...unwritten.map(([name]) => `column ${table}.${name} is required, and they do not write it`)];
  });
}

/** What one file or step does to old instances; `breaks` undefined: it was not tried. */
export interface Effect {
  readonly name: string;
  readonly breaks?: readonly string[];
}

/** A file breaks instances that may run, and does not say so. */
export class BrokenInstancesError extends Error {
  constructor({ name }: HandWritten, version: string, breaks: readonly string[]) {
    super(
      [
        `migrations/${name} breaks running instances of the contract before (${version}): ${breaks.join('; ')}.`,
        'The file has changed nothing. If they may fail until they are replaced, add a line at its top: -- lockstep: breaks old instances',
      ].join('\n'),
    );
    this.name = 'BrokenInstancesError';
  }
}

/** Throws `BrokenInstancesError` after a file that breaks instances without its mark. */
export function guardAgainst(target: MigrationTarget, old: OldInstances, before: Live) {
  return async (file: HandWritten): Promise<void> => {
    if (file.marks.has('breaks old instances')) return;
    const breaks = brokenBy(old, before, await target.liveTables());
    if (breaks.length > 0) throw new BrokenInstancesError(file, old.version, breaks);
  };
}
