import { camelCase, kebabCase, lowerFirst, snakeCase, upperFirst } from '../../compiler/model/index.ts';
import { pluralOf, singularOf, verbOf } from '../../compiler/rules/index.ts';

/** The names of a resource. */
export interface ResourceName {
  /** Of its path: `order-lines`. */
  readonly collection: string;
  /** Of its schema: `OrderLine`. */
  readonly type: string;
}

/** Types of GraphQL, of the conventions, and of what is generated. */
const RESERVED =
  `Boolean Date DateTime Decimal DirectiveResolvers ErrorCode FieldError Float ID Int Int64 JSON LocalDateTime Mutation PageInfo
  Problem Query Resolvers ResolversInterfaceTypes ResolversParentTypes ResolversTypes ResolversUnionTypes String Subscription UUID`.split(
    /\s+/,
  );

/** What types are named that belong to a resource. */
const PARTS = ['Page', 'Input', 'Patch', 'Connection', 'Edge', 'Sort', 'Filter', 'Resolvers'];

/** Properties with a meaning of their own, by the case in which another column may not have the name. */
const MANAGED = new Set(['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']);

/** The names that are given to what is added to a contract. */
export class Names {
  readonly #given = new Set(RESERVED);
  readonly #isKnown: (name: string) => boolean;

  /** `isKnown`: whether the contract has a path, a schema or a type of this name. */
  constructor(isKnown: (name: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Takes the names of a resource. `needsSchema`: another schema has a table of this name. */
  resource(schema: string, table: string, needsSchema: boolean): ResourceName {
    const own = kebabOf(table, 'table');
    const below = `${kebabOf(schema, 'schema')}-${own}`;
    const isFree = (word: string): boolean => {
      const name = nounOf(word);
      return verbOf(name.collection) === undefined && partsOf(name).every((part) => this.#isFree(part));
    };
    const wanted = needsSchema ? [below] : [own, below];
    const noun = nounOf(firstFree(wanted, isFree, (number) => `${kebabOf(schema, 'schema')}-${number}-${own}`));
    for (const name of partsOf(noun)) this.#given.add(name);
    return noun;
  }

  /** Takes the name of an enum. */
  enum(wanted: readonly string[]): string {
    const name = firstFree(wanted, (one) => this.#isFree(one));
    this.#given.add(name);
    return name;
  }

  /** Takes a name; whether it was free. */
  take(name: string): boolean {
    const isFree = this.#isFree(name);
    this.#given.add(name);
    return isFree;
  }

  #isFree(name: string): boolean {
    return !this.#given.has(name) && !this.#isKnown(name);
  }
}

/** The first free name of some, or else the last with a number. */
export function firstFree(
  wanted: readonly string[],
  isFree: (name: string) => boolean,
  numbered = (number: number): string => `${wanted.at(-1)}${number}`,
): string {
  const found = wanted.find(isFree);
  if (found !== undefined) return found;
  let number = 2;
  while (!isFree(numbered(number))) number += 1;
  return numbered(number);
}

/** Its path, types and fields of the query. */
function partsOf({ collection, type }: ResourceName): readonly string[] {
  const fields = new Set([`Query.${camelCase(collection)}`, `Query.${lowerFirst(type)}`]);
  return [`/${collection}`, type, ...PARTS.map((part) => type + part), ...fields];
}

/** The collection that a table would be, with underscores. */
export const collectionOf = (table: string): string => snakeCase(pluralOf(kebabOf(table, 'table')));

/** A word that is its own plural gets another for one. */
function nounOf(word: string): ResourceName {
  const collection = pluralOf(word);
  const singular = singularOf(collection);
  return { collection, type: upperFirst(camelCase(singular === collection ? `${singular}-item` : singular)) };
}

/** The property of a column. `type`: goes in front of a name that means something else. */
export function propertyName(column: string, type: string, isPlain = true): string {
  const name = camelCase(kebabOf(column, 'column'));
  return isPlain && MANAGED.has(name) ? inFront(type, name) : name;
}

export const inFront = (type: string, name: string): string => lowerFirst(type) + upperFirst(name);

/** Latin letters that stay when accents are left out. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'ng',
  ı: 'i',
};

/** The words of a name in ASCII: accents are left out, letters of other alphabets are written as their code points. */
export function kebabOf(name: string, fallback: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{ASCII}]/gu, inAscii);
  const words = kebabCase(snakeCase(ascii)).replace(/^-+|-+$/g, '');
  if (words === '') return fallback;
  return /^[0-9]/.test(words) ? `n${words}` : words;
}

function inAscii(letter: string): string {
  const small = letter.toLowerCase();
  const written = LETTERS[small];
  if (written !== undefined) return letter === small ? written : upperFirst(written);
  return /[\p{L}\p{N}]/u.test(letter) ? ` u${letter.codePointAt(0)?.toString(16)} ` : ' ';
}
