import { SEARCH_LANGUAGES } from '../../descriptor/words/inflections.ts';
import { MAX_SEARCH_LENGTH } from '../../descriptor/words/words.ts';
import { suggestion } from '../findings/wording.ts';
import { addEntry } from '../graphql/parity/rest-edits.ts';
import { propertyType, typeName } from '../json-schema/property-type.ts';
import type { ContractDraft, OperationDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import {
  searchLanguage as languageOf,
  pagingParameter,
  parameterSchema,
  SEARCH_PARAMETER,
  searchedList,
  searchedProperties,
} from '../model/resources/list-parameters.ts';
import { atKeyword, atOperation, atParameter } from './place.ts';
import type { Check, Fault } from './rule.ts';

const DECLARED = { name: SEARCH_PARAMETER, in: 'query', schema: { type: 'string', maxLength: 100 } };
const DECLARATION = '{ name: search, in: query, schema: { type: string, maxLength: 100 } }';

/** A search is by properties whose values are free texts. */
export const searchProperty: Check = function* ({ resources }) {
  for (const { resource, names } of searched(resources)) {
    const { properties, flat } = resource.schema;
    const texts = [...properties.values()].filter(isText).map(({ name }) => name);
    for (const [i, name] of names.entries()) {
      const property = properties.get(name);
      if (property && isText(property)) continue;
      yield {
        severity: 'error',
        message: property
          ? `\`${resource.name}\` is searched by \`${name}\`, which is ${kindOf(property)} and has no words.`
          : `\`x-search\` of \`${resource.name}\` names \`${name}\`, which is not one of its properties.`,
        hint: suggestion(name, texts),
        ...placeOf(searchedList(flat), i),
      };
    }
  }
};

/** The place of an entry. */
const placeOf = (list: unknown, index: number): Pick<Fault, 'node' | 'key'> => ({ node: list as object, key: index });

const isText = ({ type, flat }: PropertyDraft): boolean => type === 'string' && !flat.keywords.has('enum');

const kindOf = ({ flat }: PropertyDraft): string => (flat.keywords.has('enum') ? 'an enum' : typeName(flat));

/** The language of a search is one whose inflected forms are known. */
export const searchLanguage: Check = function* ({ resources }) {
  for (const { resource } of searched(resources)) {
    const language = languageOf(resource.schema);
    if (language === undefined || SEARCH_LANGUAGES.includes(language)) continue;
    yield {
      severity: 'error',
      message: `\`x-search\` of \`${resource.name}\` names the language \`${language}\`, whose inflected forms are not known.`,
      hint: suggestion(language, SEARCH_LANGUAGES, `Write ${SEARCH_LANGUAGES.join(', ')}, or no language.`),
      node: resource.schema.flat.keywords.get('x-search')!.value as object,
      key: 'language',
    };
  }
};

/** The list of a resource with `x-search` has the parameter by which it is searched. */
export const searchParameter: Check = function* (draft) {
  for (const { resource } of searched(draft.resources)) {
    const { list } = resource.operations;
    if (!list) yield unlisted(resource);
    else if (!pagingParameter(list, SEARCH_PARAMETER)) yield undeclared(draft, resource, list);
  }
};

const unlisted = ({ name, schema }: ResourceDraft): Fault => ({
  severity: 'error',
  message: `\`x-search\` of \`${name}\` has no effect: no operation lists it.`,
  hint: 'Declare the list, or remove `x-search`.',
  ...atKeyword(schema.flat, 'x-search'),
});

function undeclared(draft: ContractDraft, { name }: ResourceDraft, list: OperationDraft): Fault {
  const fix = addEntry({ draft, document: draft.document }, list.node.parameters ?? [], DECLARED);
  return {
    severity: 'error',
    message: `\`${list.operationId}\` has no \`${SEARCH_PARAMETER}\` parameter, though \`${name}\` has \`x-search\`.`,
    hint: `Add \`${DECLARATION}\`.`,
    ...atOperation(list, 'parameters'),
    ...(fix && { fix }),
  };
}

/** A search is a text whose length is bounded, and with it the number of its words. */
export const searchLength: Check = function* ({ document, resources }) {
  for (const { resource } of searched(resources)) {
    const { list } = resource.operations;
    const parameter = list && pagingParameter(list, SEARCH_PARAMETER);
    if (!parameter) continue;
    const flat = parameterSchema(document, parameter);
    const most = flat.keywords.get('maxLength')?.value;
    const isString = propertyType(flat) === 'string' && !flat.keywords.has('enum');
    if (isString && typeof most === 'number' && most <= MAX_SEARCH_LENGTH) continue;
    yield {
      severity: 'error',
      message: `\`${SEARCH_PARAMETER}\` of \`${list.operationId}\` must be a string with a \`maxLength\` of at most ${MAX_SEARCH_LENGTH}.`,
      hint: `Write \`schema: ${DECLARATION.slice(DECLARATION.indexOf('{ type'), -2)}\`.`,
      ...atParameter(parameter, 'schema'),
    };
  }
};

function* searched(resources: readonly ResourceDraft[]) {
  for (const resource of resources) {
    const names = searchedProperties(resource.schema);
    if (names) yield { resource, names };
  }
}
