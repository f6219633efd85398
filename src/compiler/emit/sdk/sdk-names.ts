import { camelCase } from '../../model/naming.ts';

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

  take(wanted: string, suffix: string): string {
    const plain = camelCase(wanted.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[-\d]+|-+$/g, '')) || suffix.toLowerCase();
    let name = this.#taken.has(plain) ? plain + suffix : plain;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${plain}${suffix}${number}`;
    this.#taken.add(name);
    return name;
  }
}
