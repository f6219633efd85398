import { isDeepStrictEqual } from 'node:util';
import {
  type Id,
  listOf,
  type PropertyDescriptor,
  propertyNamed,
  type ResourceDescriptor,
} from '../../descriptor/resource.ts';
import type { Caller } from '../harness/callers.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import type { Step } from '../harness/step.ts';
import { mayAskBy } from './filter-model.ts';
import { firstText } from './first-text.ts';
import { isJudged, type Judgement } from './judgement.ts';
import type { Reach } from './reach.ts';
import type { RuleModel } from './rule-model.ts';

/** Judges the answers about resources whose properties have rules by the rules themselves. */
export class FieldOracle {
  readonly #rows: Rows;
  readonly #reach: Reach;
  readonly #model: RuleModel;
  readonly #overridden: ReadonlySet<string>;

  /** `overridden`: the operations that handlers answer in their own ways. */
  constructor(reach: Reach, overridden: ReadonlySet<string>) {
    this.#rows = reach.rows;
    this.#reach = reach;
    this.#model = reach.model;
    this.#overridden = overridden;
  }

  /** To be called before a step is run; undefined where the rules say nothing of its answer. */
  before(step: Step): Judgement | undefined {
    const { resource, action, caller, params } = step;
    const isRuled = resource.properties.some(({ access }) => access);
    if (!isJudged(step, this.#overridden) || action === 'delete' || !isRuled) return undefined;
    if (action === 'list')
      return (outcome) => {
        if (outcome.kind !== 'data') return undefined;
        const { data } = outcome.value as { readonly data: readonly StoredRecord[] };
        return this.#asked(step) ?? firstText(data, (one) => this.#shown(resource, one, caller));
      };
    const row = action === 'create' ? undefined : this.#reach.row(resource, params, caller);
    const unwritable = row ? this.#unwritable(resource, row, caller) : [];
    return (outcome) => {
      if (outcome.kind !== 'data') return undefined;
      const answer = outcome.value as StoredRecord;
      const now = this.#rows.find(resource, answer['id'] as Id);
      const shown = this.#shown(resource, answer, caller);
      if (action === 'get' || !now || shown !== undefined) return shown;
      const refused = new Set([...unwritable, ...this.#unwritable(resource, now, caller)]);
      const written = [...refused].find(
        (name) => !isDeepStrictEqual(shownValue(resource, now, name), row ? shownValue(resource, row, name) : null),
      );
      return written && `by the rules, ${caller.name} may not write ${resource.name}.${written}, but did`;
    };
  }

  /** Whether a caller may not read a property of a row. */
  hides(resource: ResourceDescriptor, property: string, row: StoredRecord, caller: Caller): boolean {
    return this.#model.allowsField('read', resource, property, row, caller) === false;
  }

  #unwritable(resource: ResourceDescriptor, row: StoredRecord, caller: Caller): readonly string[] {
    const names = ruledBy(resource, 'write').map(({ name }) => name);
    return names.filter((name) => this.#model.allowsField('write', resource, name, row, caller) === false);
  }

  /** What an answer shows of a row is what its caller may read. */
  #shown(resource: ResourceDescriptor, answer: StoredRecord, caller: Caller): string | undefined {
    const row = this.#rows.find(resource, answer['id'] as Id);
    if (!row) return undefined;
    return firstText(ruledBy(resource, 'read'), ({ name }) => {
      const isReadable = this.#model.allowsField('read', resource, name, row, caller);
      const [shown, stored] = [answer[name] ?? null, shownValue(resource, row, name)];
      if (isReadable === false && shown !== null)
        return `by the rules, ${caller.name} may not read ${resource.name}.${name}, but REST shows it`;
      return isReadable === true && !isDeepStrictEqual(shown, stored)
        ? `by the rules, ${caller.name} may read ${resource.name}.${name}, but REST shows ${JSON.stringify(shown)}`
        : undefined;
    });
  }

  /** A list is asked by what its caller reads on every row. */
  #asked({ resource, query = {}, caller }: Step): string | undefined {
    const { filters, sorts, search = [] } = listOf(resource);
    const asked = [
      ...filters.filter(({ parameter }) => query[parameter] !== undefined).map(({ property }) => property),
      ...sorts.filter(({ value }) => [query['sort']].flat().includes(value)).map(({ property }) => property),
      ...(query['search'] === undefined ? [] : search),
    ];
    const refused = asked.find((name) => !mayAskBy(resource, name, caller));
    return refused && `by the rules, ${caller.name} may not ask by ${resource.name}.${refused}, but did`;
  }
}

/** A stored value as answers have it, or null. */
function shownValue({ properties }: ResourceDescriptor, row: StoredRecord, name: string): unknown {
  const value = row[name] ?? null;
  const isText = value !== null && propertyNamed(properties, name).type === 'json';
  return isText ? JSON.parse(value as string) : value;
}

const ruledBy = ({ properties }: ResourceDescriptor, action: 'read' | 'write'): readonly PropertyDescriptor[] =>
  properties.filter(({ access }) => access?.[action]);
