import { camelCase, upperFirst } from '../../compiler/model/naming.ts';
import { ConfigError } from '../../descriptor/config-error.ts';

/** The words for a resource. */
export interface Noun {
  /** As in the path: `line-items`. */
  readonly collection: string;
  /** `lineItems`. */
  readonly plural: string;
  /** `lineItem`. */
  readonly singular: string;
  /** Name of its schema: `LineItem`. */
  readonly type: string;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  children: 'child',
  criteria: 'criterion',
  feet: 'foot',
  indices: 'index',
  matrices: 'matrix',
  men: 'man',
  mice: 'mouse',
  movies: 'movie',
  people: 'person',
  phenomena: 'phenomenon',
  statuses: 'status',
  teeth: 'tooth',
  vertices: 'vertex',
  women: 'woman',
};

/** The words for a collection. `singular`: of its last word, where the rules of English do not give it. Throws `ConfigError`. */
export function nounOf(collection: string, singular?: string): Noun {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(collection))
    throw new ConfigError([`${collection}: a collection is a plural in kebab-case, like books or line-items.`]);
  if (singular !== undefined && !/^[a-z][a-z0-9-]*$/.test(singular))
    throw new ConfigError([`--singular ${singular}: write it in kebab-case, like line-item.`]);
  const words = collection.split('-');
  const one = singular ?? [...words.slice(0, -1), singularOf(words.at(-1)!, collection)].join('-');
  if (one === collection)
    throw new ConfigError([`${collection}: singular and plural are the same; the conventions need two words.`]);
  const name = camelCase(one);
  return {
    collection,
    plural: camelCase(collection),
    singular: name,
    type: upperFirst(name),
  };
}

function singularOf(word: string, collection: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.replace(/es$/, '');
  if (/[^s]s$/.test(word)) return word.slice(0, -1);
  throw new ConfigError([`${collection}: say what one of them is called: --singular NAME.`]);
}
