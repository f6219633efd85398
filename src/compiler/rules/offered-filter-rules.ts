import { suggestion } from '../findings/wording.ts';
import { isServed } from '../model/access/unserved.ts';
import type { ContractDraft } from '../model/draft.ts';
import { conditionSchemas } from '../model/filters/condition-schemas.ts';
import { conditionParameter, referenceParameters } from '../model/filters/filter-parameters.ts';
import { type OfferedFilter, offeredFilters } from '../model/filters/offered-filters.ts';
import type { FilterFault, FilterRule } from '../model/filters/read-filter.ts';
import { filterParameters, parameterSchema } from '../model/resources/list-parameters.ts';
import { atOperation } from './place.ts';
import type { Check, Fault } from './rule.ts';
import { unequalFilters } from './unequal-filters.ts';

/** A check of filters by one property, and what reading the schemas of combined ones has found by the same rule. */
export const withConditions = (rule: FilterRule, check: Check): Check =>
  function* (draft) {
    yield* check(draft);
    yield* once(conditionFaults(rule, draft));
  };

function* conditionFaults(rule: FilterRule, draft: ContractDraft): Iterable<Fault> {
  for (const { read } of filtersOf(draft))
    for (const fault of read.faults) if (fault.rule === rule) yield faultOf(fault);
  if (rule === 'filter-search') yield* searches(draft);
  if (rule === 'filter-style') yield* undeclared(draft);
  if (rule === 'filter-type') yield* unequalFilters(draft);
}

/** One schema serves many lists and properties: what it is told to change is told once. */
function* once(faults: Iterable<Fault>): Iterable<Fault> {
  const said = new Map<object, Set<string>>();
  for (const fault of faults) {
    const here = said.get(fault.node) ?? new Set();
    said.set(fault.node, here);
    const words = [fault.key, fault.message, fault.hint].join();
    if (!here.has(words)) yield fault;
    here.add(words);
  }
}

const filtersOf = ({ document, resources }: ContractDraft): readonly OfferedFilter[] =>
  offeredFilters(document, resources);

function faultOf({ message, hint, node, key }: FilterFault): Fault {
  const said = typeof hint === 'string' ? hint : suggestion(hint.name, hint.known);
  return { severity: 'error', message, hint: said, node, ...(key !== undefined && { key }) };
}

/** GraphQL's input of conditions on rows has one name: the list that filters by others of it takes all of them. */
function* undeclared({ document, resources }: ContractDraft): Iterable<Fault> {
  const conditions = conditionSchemas(document);
  for (const { name, schema, operations } of resources) {
    const { list } = operations;
    if (!list || conditionParameter(list) || !conditions.has(`${name}Filter`)) continue;
    if (filterParameters(list, schema).length + referenceParameters(list, schema).length === 0) continue;
    yield {
      severity: 'error',
      message: `Filters of other lists use \`${name}Filter\`, but \`${list.operationId}\` has filters without it, though GraphQL calls both the same.`,
      hint: `Add \`{ name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/${name}Filter' } } } }\`.`,
      ...atOperation(list, 'parameters'),
    };
  }
}

/** A text is found by an index where the list itself has the filter, outside of `or` and `not`. */
function* searches(draft: ContractDraft): Iterable<Fault> {
  for (const { resource, list, read } of filtersOf(draft))
    for (const { condition, place, isShort } of read.offered) {
      const isText = condition.kind === 'compare' && condition.operator === 'contains';
      if (isServed(condition) || (isText && !isShort && isSearched(draft, list, condition.property))) continue;
      yield {
        severity: 'warning',
        message: `No index finds the rows of \`${resource.name}\` for which this condition alone holds: a list by it reads the whole table, about a second for a million rows.`,
        hint: isText
          ? `Declare \`contains\` with \`minLength: 3\` as a parameter of the list, too, or leave it out.`
          : 'Leave it out, or accept it.',
        ...place,
      };
    }
}

/** Whether the list has the filter as a parameter of its own, which indexes of trigrams are made for. */
function isSearched({ document }: ContractDraft, list: OfferedFilter['list'], property: string): boolean {
  const own = list.parameters.find(({ name, in: place }) => place === 'query' && name === property);
  return own !== undefined && parameterSchema(document, own).properties.has('contains');
}
