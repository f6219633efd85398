import { some } from '../findings/wording.ts';
import { CONDITION_WORDS } from '../model/access/read-condition.ts';
import type { ContractDraft, PropertyDraft } from '../model/draft.ts';
import { offersConditions } from '../model/filters/offered-filters.ts';
import { namingOf } from '../model/name-case.ts';
import { camelCase, lowerFirst, snakeCase } from '../model/naming.ts';
import { sortSchemas } from '../model/resources/list-parameters.ts';
import { rule } from './rule.ts';
import { theDraft } from './subjects.ts';

const UPPER_SNAKE_CASE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** Each case of properties, and how a name is written in it. */
const PROPERTY_CASES = {
  camelCase: { pattern: /^[a-z][A-Za-z0-9]*$/, spell: (name: string) => lowerFirst(camelCase(name)) },
  snake_case: { pattern: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, spell: snakeCase },
};

export const namingRules = [
  rule({
    id: 'property-case',
    summary: 'Properties are camelCase, or snake_case if `x-naming` declares it.',
    advice: 'Write `publishedOn`, or `published_on`.',
    isStyle: true,
    each: theDraft,
    *check(draft) {
      const nameCase = namingOf(draft.document).case;
      const { pattern, spell } = PROPERTY_CASES[nameCase];
      const errors = new Set<unknown>(propertiesOf(draft).map(({ holder }) => holder));
      // The words of conditions are spelled as they are.
      const words = offersConditions(draft.resources) ? CONDITION_WORDS : [];
      for (const { properties } of draft.schemas)
        for (const name of Object.keys(Object(properties))) {
          if (pattern.test(name) || words.includes(name)) continue;
          yield {
            severity: errors.has(properties) ? 'error' : 'warning',
            message: `The property \`${name}\` is not ${nameCase}.`,
            hint: `Write \`${spell(name)}\`.`,
            node: Object(properties),
            key: name,
          };
        }
    },
  }),
  rule({
    id: 'enum-case',
    summary: 'Enum values are UPPER_SNAKE_CASE.',
    advice: 'Values of `sort` are names of properties and have their case.',
    isStyle: true,
    each: theDraft,
    *check(draft) {
      const errors = new Set<unknown>(propertiesOf(draft).flatMap(({ flat }) => flat.nodes));
      const exempt = sortSchemas(draft);
      for (const schema of draft.schemas) {
        const values = Array.isArray(schema['enum']) && !exempt.has(schema) ? schema['enum'] : [];
        const wrong = values.filter(
          (value): value is string => typeof value === 'string' && !UPPER_SNAKE_CASE.test(value),
        );
        if (wrong.length === 0) continue;
        yield {
          severity: errors.has(schema) ? 'error' : 'warning',
          message: `The enum contains ${some(wrong)}, which ${wrong.length === 1 ? 'is' : 'are'} not UPPER_SNAKE_CASE.`,
          hint: `Write ${some(wrong.map((value) => snakeCase(value).toUpperCase()))}.`,
          node: schema,
          key: 'enum',
        };
      }
    },
  }),
];

/** The properties of resources, inputs and patches. */
const propertiesOf = ({ resources }: ContractDraft): readonly PropertyDraft[] =>
  resources
    .flatMap(({ schema, input, patch }) => [schema, input, patch])
    .flatMap((schema) => [...(schema?.properties.values() ?? [])]);
