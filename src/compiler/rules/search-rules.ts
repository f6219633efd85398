import { SEARCH_LANGUAGES } from '../../descriptor/words/inflections.ts';
import { MAX_SEARCH_LENGTH } from '../../descriptor/words/words.ts';
import { suggestion } from '../findings/wording.ts';
import { propertyType, typeName } from '../json-schema/property-type.ts';
import { addEntry } from '../model/document-edits.ts';
import type { ContractDraft, PropertyDraft } from '../model/draft.ts';
import {
  searchLanguage as languageOf,
  pagingParameter,
  parameterSchema,
  SEARCH_PARAMETER,
  searchedList,
  searchedProperties,
} from '../model/resources/list-parameters.ts';
import { atKeyword, atOperation, atParameter } from './place.ts';
import { rule } from './rule.ts';

const SCHEMA = '{ type: string, maxLength: 100 }';
const DECLARED = { name: SEARCH_PARAMETER, in: 'query', schema: { type: 'string', maxLength: 100 } };

export const searchRules = [
  rule({
    id: 'search-property',
    summary: 'A search uses properties with free text.',
    advice: '`x-search` names properties of `type: string` without a `format` or an `enum`.',
    each: searched,
    *check({ resource, names }) {
      const { properties, flat } = resource.schema;
      const texts = [...properties.values()].filter(isText).map(({ name }) => name);
      for (const [i, name] of names.entries()) {
        const property = properties.get(name);
        if (property && isText(property)) continue;
        yield {
          message: property
            ? `\`${resource.name}\` is searched by \`${name}\`, which is ${kindOf(property)} and has no words.`
            : `\`x-search\` of \`${resource.name}\` names \`${name}\`, which is not one of its properties.`,
          hint: suggestion(name, texts),
          node: Object(searchedList(flat)),
          key: i,
        };
      }
    },
  }),
  rule({
    id: 'search-parameter',
    summary: 'The list of a resource with `x-search` has the parameter `search`, a string of bounded length.',
    advice:
      'Add `{ name: search, in: query, schema: { type: string, maxLength: 100 } }`, or run `npm run sync` or `npm run contract -- --fix`. Its `maxLength` is at most 200, which also bounds the number of words.',
    each: searched,
    check({ resource: { name, schema, operations } }, draft) {
      const { list } = operations;
      if (!list)
        return {
          message: `\`x-search\` of \`${name}\` has no effect: no operation lists it.`,
          hint: 'Declare the list, or remove `x-search`.',
          ...atKeyword(schema.flat, 'x-search'),
        };
      const parameter = pagingParameter(list, SEARCH_PARAMETER);
      if (!parameter)
        return {
          message: `\`${list.operationId}\` has no \`${SEARCH_PARAMETER}\` parameter, though \`${name}\` has \`x-search\`.`,
          hint: `Add \`{ name: ${SEARCH_PARAMETER}, in: query, schema: ${SCHEMA} }\`.`,
          fix: addEntry(draft, list.node.parameters ?? [], DECLARED),
          ...atOperation(list, 'parameters'),
        };
      const flat = parameterSchema(draft.document, parameter);
      const isString = propertyType(flat) === 'string' && !flat.keywords.has('enum');
      return (
        !(isString && Number(flat.keywords.get('maxLength')?.value) <= MAX_SEARCH_LENGTH) && {
          message: `\`${SEARCH_PARAMETER}\` of \`${list.operationId}\` must be a string with a \`maxLength\` of at most ${MAX_SEARCH_LENGTH}.`,
          hint: `Write \`schema: ${SCHEMA}\`.`,
          ...atParameter(parameter, 'schema'),
        }
      );
    },
  }),
  rule({
    id: 'search-language',
    summary: 'The language of a search is supported.',
    advice:
      '`language` of `x-search` is `da`, `de`, `en`, `es`, `fr`, `it`, `nl`, `no`, `pt` or `sv`. Without one, words are found as they are written.',
    each: searched,
    check({ resource }) {
      const language = languageOf(resource.schema);
      if (language === undefined || SEARCH_LANGUAGES.includes(language)) return undefined;
      return {
        message: `\`x-search\` of \`${resource.name}\` names the language \`${language}\`, which is not supported.`,
        hint: suggestion(language, SEARCH_LANGUAGES, `Write ${SEARCH_LANGUAGES.join(', ')}, or no language.`),
        node: Object(resource.schema.flat.keywords.get('x-search')?.value),
        key: 'language',
      };
    },
  }),
];

const isText = ({ type, flat }: PropertyDraft): boolean => type === 'string' && !flat.keywords.has('enum');

const kindOf = ({ flat }: PropertyDraft): string => (flat.keywords.has('enum') ? 'an enum' : typeName(flat));

function searched({ resources }: ContractDraft) {
  return resources.flatMap((resource) => {
    const names = searchedProperties(resource.schema);
    return names ? [{ resource, names }] : [];
  });
}
