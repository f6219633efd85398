import { apart, camelCase } from '../../model/index.ts';

/** Words that nothing in a module may be called. */
export const RESERVED_WORDS: readonly string[] =
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield`.split(/\s+/);

/** What the package exports anyway, what its modules import, and what makes a promise of a module or a client. */
const TAKEN = [
  ...[
    'ApiError',
    'Client',
    'ClientOptions',
    'ConnectionError',
    'UnexpectedAnswerError',
    'createClient',
    'isErrorCode',
    'makeError',
  ],
  ...['components', 'operations', 'paths', 'resource', 'operation', 'call', 'connect', 'then'],
];

/** What a client has itself. */
export const CLIENT_MEMBERS: readonly string[] = [
  ...['rest', 'baseUrl', 'graphqlUrl', 'webSocket', 'makeError', 'token', 'send'],
];

/** Names for what a module exports, each given once; a name that is taken gets the suffix, then numbers. */
export class ExportNames {
  readonly #taken: Set<string>;

  /** `others`: names that are taken besides. */
  constructor(others: readonly string[] = []) {
    this.#taken = new Set([...RESERVED_WORDS, ...TAKEN, ...others]);
  }

  /** Those of one kind, in their order. Names that would be spelt alike are words. */
  takeAll(wanted: readonly string[], suffix: string): readonly string[] {
    const alike = Map.groupBy(wanted, plainName);
    return wanted.map((name) => {
      const others = alike.get(plainName(name)) ?? [];
      return this.#take(others.length > 1 ? apart(name, others, plainName) : name, suffix);
    });
  }

  #take(wanted: string, suffix: string): string {
    const plain = plainName(wanted) || suffix.toLowerCase();
    let name = this.#taken.has(plain) ? plain + suffix : plain;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${plain}${suffix}${number}`;
    this.#taken.add(name);
    return name;
  }
}

const plainName = (wanted: string): string =>
  camelCase(wanted.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[-\d]+|-+$/g, ''));
