import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import {
  declaredAction,
  dependenciesOf,
  type Id,
  type ResourceDescriptor,
  type ThroughDescriptor,
} from '../../descriptor/resource.ts';
import type { RowAction } from '../../descriptor/row-access.ts';
import type { Counted } from '../../runtime/engine/lists/index.ts';
import { admits, type Caller } from '../harness/callers.ts';
import type { Rows, StoredRecord } from '../harness/rows.ts';
import type { Outcome, Step } from '../harness/step.ts';
import { FilterModel } from './filter-model.ts';
import { isJudged, type Judgement } from './judgement.ts';
import type { Reach } from './reach.ts';
import { every, type RuleModel, some } from './rule-model.ts';

const RULE_OF = {
  list: 'read',
  get: 'read',
  create: 'create',
  replace: 'update',
  update: 'update',
  delete: 'delete',
} as const;

/** Answers that reveal a row that the caller may not read. */
const TELLING = new Set(['FORBIDDEN', 'PRECONDITION_FAILED', 'ILLEGAL_TRANSITION', 'IMMUTABLE_PROPERTY']);

/** To create by `PUT` is refused with some of them whatever there is: by `If-Match`, or an id that is not the path's. */
const tells = ({ actions }: ResourceDescriptor, action: Step['action'], code: string): boolean =>
  action === 'replace' && actions.replace?.creates ? code === 'ILLEGAL_TRANSITION' : TELLING.has(code);

type Filter = Readonly<Record<string, unknown>>;

/** Judges the answers about resources with rules of row access by the rules themselves. */
export class RuleOracle {
  readonly #rows: Rows;
  readonly #reach: Reach;
  readonly #model: RuleModel;
  readonly #filters: FilterModel;
  readonly #overridden: ReadonlySet<string>;

  /** `overridden`: the operations that handlers answer in their own ways. */
  constructor(reach: Reach, overridden: ReadonlySet<string>) {
    this.#rows = reach.rows;
    this.#reach = reach;
    this.#model = reach.model;
    this.#filters = new FilterModel(reach.rows, reach.model);
    this.#overridden = overridden;
  }

