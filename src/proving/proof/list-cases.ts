import { type FilterDescriptor, listOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { MAX_SEARCH_LENGTH } from '../../descriptor/words/words.ts';
import { BACKWARD } from '../../runtime/engine/lists/index.ts';
import { ODD_SEARCHES, searchesOf, spelledTime } from '../../tools/synthetic/index.ts';
import type { Caller } from '../harness/callers.ts';
import type { Step } from '../harness/step.ts';
import { FilterCases } from './filter-cases.ts';
import { parentOf } from './population.ts';
import type { Proof } from './proof.ts';

/** Maximum number of pages to follow. */
const MAX_PAGES = 6;

type Query = Readonly<Record<string, unknown>>;

/** Requests for one list. */
export class ListCases {
  readonly #proof: Proof;
  readonly #resource: ResourceDescriptor;
  readonly #parameters: ReadonlyMap<string, unknown>;

  constructor(proof: Proof, resource: ResourceDescriptor) {
    this.#proof = proof;
    this.#resource = resource;
    this.#parameters = proof.queryParametersOf(resource);
  }

  get hasCount(): boolean {
    return this.#parameters.has('count');
  }

  run(caller: Caller, label: string, params: Step['params'], query: Query, isFaulty = false) {
    return this.#proof.run({ resource: this.#resource, action: 'list', caller, label, params, query, isFaulty });
  }

  /** Every filter with every operator, on values that occur in rows; every order; and some combinations. */
  *queries(): Generator<[string, Query]> {
    const { filters, sorts, maximumLimit } = listOf(this.#resource);
    for (const limit of [1, 2, maximumLimit]) yield [`limit ${limit}`, { limit }];
    for (const { value } of sorts) yield [`sort ${value}`, { sort: [value] }];
    for (const [label, query] of [...filters.flatMap((filter) => [...this.#tests(filter)]), ...this.#searches()]) {
      yield [label, query];
      const sort = sorts.length > 0 ? { sort: this.#proof.random.sample(sorts, 2).map(({ value }) => value) } : {};
      yield [`${label}, sorted`, { ...query, ...sort, ...(this.hasCount && { count: true }) }];
    }
  }

  /** What the schema of `filter` offers, each with a count: condition by condition, and some together. */
  combined(): readonly (readonly [string, Query][])[] {
    if (listOf(this.#resource).filter === undefined) return [];
    const more = this.hasCount ? { count: true } : {};
    const cases = new FilterCases(this.#proof, this.#resource);
    return [cases.single(), cases.together()].map((filters) =>
      [...filters].map((filter) => [`filter ${JSON.stringify(filter)}`, { filter, ...more }]),
    );
  }

  *#searches(): Generator<[string, Query]> {
    const { search: properties } = listOf(this.#resource);
    if (!properties) return;
    const { random } = this.#proof;
    const texts = properties.flatMap((property) => this.#valuesOf(property)).map(String);
    for (const search of [...searchesOf(random, texts), ...random.sample(ODD_SEARCHES, 4)])
      yield [`search ${JSON.stringify(search)}`, { search }];
  }

  *#tests(filter: FilterDescriptor): Generator<[string, Query]> {
    const { parameter, property, shape, operators } = filter;
    const values = this.#valuesOf(property);
    const { random } = this.#proof;
    for (const value of random.sample(values, 2)) {
      if (shape === 'eq') yield [`${parameter}=${value}`, { [parameter]: value }];
      if (shape === 'in') yield [`${parameter} in`, { [parameter]: random.sample(values, 2) }];
      for (const operator of shape === 'object' ? operators : []) {
        const operand = operator === 'contains' ? [...String(value)].slice(1, 4).join('') || 'a' : value;
        yield [`${parameter}[${operator}]`, { [parameter]: { [operator]: operand } }];
      }
    }
    if (this.#typeOf(property) === 'date-time')
      for (const value of random.sample(values, 3)) yield* this.#spelled(filter, spelledTime(random, String(value)));
    if (shape === 'object' && operators.includes('gte') && operators.includes('lte')) {
      const [least, most] = [random.pick(values), random.pick(values)];
      if (least !== undefined) yield [`${parameter} within`, { [parameter]: { gte: least, lte: most } }];
    }
  }

  /** Each operator on a time as a client writes it, which may lie between two milliseconds. */
  *#spelled({ parameter, shape, operators }: FilterDescriptor, time: string): Generator<[string, Query]> {
    if (shape === 'eq') yield [`${parameter}=${time}`, { [parameter]: time }];
    if (shape === 'in') yield [`${parameter} in ${time}`, { [parameter]: [time] }];
    for (const operator of shape === 'object' ? operators : [])
      yield [`${parameter}[${operator}]=${time}`, { [parameter]: { [operator]: time } }];
  }

  #typeOf(property: string): string | undefined {
    return this.#resource.properties.find(({ name }) => name === property)?.type;
  }

  /** The values that occur in rows, as JSON values. */
  #valuesOf(name: string): readonly unknown[] {
    const values = this.#proof.rows.of(this.#resource).map((row) => row[name]);
    return [...new Set(values.filter((value) => value !== null && !String(value).includes(',')))];
  }

  *badQueries(): Generator<[string, Query]> {
    const { maximumLimit, filters, search, sorts } = listOf(this.#resource);
    for (const limit of [0, -1, maximumLimit + 1, 1.5, 'many', 2 ** 40]) yield [`limit ${limit}`, { limit }];
    for (const cursor of ['', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) yield [`cursor "${cursor}"`, { cursor }];
    yield ['an unknown filter', { noSuchFilter: 'x' }];
    if (sorts.length > 0) yield ['an unknown order', { sort: ['noSuchOrder'] }];
    if (search) yield ['a search that is too long', { search: 'x'.repeat(MAX_SEARCH_LENGTH + 1) }];
    if (listOf(this.#resource).filter !== undefined) {
      yield ['an unknown condition', { filter: { noSuchFilter: 1 } }];
      for (const filter of new FilterCases(this.#proof, this.#resource).excessive())
        yield ['a filter beyond the bounds', { filter }];
    }
    for (const { parameter, shape, property } of filters) {
      const isText = this.#resource.properties.some(
        ({ name, type, enum: values }) => name === property && type === 'string' && values === undefined,
      );
      if (shape === 'object') yield [`${parameter}[noSuchOperator]`, { [parameter]: { noSuchOperator: '1' } }];
      if (isText) continue;
      const bad = 'no such value';
      if (shape === 'eq') yield [`${parameter}: ${bad}`, { [parameter]: bad }];
      if (shape === 'in') yield [`${parameter}: ${bad}`, { [parameter]: [bad] }];
      if (shape === 'object') yield [`${parameter}: ${bad}`, { [parameter]: { gte: bad } }];
    }
  }

  /** Follows the pages of a list in several orders, and tries each first cursor on lists that it does not belong to. */
  async follow(caller: Caller, params: Step['params']): Promise<void> {
    const { sorts } = listOf(this.#resource);
    const sortings = [undefined, ...this.#proof.random.sample(sorts, 2).map(({ value }) => value)];
    for (const [index, order] of sortings.entries()) {
      const query = { limit: 2, ...(order !== undefined && { sort: [order] }) };
      let cursor: string | null | undefined;
      for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
        const label = `page ${page + 1}${order === undefined ? '' : ` by ${order}`}`;
        const outcome = await this.run(caller, label, params, { ...query, ...(cursor && { cursor }) });
        cursor = outcome.kind === 'data' ? (outcome.value as Page).page.nextCursor : null;
        if (cursor && page === 0)
          await this.#misplaced(caller, params, cursor, sortings[(index + 1) % sortings.length]);
      }
      if (listOf(this.#resource).pagesBack) await this.#followBack(caller, params, query, order);
    }
  }

  /** From the last page to the first, and by cursors that are not valid. */
  async #followBack(
    caller: Caller,
    params: Step['params'],
    query: NonNullable<Step['query']>,
    order: string | undefined,
  ): Promise<void> {
    let cursor: string | null | undefined = BACKWARD;
    for (let page = 0; page < MAX_PAGES && cursor; page += 1) {
      const label = `page ${page + 1} from the end${order === undefined ? '' : ` by ${order}`}`;
      const outcome = await this.run(caller, label, params, { ...query, cursor });
      cursor = outcome.kind === 'data' ? (outcome.value as Page).page.previousCursor : null;
    }
    await this.run(caller, 'the last page, of any length', params, { cursor: BACKWARD });
    await this.run(caller, 'an altered cursor from the end', params, { cursor: `${BACKWARD}AA` }, true);
    await this.run(caller, 'too many from the end', params, { limit: 1_000_000, cursor: BACKWARD }, true);
  }

  async #misplaced(caller: Caller, params: Step['params'], cursor: string, order: string | undefined): Promise<void> {
    const { owner, other } = this.#proof.callers;
    const sort = order === undefined ? {} : { sort: [order] };
    await this.run(caller, 'a cursor of another order', params, { ...sort, cursor });
    await this.run(caller === owner ? other : owner, "another caller's cursor", params, { cursor });
    await this.run(caller, 'an altered cursor', params, { cursor: `${cursor.slice(0, -2)}AA` }, true);
    const elsewhere = parentOf(this.#proof, this.#resource, other);
    if (this.#resource.parent && elsewhere) await this.run(caller, "another parent's cursor", elsewhere, { cursor });
  }
}

export interface Page {
  readonly page: { readonly nextCursor: string | null; readonly previousCursor?: string | null };
}
