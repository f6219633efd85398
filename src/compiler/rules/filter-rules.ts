import type { OpenApiDocument, Parameter } from '../../descriptor/document.ts';
import { TRIGRAM } from '../../descriptor/searches.ts';
import type { Place } from '../findings/finding.ts';
import { hintText, oneOf, suggestion } from '../findings/wording.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { propertyType, typeName } from '../json-schema/property-type.ts';
import type { ContractDraft, OperationDraft, PropertyDraft } from '../model/draft.ts';
import { appliesTo } from '../model/filter-operators.ts';
import { conditionParameter, conditionSchemas, referenceParameters } from '../model/filters/filter-parameters.ts';
import { offeredFilters } from '../model/filters/offered-filters.ts';
import type { FilterRule } from '../model/filters/read-filter.ts';
import {
  FILTER_OPERATORS,
  filterParameters,
  filterShape,
  isCommaSeparated,
  itemSchema,
  parameterSchema,
} from '../model/resources/list-parameters.ts';
import { flatSchema } from '../model/schemas.ts';
import { atOperation, atParameter } from './place.ts';
import { type Fault, type Rule, rule } from './rule.ts';
import { type ResourceList, theLists } from './subjects.ts';
import { unequalFilters } from './unequal-filters.ts';
import { isServed } from './unserved.ts';

export const filterRules = [
  filterRule({
    id: 'filter-property',
    summary: 'A query parameter of a list names a property to filter by.',
    advice:
      'The other parameters are `limit`, `cursor`, `count` and `sort`. In the schema of `filter`, a property names a property, a reference, or the inverse of one.',
    check({ resource, list, parameter: { name }, parameter, property }) {
      if (property && property.type !== 'json') return undefined;
      const names = [...resource.schema.properties.values()].filter(({ type }) => type !== 'json');
      const what = property
        ? `\`${resource.name}.${name}\`, which is ${typeName(property.flat)} and cannot be compared`
        : `\`${name}\`, which is not a property of \`${resource.name}\``;
      const known = names.map((one) => one.name);
      return {
        message: `\`${list.operationId}\` filters by ${what}.`,
        hint: suggestion(name, known),
        ...atParameter(parameter),
      };
    },
  }),
  filterRule({
    id: 'filter-style',
    summary: 'A filter is one value, a comma-separated array, a `deepObject`, or JSON by a closed schema.',
    advice:
      'Arrays need `explode: false`. Conditions on `Book` are a component `BookFilter`, which is also the schema of its `and`, `or` and `not`.',
    check({ list, parameter, shape, schema }) {
      const is = `The filter \`${parameter.name}\` of \`${list.operationId}\` is`;
      if (shape === 'in' && !isCommaSeparated(parameter))
        return {
          message: `${is} an array that is not comma-separated.`,
          hint: 'Add `explode: false` (and no `style`).',
          ...atParameter(parameter, 'explode'),
        };
      const isDeep = parameter.style === 'deepObject' && schema.keywords.get('type')?.value === 'object';
      return (
        shape === 'object' &&
        !isDeep && {
          message: `${is} an object that is not a \`deepObject\`.`,
          hint: 'Write `style: deepObject` and `schema: { type: object }`.',
          ...atParameter(parameter, 'style'),
        }
      );
    },
    also: undeclared,
  }),
  filterRule({
    id: 'filter-operator',
    summary: 'The operators of a filter apply to the type of its property.',
    advice: 'The table of operators is in docs/reference/lists.md.',
    *check({ resource, parameter, property, shape, schema }) {
      if (!property || shape !== 'object') return;
      const allowed = FILTER_OPERATORS.filter((operator) => appliesTo(operator, property));
      const fault = (what: string, place: Place): Fault => ({
        message: `The filter \`${parameter.name}\` of \`${resource.name}\` has ${what}.`,
        hint: `Its schema is an object with a property for each operator: ${oneOf(allowed)}.`,
        ...place,
      });
      if (schema.properties.size === 0) yield fault('no operator', atParameter(parameter, 'schema'));
      for (const { name, holder } of schema.properties.values()) {
        if (allowed.includes(name)) continue;
        const what = FILTER_OPERATORS.includes(name)
          ? `the operator \`${name}\`, which does not apply to ${typeName(property.flat)}`
          : `the unknown operator \`${name}\``;
        yield fault(what, { node: holder, key: name });
      }
    },
  }),
  filterRule({
    id: 'filter-type',
    summary: 'A filter has the type of its property, and accepts the same values as the condition of the same name.',
    advice: 'Refer to the same schema in both.',
    check: ({ resource, parameter, property, ...filter }, { document }) =>
      !property || property.type === 'json'
        ? []
        : comparedValues(document, { parameter, ...filter })
            .filter(({ schema }) => propertyType(schema) !== property.type)
            .map(({ schema, place }) => ({
              message: `The filter \`${parameter.name}\` compares ${typeName(schema)} with \`${resource.name}.${property.name}\`, which is ${typeName(property.flat)}.`,
              hint: 'Give the filter the type and format of the property.',
              ...place,
            })),
    also: unequalFilters,
  }),
  filterRule({
    id: 'filter-search',
    summary: 'A search for part of a text requires three characters or more.',
    advice:
      'Add `minLength: 3` to `contains`. Trigram indexes do not find shorter texts, so each search reads the whole table: about a second for a million rows. Such reads run one at a time, and get 503 when too many wait.',
    severity: 'warning',
    check({ resource, list, parameter, property, shape, schema }, { document }) {
      const searched = schema.properties.get('contains');
      if (!searched || !property || shape !== 'object' || !appliesTo('contains', property)) return undefined;
      const least = flatSchema(document, ...searched.schemas).keywords.get('minLength')?.value;
      if (typeof least === 'number' && least >= TRIGRAM) return undefined;
      return {
        message: `\`${list.operationId}\` searches \`${resource.name}.${parameter.name}\` for texts of fewer than three characters, which no index finds: each search reads the whole table, about a second for a million rows.`,
        hint: `Add \`minLength: ${TRIGRAM}\` to \`contains\`.`,
        node: searched.holder,
        key: 'contains',
      };
    },
    also: searches,
  }),
];

