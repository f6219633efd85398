import type { Compilable } from 'kysely';
import type { Table } from '../../../descriptor/table.ts';
import type { CountQuery, GroupQuery, RowQuery } from '../store.ts';
import { comparisonsIn, type TestContext, tenantTest, tests } from './conditions.ts';
import { countOfEach, countOfGroups, firstOfEach, type Groups } from './each.ts';
import { areTestsBounded, isCountBounded, isLead, isPageBounded, tablesOf } from './reach.ts';
import { widthOf } from './shapes.ts';
import { limitIn, type ReadStatement, statement } from './statement.ts';

/** The statements that read the first rows of groups, and count them. */
export class GroupStatements {
  readonly #context: TestContext;
  readonly #table: Table;

  constructor(context: TestContext, table: Table) {
    this.#context = context;
    this.#table = table;
  }

  /** Arguments: the values as a JSON array, the conditions' values, the limit. Rows end with the value's index. */
  page(query: GroupQuery): ReadStatement {
    const { conditions, through } = query;
    const { dialect } = this.#context;
    const limit = limitIn(dialect, 1 + widthOf(conditions));
    // No statement for groups has a branch for each value of a list.
    const isPlain = through === undefined && comparisonsIn(conditions).every(({ operator }) => operator !== 'in');
    const isBounded = isPlain && isPageBounded(this.#table, { ...query, ...withValue(query) });
    return this.#read(query, isBounded, (groups) => firstOfEach(dialect, this.#table, groups, query, limit));
  }

  /** Arguments: the values as a JSON array, the conditions' values. */
  count(query: CountQuery): ReadStatement {
    const { through, most } = query;
    const isBounded = through === undefined && isCountBounded(this.#table, withValue(query).conditions, most);
    return this.#read(query, isBounded, (groups) => countOfEach(this.#context.dialect, this.#table, groups, most));
  }

  #read(
    { property, through, conditions }: Omit<CountQuery, 'values'>,
    isBounded: boolean,
    read: (groups: Groups) => Compilable,
  ): ReadStatement {
    const { dialect, tableOf } = this.#context;
    const filters = tests(this.#context, this.#table, conditions, 1, 'few');
    const groups = { property, filters, ...(through !== undefined && { through: tableOf(through) }) };
    const whole = { ...statement(read(groups)), isBounded, tables: tablesOf(tableOf, this.#table, conditions) };
    const isNarrow = !isBounded && isLead(this.#table, property, conditions) && areTestsBounded(tableOf, conditions);
    if (!isNarrow || through !== undefined) return whole;
    const given = tests(this.#context, this.#table, conditions, 1, 'given');
    const within = this.#table.tenant && tenantTest(this.#context, this.#table, conditions, 1);
    const few = statement(read({ property, filters: given, isNarrow, within }));
    const probe = statement(countOfGroups(dialect, this.#table, property, within));
    return { ...whole, narrow: [{ probe, statement: few }] };
  }
}

/** What is read of each group. */
const withValue = ({ property, conditions }: Omit<CountQuery, 'values'>): Pick<RowQuery, 'conditions'> => ({
  conditions: [{ property, operator: 'eq', value: '' }, ...conditions],
});
