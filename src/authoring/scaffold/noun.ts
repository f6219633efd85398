import { camelCase, kebabCase, lowerFirst, upperFirst } from '../../compiler/model/index.ts';
import { singularOf } from '../../compiler/rules/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';

/** The names of a resource. */
export interface Noun {
  /** The last segment of its path: `line-items`. */
  readonly collection: string;
  /** `lineItems`. */
  readonly plural: string;
  /** `lineItem`. */
  readonly singular: string;
  /** The name of its schema: `LineItem`. */
  readonly type: string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** The words for a collection. `singular`: of its last word, where the rules of English do not give it. Throws `ConfigError`. */
export function nounOf(collection: string, singular?: string): Noun {
  if (!KEBAB.test(collection))
    throw new ConfigError([
      `${collection}: write the collection as a plural in kebab-case, like books or line-items.${near(collection)}`,
    ]);
  if (singular !== undefined && !/^[a-z][a-z0-9-]*$/.test(singular))
    throw new ConfigError([`--singular ${singular}: write it in kebab-case, like line-item.`]);
  const one = singular ?? singularOf(collection);
  if (one === collection) throw new ConfigError([sameWord(collection, singular)]);
  const name = camelCase(one);
  return {
    collection,
    plural: camelCase(collection),
    singular: name,
    type: upperFirst(name),
  };
}

/** The names of a sub-resource, which say whose it is: `BookCopy`. `parent`: the name of the schema above. */
export function nounBelow(noun: Noun, parent: string): Noun {
  if (new RegExp(`^${parent}[A-Z]`).test(noun.type)) return noun;
  const owned = (name: string): string => lowerFirst(parent) + upperFirst(name);
  return { ...noun, plural: owned(noun.plural), singular: owned(noun.singular), type: parent + noun.type };
}

/** ` Did you mean line-items?`, for a collection in another case. */
function near(collection: string): string {
  const kebab = kebabCase(collection);
  return KEBAB.test(kebab) ? ` Did you mean ${kebab}?` : '';
}

function sameWord(collection: string, singular: string | undefined): string {
  return singular === undefined
    ? `${collection}: name its singular: --singular NAME.`
    : `${collection}: singular and plural are the same; the conventions need two words.`;
}
