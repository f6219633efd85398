import { camelCase } from '../../model/naming.ts';

/** What the package exports anyway, and words that no module may export. */
const TAKEN = [
  ...['ApiError', 'Client', 'ClientOptions', 'ConnectionError', 'UnexpectedAnswerError', 'createClient', 'isErrorCode'],
  ...['await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default', 'delete', 'do', 'else'],
  ...['enum', 'export', 'extends', 'false', 'finally', 'for', 'function', 'if', 'import', 'in', 'instanceof', 'let'],
  ...['new', 'null', 'package', 'return', 'static', 'super', 'switch', 'this', 'throw', 'true', 'try', 'typeof', 'var'],
  ...[
    'void',
    'while',
    'with',
    'yield',
    'private',
    'public',
    'protected',
    'interface',
    'implements',
    'arguments',
    'eval',
  ],
  ...['components', 'operations', 'paths', 'resource', 'operation', 'call', 'connect'],
];

/** Names for what a module exports, each given once; a name that is taken gets the suffix, then numbers. */
export class ExportNames {
  readonly #taken = new Set(TAKEN);

  take(wanted: string, suffix: string): string {
    const plain = camelCase(wanted.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[-\d]+|-+$/g, '')) || suffix.toLowerCase();
    let name = this.#taken.has(plain) ? plain + suffix : plain;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${plain}${suffix}${number}`;
    this.#taken.add(name);
    return name;
  }
}
