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
  const found = new Map<string, ReaderChange>();
  const shown = changes
    .filter(({ area }) => area !== 'storage' && area !== 'clients')
    .flatMap(eachIn)
    .map((change) => ({ ...change, subject: change.subject ?? subjectIn(change.message) }));
  const gone = new Set(shown.filter(({ rule }) => isAbout('removed', rule)).map(({ subject }) => subject));
  for (const change of shown) {
    const { impact, area, rule, subject, waived } = change;
    // Of what is gone, details are not said.
    if (rule === MAY_BE_ABSENT && gone.has(subject)) continue;
    const said = subject === undefined && area !== 'versions' ? undefined : sentenceOf(change, subject ?? '');
    if (!said) continue;
    const [text, advice] = said;
    const owner = area === 'versions' ? '' : ownerOf(subject ?? '');
    const protocols = new Set([NAMES[area] ?? []].flat());
    const own = { impact, owner, text, advice: impact === 'major' ? advice : undefined, protocols, waived };
    found.set(text, together(own, found.get(text)));
  }
  return [...found.values()];
}

const IMPACTS: readonly ReaderChange['impact'][] = ['patch', 'minor', 'major'];

/** What both protocols say; one of them may break where the other does not. */
function together(change: ReaderChange, known: ReaderChange = change): ReaderChange {
  const isGreater = IMPACTS.indexOf(change.impact) > IMPACTS.indexOf(known.impact);
  const protocols = new Set([...known.protocols, ...change.protocols]);
  return { ...(isGreater ? change : known), protocols, waived: known.waived ?? change.waived };
}

/** `Query.orders` is what `Query.orders.first` is listed under, and `Order` what `Order.note` is. */
const ownerOf = (subject: string): string =>
  /^(?:(?:Query|Mutation|Subscription)\.)?[^.]+/.exec(subject)?.[0] ?? subject;

/** The rule of a property that may be left out. */
const MAY_BE_ABSENT = 'property-optional';
/** Rules of several properties or values of a schema, and what they are for each. */
const EACH: Readonly<Record<string, string>> = {
  'required-properties-added': 'property-required',
  'required-properties-removed': MAY_BE_ABSENT,
  'enum-values-added': 'enum-value-added',
  'enum-values-removed': 'enum-value-removed',
};

/** A change of several properties, values or members is one of each. */
function eachIn(change: Recorded): readonly Recorded[] {
  const { rule, message } = change;
  const [, schema, list] = /^(?:Properties|Enum) of `([\w.-]+)` [a-z ]+: (.+)\.$/.exec(message) ?? [];
  const each = EACH[rule];
  if (each && schema && list)
    return [...list.matchAll(/[`']([^`']+)[`']/g)].map(([, name]) => ({
      ...change,
      rule: each,
      subject: `${schema}.${name}`,
    }));
  const [, member, union] = /^Member '(\w+)' .* Union type '(\w+)'/.exec(message) ?? [];
  return [union ? { ...change, subject: `${union}.${member}` } : change];
}

