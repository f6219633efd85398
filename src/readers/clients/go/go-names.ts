import type { ClientInput } from '../common/client-language.ts';
import { oneWord } from '../common/names.ts';

/** As imports and as code spell the package. */
export interface GoNames {
  readonly module: string;
  readonly package: string;
}

/** Those that the caller has chosen, or made from the title. From version 2 on, the path of a module ends with it (Go modules). */
export function goNames({
  name,
  packageName,
  version,
}: Pick<ClientInput, 'name' | 'packageName' | 'version'>): GoNames {
  const path = packageName ?? `example.com/${name}`;
  const major = Number.parseInt(version, 10);
  const module = major < 2 ? path : path.replace(/(?:\/v\d+)?$/, `/v${major}`);
  const last = module
    .split('/')
    .filter((part) => !/^v\d+$/.test(part))
    .at(-1)!;
  return { module, package: oneWord(last) };
}

/** The import of the package: its name is said where the path does not end in it. */
export const goImport = ({ module, package: own }: GoNames): string =>
  `${module.endsWith(`/${own}`) ? '' : `${own} `}"${module}"`;

const INITIALISMS = new Set(
  'ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON QPS RAM RPC SLA SMTP SQL SSH TCP TLS TTL UDP UI GID UID UUID URI URL UTF8 VM XML XMPP XSRF XSS SIP RTP AMQP DB TS'.split(
    ' ',
  ),
);

/** `userId` → `UserID`: as oapi-codegen names what it exports (`ToCamelCaseWithInitialisms`). */
export function goName(text: string): string {
  const words = text.split(/[^\p{Lu}\p{Ll}\d]+/u).join('\n');
  const camel = words.replace(
    /(^|\n|\d)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
  const parts = camel.replaceAll('\n', '').match(/[\p{Lu}\d]+(?:[\p{Ll}\d]+|$)/gu) ?? [];
  return parts.map((part) => (INITIALISMS.has(part.toUpperCase()) ? part.toUpperCase() : part)).join('');
}

/** How oapi-codegen spells a sign that a name begins with. */
const LEADING: Readonly<Record<string, string>> = {
  ...{ $: 'Dollar', '-': 'Minus', '+': 'Plus', '&': 'And', '|': 'Or', '~': 'Tilde', '=': 'Equal', _: 'Underscore' },
  ...{ '>': 'GreaterThan', '<': 'LessThan', '#': 'Hash', '.': 'Dot', '*': 'Asterisk', '^': 'Caret', '%': 'Percent' },
};

/** A name as oapi-codegen spells a field. */
export const goSpelling = (name: string): string =>
  `${LEADING[name.charAt(0)] ?? ''}${goName(name)}`.replace(/^(?=\d)/, 'N');