/** A parameter of a list that filters by a property. */
interface Filter extends ResourceList {
  readonly parameter: Parameter;
  readonly property: PropertyDraft | undefined;
  readonly schema: FlatSchema;
  readonly shape: ReturnType<typeof filterShape>;
}

interface FilterDeclaration extends Omit<Parameters<typeof rule<Filter>>[0], 'each'> {
  readonly id: FilterRule;
  /** What breaks the rule beside filters by one property. */
  also?(draft: ContractDraft): Iterable<Fault>;
}

/** A rule of filters by one property, and of the conditions that a list combines. */
function filterRule({ also, ...declared }: FilterDeclaration): Rule {
  const own = rule({ ...declared, each: filters });
  return {
    ...own,
    *check(draft) {
      yield* own.check(draft);
      yield* once([...conditionFaults(declared.id, draft), ...(also?.(draft) ?? [])]);
    },
  };
}

function filters({ document, resources }: ContractDraft): readonly Filter[] {
  return theLists({ resources }).flatMap(({ resource, list }) =>
    filterParameters(list, resource.schema).map((parameter) => ({
      resource,
      list,
      parameter,
      property: resource.schema.properties.get(parameter.name),
      schema: parameterSchema(document, parameter),
      shape: filterShape(document, parameter),
    })),
  );
}

/** What reading the schemas of combined conditions has found. */
const conditionFaults = (id: FilterRule, { document, resources }: ContractDraft): readonly Fault[] =>
  offeredFilters(document, resources)
    .flatMap(({ read }) => read.faults.filter((fault) => fault.rule === id))
    .map(({ rule: _, hint, ...fault }) => ({ ...fault, hint: hintText(hint) }));

/** One schema serves many lists and properties: what has to be changed in it is reported once. */
function* once(faults: readonly Fault[]): Iterable<Fault> {
  const said = new Map<object, Set<string>>();
  for (const fault of faults) {
    const here = said.get(fault.node) ?? new Set();
    said.set(fault.node, here);
    const words = [fault.key, fault.message, fault.hint].join();
    if (!here.has(words)) yield fault;
    here.add(words);
  }
}

/** The schemas of the values of a filter, which depend on its style. */
function comparedValues(
  document: OpenApiDocument,
  { parameter, schema: whole, shape }: Pick<Filter, 'parameter' | 'schema' | 'shape'>,
) {
  const place = atParameter(parameter, 'schema');
  if (shape !== 'object') return [{ schema: shape === 'in' ? itemSchema(document, whole) : whole, place }];
  return [...whole.properties.values()].map(({ name, holder, schemas }) => ({
    schema: flatSchema(document, ...schemas),
    place: { node: holder, key: name },
  }));
}

/** GraphQL's input of conditions on rows has one name: the list that filters by others of it takes all of them. */
function* undeclared({ document, resources }: ContractDraft): Iterable<Fault> {
  const conditions = conditionSchemas(document);
  for (const {
    resource: { name, schema },
    list,
  } of theLists({ resources })) {
    if (conditionParameter(list) || !conditions.has(`${name}Filter`)) continue;
    if (filterParameters(list, schema).length + referenceParameters(list, schema).length === 0) continue;
    yield {
      message: `Filters of other lists use \`${name}Filter\`, but \`${list.operationId}\` has filters without it, though GraphQL calls both the same.`,
      hint: `Add \`{ name: filter, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/${name}Filter' } } } }\`.`,
      ...atOperation(list, 'parameters'),
    };
  }
}

/** A text is found by an index where the list itself has the filter, outside of `or` and `not`. */
function* searches({ document, resources }: ContractDraft): Iterable<Fault> {
  for (const { resource, list, read } of offeredFilters(document, resources))
    for (const { condition, place, isShort } of read.offered) {
      const isText = condition.kind === 'compare' && condition.operator === 'contains';
      if (isServed(condition) || (isText && !isShort && isSearched(document, list, condition.property))) continue;
      yield {
        message: `No index finds the rows of \`${resource.name}\` for which this condition alone holds: a list by it reads the whole table, about a second for a million rows.`,
        hint: isText
          ? 'Declare `contains` with `minLength: 3` also as a parameter of the list, or remove it.'
          : 'Leave it out, or accept it.',
        ...place,
      };
    }
}

/** Whether the list has the filter as a parameter of its own, which indexes of trigrams are made for. */
function isSearched(document: OpenApiDocument, list: OperationDraft, property: string): boolean {
  const own = list.parameters.find(({ name, in: place }) => place === 'query' && name === property);
  return own !== undefined && parameterSchema(document, own).properties.has('contains');
}