  /** To be called before a step is run; undefined where the rules say nothing of its answer. */
  before(step: Step): Judgement | undefined {
    const { resource, action, caller, query = {}, through } = step;
    const filter = resource.list?.filter === undefined ? undefined : (query[FILTER_PARAMETER] as Filter | undefined);
    if (!isJudged(step, this.#overridden)) return undefined;
    if (!admits((through ?? declaredAction(resource, action)).access, caller)) return undefined;
    const ends = through ? dependenciesOf(through).map((one) => this.#rows.resource(one.resource)) : [];
    if (![resource, ...ends].some((one) => this.#isRuled(one)) && filter === undefined) return undefined;
    if (action === 'list') return this.#ofList(step, filter);
    if (action !== 'get' && this.#model.isTenantless(resource, caller))
      return (outcome) =>
        codeOf(outcome) === 'FORBIDDEN'
          ? undefined
          : `${caller.name} has no tenant, but REST answers ${codeOf(outcome)}`;
    return this.#ofRow(step, action === 'create' ? undefined : this.#rowOf(step));
  }

  #ofList(step: Step, filter: Filter | undefined): Judgement {
    const { resource, caller, query = {} } = step;
    const hidden = filter && this.#filters.hiddenIn(resource, filter, caller);
    if (hidden !== undefined)
      return ({ kind }) =>
        kind === 'data' ? `by the rules, ${caller.name} may not ask by ${hidden}, but did` : undefined;
    const isPlain = Object.keys(query).every((name) => name === 'count' || query[name] === filter);
    const listed = isPlain ? this.#listed(step, filter) : undefined;
    return (outcome) => listed && listDifference(resource, listed, outcome);
  }

  #ofRow({ resource, action, caller }: Step, row: StoredRecord | undefined): Judgement {
    const rule = RULE_OF[action];
    const allows = row && this.#isDecided(resource, rule) ? this.#model.allows(rule, resource, row, caller) : undefined;
    const reads =
      row && (this.#reach.isNamed(resource, row, caller) ? this.#model.reads(resource, row, caller) : false);
    const may = `by the rules, ${caller.name} may`;
    return (outcome) => {
      const code = codeOf(outcome);
      // A parent that may be read and not changed is refused whatever its children are.
      const isOfParent = code === 'FORBIDDEN' && allows === undefined;
      if (reads === false && (code === 'data' || tells(resource, action, code)) && !isOfParent)
        return `${may} not read the row, but REST answers ${code}`;
      if (action === 'get')
        return reads && code !== 'data' ? `${may} read the row, but REST answers ${code}` : undefined;
      if (allows === false && code === 'data') return `${may} not ${action} the row, but does`;
      if (action === 'delete')
        return reads && allows && code === 'FORBIDDEN'
          ? `${may} delete the row, but REST answers FORBIDDEN`
          : undefined;
      return this.#afterwards(resource, row ? 'update' : 'create', caller, outcome);
    };
  }

  /** Whether the rules hide from a caller what the resources of a step belong to. */
  hidesParent({ resource: { parent }, params, caller }: Step): boolean {
    if (!parent) return false;
    const above = this.#rows.resource(parent.resource);
    const named = { [above.idParameter]: params[parent.parameter] ?? '' };
    const row = this.#reach.row(above, named, caller);
    if (row) return this.#model.reads(above, row, caller) === false;
    return this.#rows.allNamed(above, named).length > 0;
  }

  /** The rule must hold for the row as it is then. */
  #afterwards(resource: ResourceDescriptor, rule: RowAction, caller: Caller, outcome: Outcome): string | undefined {
    const id = outcome.kind === 'data' ? (outcome.value as { readonly id?: Id } | null)?.id : undefined;
    const row = id === undefined ? undefined : this.#rows.find(resource, id);
    if (row && rule === 'create' && !this.#model.isOwn(resource, row, caller))
      return `${caller.name} has created a row of another tenant`;
    if (!row || this.#model.allows(rule, resource, row, caller) !== false) return undefined;
    return `by the rules, ${caller.name} may not ${rule} such a row, but did`;
  }

  /**
   * The row that parameters name, if those of its ancestors are right; or else one of another tenant with the same key,
   * which is not there for the caller, unless the step creates one in its place.
   */
  #rowOf({ resource, action, params, caller }: Step): StoredRecord | undefined {
    const rows = this.#rows.allNamed(resource, params).filter((row) => this.#isBelow(resource, row, params));
    const creates = action === 'replace' && resource.actions.replace?.creates;
    return rows.find((row) => this.#reach.isNamed(resource, row, caller)) ?? (creates ? undefined : rows[0]);
  }

  /** Whether parameters have the ids and keys of a row's ancestors. */
  #isBelow(resource: ResourceDescriptor, row: StoredRecord, params: Step['params']): boolean {
    const ancestors = Object.entries(this.#rows.ancestorsOf(resource, row));
    return ancestors.every(([name, id]) => params[name]?.toLowerCase() === id.toLowerCase());
  }

  #listed({ resource, params, caller, through }: Step, filter: Filter = {}): readonly string[] | undefined {
    if (!this.#filters.isAdmitted(resource, filter, caller)) return undefined;
    const rows = this.#rows
      .of(resource)
      .filter((row) => this.#isBelow(resource, row, params) && this.#reach.isBelowNamed(resource, row, caller));
    const readable = rows.map((row) =>
      every([
        this.#model.reads(resource, row, caller),
        this.#filters.holds(resource, filter, row, caller),
        through?.kind === 'through' ? this.#isJoined(through, params, row, caller) : true,
      ]),
    );
    if (readable.includes(undefined)) return undefined;
    return rows.filter((_, at) => readable[at]).map((row) => String(row['id']));
  }

  /** Whether a row that the caller reads joins this one to the row that the parameters name, which it reads, too. */
  #isJoined(
    { below, join, from, to }: ThroughDescriptor,
    params: Step['params'],
    row: StoredRecord,
    caller: Caller,
  ): boolean | undefined {
    const holder = this.#rows.resource(below);
    const above = this.#reach.row(holder, params, caller);
    if (!above) return this.#rows.allNamed(holder, params).length > 0 ? false : undefined;
    const joins = this.#rows
      .of(this.#rows.resource(join))
      .filter((one) => one[from] === above['id'] && one[to] === row['id']);
    return every([
      this.#model.reads(holder, above, caller),
      some(joins.map((one) => this.#model.reads(this.#rows.resource(join), one, caller))),
    ]);
  }

  #isRuled(resource: ResourceDescriptor): boolean {
    return resource.rowAccess !== undefined || this.#parents(resource).some(({ rowAccess }) => rowAccess);
  }

  /** Whether the resource's own rule decides alone: where it has none, to change a child is to change its parent. */
  #isDecided(resource: ResourceDescriptor, rule: RowAction): boolean {
    const family = [resource, ...this.#parents(resource)];
    if (family.some(({ owner }) => owner)) return false;
    return resource.rowAccess?.[rule] !== undefined || family.every(({ rowAccess }) => rowAccess?.update === undefined);
  }

  #parents({ parent }: ResourceDescriptor): readonly ResourceDescriptor[] {
    if (!parent) return [];
    const above = this.#rows.resource(parent.resource);
    return [above, ...this.#parents(above)];
  }
}

const codeOf = (outcome: Outcome): string => (outcome.kind === 'error' ? outcome.code : outcome.kind);

/** A parent that is hidden makes the list 404, which is right where nothing of it can be read. */
function listDifference({ list }: ResourceDescriptor, listed: readonly string[], outcome: Outcome): string | undefined {
  if (outcome.kind !== 'data')
    return listed.length > 0 ? 'by the rules, the caller may read rows of the list, but REST refuses it' : undefined;
  const { data, page } = outcome.value as { data: readonly { id: Id }[]; page: Counted };
  const strange = data.find(({ id }) => !listed.includes(String(id)));
  if (strange) return `by the rules, the caller may not read ${strange.id}, which REST lists`;
  const most = Math.min(listed.length, list?.defaultLimit ?? 0);
  if (data.length < most)
    return `by the rules, the caller may read ${listed.length} rows, of which REST lists ${data.length}`;
  return countDifference(list?.countBound, listed.length, page);
}

/** Counts are exact up to their bound, and say so. */
function countDifference(bound: number | undefined, rows: number, page: Counted): string | undefined {
  const { totalCount, totalCountIsExact } = page;
  if (totalCount === undefined) return undefined;
  const [most, isExact] = bound === undefined ? [rows, undefined] : [Math.min(rows, bound), rows <= bound];
  if (totalCount !== most) return `by the rules, the caller may read ${rows} rows, but REST counts ${totalCount}`;
  if (totalCountIsExact === isExact) return undefined;
  return `the caller may read ${rows} rows, of which REST counts ${totalCount} and says \`totalCountIsExact: ${totalCountIsExact}\``;
}
