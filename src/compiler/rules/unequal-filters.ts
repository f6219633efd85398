import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import type { ContractDraft } from '../model/draft.ts';
import { conditionParameter } from '../model/filters/filter-parameters.ts';
import { filterParameters, itemSchema, parameterSchema } from '../model/resources/list-parameters.ts';
import { flatSchema } from '../model/schemas.ts';
import type { Fault } from './rule.ts';

/** What decides which values a filter takes. */
const ASSERTIONS = [
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** GraphQL has one filter for a parameter and the condition of the same name: both take the same values. */
export function* unequalFilters({ document, resources }: ContractDraft): Iterable<Fault> {
  for (const { schema, operations } of resources) {
    const { list } = operations;
    const condition = list && conditionParameter(list);
    if (!condition) continue;
    const conditions = flatSchema(document, condition.declared).properties;
    for (const parameter of filterParameters(list, schema)) {
      const member = conditions.get(parameter.name);
      if (!member) continue;
      const there = operandsOf(document, flatSchema(document, ...member.schemas));
      for (const [operator, here] of operandsOf(document, parameterSchema(document, parameter))) {
        const keyword = differing(here, there.get(operator));
        if (keyword === undefined) continue;
        const filter = operator === 'eq' || operator === 'in' ? parameter.name : `${parameter.name}[${operator}]`;
        yield {
          message: `\`${filter}\` of \`${list.operationId}\` accepts other values than the condition of the same name in \`${condition.schema}\`, and GraphQL has one filter for both: their \`${keyword}\` differ.`,
          hint: 'Refer to the same schema in both.',
          node: parameter,
          key: 'schema',
        };
      }
    }
  }
}

/** The schemas of the values that a filter compares with, by its operators. */
function operandsOf(document: OpenApiDocument, flat: FlatSchema): ReadonlyMap<string, readonly FlatSchema[]> {
  if (flat.keywords.has('items')) return new Map([['in', [flat, itemSchema(document, flat)]]]);
  if (flat.properties.size === 0) return new Map([['eq', [flat]]]);
  const operators = [...flat.properties].map(
    ([name, { schemas }]) => [name, flatSchema(document, ...schemas)] as const,
  );
  return new Map(
    operators.map(([name, own]) => [name, own.keywords.has('items') ? [own, itemSchema(document, own)] : [own]]),
  );
}

/** The first keyword by which one schema takes other values than another; undefined if no other differs. */
function differing(here: readonly FlatSchema[], there: readonly FlatSchema[] | undefined): string | undefined {
  return ASSERTIONS.find((keyword) =>
    there?.some(
      (schema, at) => !isDeepStrictEqual(keywordOf(schema, keyword), here[at] && keywordOf(here[at], keyword)),
    ),
  );
}

const keywordOf = ({ keywords }: FlatSchema, keyword: string): unknown => keywords.get(keyword)?.value;