/** Of a record without subjects, what its message is about. */
function subjectIn(message: string): string | undefined {
  const [, property, schema] = /Property `([\w.]+)` of `([\w.]+)`/.exec(message) ?? [];
  if (property && schema) return `${schema}.${property}`;
  const [, name, type] = /'([^']+)'.* (?:type|enum) '([^'.]+)'\.?$/.exec(message) ?? [];
  if (name && type && /^\w+$/.test(name)) return `${type}.${name}`;
  return /'(\w+\.\w+)'/.exec(message)?.[1];
}

const isAbout = (what: 'removed' | 'added', rule: string): boolean => SIMPLE.test(rule) && rule.endsWith(what);

/** Facts of a document that no program goes by. */
const WORDS =
  /^`(?:description|summary|title|examples?|externalDocs|tags|contact|license|x-(?!sunset`)[\w-]+)` of | has another title or description\.$/;

/** Names of responses and the like, which callers do not see; with what errors an operation fails is said elsewhere. */
const UNSEEN = / \(\w+\) was added\.$|^Response [45]/;

function sentenceOf({ area, rule, impact, message }: Omit<Recorded, 'subject'>, subject: string): Said | undefined {
  const name = code(subject);
  if (area === 'versions') return [message, VERSION_ADVICE];
  if (/description/.test(rule) || WORDS.test(message) || / was modified\.$/.test(message)) return undefined;
  const [, renamed] = /renamed to `([\w[\].-]+)`/.exec(message) ?? [];
  if (renamed) return [`${name} is called ${code(renamed)} now.`, `Send ${code(renamed)}.`];
  const [, until] = /^`x-sunset` of .* to "([\d-]+)"\.$/.exec(message) ?? [];
  if (until) return [`${name} is served until ${until}.`];
  const [, old, now] = / from '?(.+?)'? to '?(.+?)'?\.$/.exec(message) ?? [];
  if (old !== undefined && rule === 'operation-id-changed')
    return [`${code(old)} is called ${name} now.`, `Call ${name}.`];
  if (rule === 'property-required' || (impact === 'major' && isAbout('added', rule) && INPUTS.test(rule)))
    return [`${name} must be sent now.`, 'Send it.'];
  if (rule === MAY_BE_ABSENT) return [`${name} may be left out of answers now.`, 'Do without it.'];
  if (old !== undefined && now !== undefined && VALUES.test(rule)) return valueChange(name, rule, message, old, now);
  if (rule === 'field-deprecation-added' || /^`deprecated` of .* was set to true\.$/.test(message))
    return [`${code(subject.replace(/\.@deprecated$/, ''))} is deprecated.`];
  if (/ \(ParameterList\) was added\.$/.test(message)) return [`${name} takes parameters now.`];
  if (isAbout('added', rule) && (impact === 'patch' || UNSEEN.test(message))) return undefined;
  if (isAbout('removed', rule)) return [`${name} is gone.`, 'Stop using it before you change over.'];
  if (isAbout('added', rule)) return [`${name} is new.`, 'Expect values that you do not know.'];
  const text = message.startsWith(`${subject} `) ? name + message.slice(subject.length) : message;
  return [directivesIn(text), ADVICE[rule]];
}

/** `Query.orders` has …, no longer …: directives as code. */
const directivesIn = (text: string): string =>
  text.replace(/ has ((?:no )?)(@.+), no longer ((?:no )?)(@.+)\.$/, ' has $1`$2` now, $3`$4` before.');

/** Rules whose messages say only that the subject came or went. */
const SIMPLE =
  /^(?:added|removed|(?:property|parameter|operation|path|field|input-field|field-argument|type|enum-value|union-member)-(?:added|removed))$/;
/** Rules of what callers send. */
const INPUTS = /^(?:input-field|field-argument|parameter)-/;
const VALUES = /^(?:changed|schema-type-changed|schema-constraint-changed|.*type-changed|.*default.*-changed)$/;
const VERSION_ADVICE = 'Call the present version.';

/** `type` or a bound, before and after. */
function valueChange(name: string, rule: string, message: string, old: string, now: string): Said {
  if (now === `${old} | null` || old === `${now}!`)
    return INPUTS.test(rule) ? [`${name} may be left out now.`] : [`${name} can be null now.`, 'Handle null.'];
  if (old === `${now} | null` || now === `${old}!`) return [`${name} can no longer be null.`, 'Send a value.'];
  const [, what] =
    /`(minimum|maximum|minLength|maxLength|minItems|maxItems|pattern|format|default|deprecated)`/.exec(message) ?? [];
  const isDefault = what === 'default' || rule.includes('default');
  const of = what === undefined ? name : `${code(what)} of ${name}`;
  return [
    `${isDefault ? `The default of ${name}` : of} is ${code(now)} now, ${code(old)} before.`,
    isDefault ? ADVICE['default-changed'] : 'Send what is within it, and expect it in answers.',
  ];
}

const ADVICE: Readonly<Record<string, string>> = {
  'parameter-became-required': 'Send it.',
  'request-body-became-required': 'Send it.',
  'security-requirement-changed': 'Ask for a token with the scopes that the operation names.',
  'auth-changed': 'Ask for a token with the scopes that the field names.',
  'required-properties-added': 'Send them.',
  'required-properties-removed': 'Do without them.',
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
