import type { Release } from '../../../compiler/gate/changes/releases.ts';
import { code } from '../layout/markdown.ts';

type Recorded = Release['changes'][number];

/** What a release changes for callers, said once for both protocols. */
export interface ReaderChange {
  readonly impact: Recorded['impact'];
  /** The operation, type or root field that it is listed under; `''`: the API as a whole. */
  readonly owner: string;
  readonly text: string;
  /** What callers do about a break. */
  readonly advice: string | undefined;
  readonly protocols: ReadonlySet<'REST' | 'GraphQL'>;
  /** Why the break is made within a version. */
  readonly waived: string | undefined;
}

/** In words: what happened to a subject, and what to do about it where it breaks. */
type Said = readonly [text: string, advice?: string | undefined];

const NAMES = {
  rest: 'REST',
  graphql: 'GraphQL',
  versions: undefined,
  clients: undefined,
  storage: undefined,
} as const;

/** The changes of a release for readers: none of storage or of words alone, and none without a name. */
export function readerChanges({ changes }: Release): readonly ReaderChange[] {
  const found = new Map<string, ReaderChange & { readonly protocols: Set<'REST' | 'GraphQL'> }>();
  const gone = new Set<string>();
  for (const change of changes) {
    if (change.area === 'storage' || change.area === 'clients') continue;
    const { impact, area, rule, waived } = change;
    const subject = change.subject ?? subjectIn(change.message);
    if (isAbout('removed', rule)) gone.add(subject ?? '');
    const said = subject === undefined && area !== 'versions' ? undefined : sentenceOf(change, subject ?? '');
    // Of what is gone, details are not said.
    if (!said || (rule === 'required-properties-removed' && gone.has(subject ?? ''))) continue;
    const [text, advice] = said;
    const known = found.get(text);
    const protocol = NAMES[area];
    if (known) {
      if (protocol) known.protocols.add(protocol);
      continue;
    }
    const owner = area === 'versions' ? '' : ownerOf(subject ?? '');
    const protocols = new Set(protocol ? [protocol] : []);
    found.set(text, { impact, owner, text, advice: impact === 'major' ? advice : undefined, protocols, waived });
  }
  return [...found.values()].filter(({ text }) => ![...gone].some((one) => one !== '' && isDetailOf(text, one)));
}

/** `Query.orders` is what `Query.orders.first` is listed under, and `Order` what `Order.note` is. */
const ownerOf = (subject: string): string =>
  /^(?:(?:Query|Mutation|Subscription)\.)?[^.]+/.exec(subject)?.[0] ?? subject;

const isDetailOf = (text: string, gone: string): boolean => text.startsWith(`${code(gone)} may be left out`);

/** Of a record without subjects, what its message is about. */
function subjectIn(message: string): string | undefined {
  const [, property, schema] = /Propert(?:y|ies) (?:of )?`([\w.]+)`(?: of |.*?: )`([\w.]+)`/.exec(message) ?? [];
  if (property && schema) return message.startsWith('Properties') ? `${property}.${schema}` : `${schema}.${property}`;
  const [, name, type] = /'([^']+)'.* (?:type|enum) '([^'.]+)'\.?$/.exec(message) ?? [];
  if (name && type && /^\w+$/.test(name)) return `${type}.${name}`;
  return /'(\w+\.\w+)'/.exec(message)?.[1];
}

const isAbout = (what: 'removed' | 'added', rule: string): boolean => new RegExp(`(?:^|-)${what}$`).test(rule);

/** Facts of a document that no program goes by. */
const WORDS = /^`(?:description|summary|title|examples?|externalDocs|tags|contact|license|x-[\w-]+)` of /;

function sentenceOf({ area, rule, impact, message }: Recorded, subject: string): Said | undefined {
  const name = code(subject);
  if (area === 'versions') return [message, VERSION_ADVICE];
  if (/description/.test(rule) || WORDS.test(message) || / was modified\.$/.test(message)) return undefined;
  const [, renamed] = /renamed to `([\w[\].-]+)`/.exec(message) ?? [];
  if (renamed) return [`${name} is called ${code(renamed)} now.`, `Send ${code(renamed)}.`];
  if (rule === 'required-properties-added' || (rule === 'input-field-added' && impact === 'major'))
    return [`${name} must be sent now.`, 'Send it.'];
  if (rule === 'required-properties-removed') return [`${name} may be left out of answers now.`, 'Do without it.'];
  const [, old, now] = / from '?(.+?)'? to '?(.+?)'?\.$/.exec(message) ?? [];
  if (old !== undefined && now !== undefined && VALUES.test(rule)) return valueChange(name, rule, message, old, now);
  if (isAbout('removed', rule) && SIMPLE.test(rule))
    return [`${name} is gone.`, 'Stop using it before you change over.'];
  if (isAbout('added', rule) && SIMPLE.test(rule)) return [`${name} is new.`, 'Expect values that you do not know.'];
  const text = message.startsWith(`${subject} `) ? name + message.slice(subject.length) : message;
  return [text, ADVICE[rule]];
}

/** Rules whose messages say only that the subject came or went. */
const SIMPLE =
  /^(?:added|removed|(?:property|parameter|operation|path|field|input-field|field-argument|type|enum-value|union-member)-(?:added|removed))$/;
const VALUES = /^(?:changed|schema-type-changed|schema-constraint-changed|.*type-changed|.*default.*-changed)$/;
const VERSION_ADVICE = 'Call the present version.';

/** `type` or a bound, before and after. */
function valueChange(name: string, rule: string, message: string, old: string, now: string): Said {
  if (now === `${old} | null` || old === `${now}!`)
    return rule.startsWith('input') ? [`${name} may be left out now.`] : [`${name} can be null now.`, 'Handle null.'];
  if (old === `${now} | null` || now === `${old}!`) return [`${name} can no longer be null.`, 'Send a value.'];
  const [, what] =
    /`(minimum|maximum|minLength|maxLength|minItems|maxItems|pattern|format|default|deprecated)`/.exec(message) ?? [];
  const of = what === undefined ? name : `${code(what)} of ${name}`;
  return [`${of} is ${code(now)} now, ${code(old)} before.`, 'Send what is within it, and expect it in answers.'];
}

const ADVICE: Readonly<Record<string, string>> = {
  'parameter-became-required': 'Send it.',
  'request-body-became-required': 'Send it.',
  'security-requirement-changed': 'Ask for a token with the scopes that the operation names.',
  'auth-changed': 'Ask for a token with the scopes that the field names.',
  'enum-values-added': 'Expect values that you do not know.',
  'enum-values-removed': 'Send one of the others.',
  'default-limit-changed': 'Say how many entries a page has.',
  'default-sort-changed': 'Say in which order a list comes.',
  'default-changed': 'Send the value that you mean.',
  'transition-removed': 'Go another way to that state.',
  'transitions-added': 'Change it along its transitions.',
  'immutable-added': 'Set it when you create, and no more.',
  'unique-added': 'Choose values that nothing else has.',
  'reference-added': 'Name a row that is there.',
  'error-status-changed': 'Go by the code, not by the status.',
  'limit-changed': 'Ask for less in one request.',
};
