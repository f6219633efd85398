import { type Facts, hasSentence, type Release, sentenceOf } from '../../../compiler/gate/changes/index.ts';
import { code } from '../layout/markdown.ts';

/** In words: what happened to a subject, and what to do about it where it breaks. */
type Said = readonly [text: string, advice?: string | undefined];

/** What a change means to callers; undefined where they do not notice it. */
export function saidOf(change: Release['changes'][number], subject: string): Said | undefined {
  const { area, rule, impact, message, facts } = change;
  // Recorded before changes had facts.
  if (!facts) return impact === 'patch' ? undefined : [message];
  const name = code(subject.replace(/\.@deprecated$/, ''));
  const own = SAID[rule]?.(name, facts);
  if (own) return own;
  const { keyword, from, to } = facts;
  if (keyword === 'deprecated') return [`${name} is ${to === true ? '' : 'no longer '}deprecated.`];
  if (keyword === 'x-sunset' && to !== undefined) return [`${name} is served until ${to}.`];
  if (impact === 'patch') return undefined;
  if (hasSentence(rule)) {
    const text = sentenceOf(rule, subject, facts);
    return [
      text.startsWith(`${subject} `) ? name + text.slice(subject.length) : text,
      area === 'versions' ? VERSION_ADVICE : ADVICE[rule],
    ];
  }
  if (keyword === undefined) return cameOrWent(name, rule, impact, subject);
  if (rule === 'added') return addedPart(name, keyword);
  if (/^(?:name|operationId)$/.test(keyword) && from !== undefined && to !== undefined)
    return renamed(subject, keyword, String(from), String(to));
  return (OF_KEYWORD[keyword] ?? changedValue)(name, facts, rule);
}

const VERSION_ADVICE = 'Call the present version.';
const GONE_ADVICE = 'Stop using it before you change over.';

const mustBeSent = (name: string): Said => [`${name} must be sent now.`, 'Send it.'];
const mayBeLeftOut = (name: string): Said => [`${name} may be left out now.`];
const isDeprecated = (name: string): Said => [`${name} is deprecated.`];
const isDeprecatedNoMore = (name: string): Said => [`${name} is no longer deprecated.`];
const isDeclaredNoMore = (name: string): Said => [`${name} is no longer declared.`, 'Do without it.'];

function directive(name: string, { keyword = '', from, to }: Facts, advice?: string): Said {
  const [now, before] = [to, from].map((texts) => (texts === undefined ? `no ${code(keyword)}` : code(String(texts))));
  return [`${name} has ${now} now, ${before} before.`, advice];
}

/** By rule. */
const SAID: Readonly<Record<string, (name: string, facts: Facts) => Said>> = {
  'tool-added': (name) => [`Agents may call the tool ${name}.`],
  'tool-withdrawn': (name) => [`The tool ${name} is no longer offered to agents.`, 'Do without it.'],
  'tool-renamed': (name, { from }) => [
    `The tool ${code(String(from))} is called ${name}.`,
    'Allow it by its new name.',
  ],
  'tool-argument-required': (name, { keyword = '' }) => [`The tool ${name} asks for ${code(keyword)}.`, 'Send it.'],
  'property-required': mustBeSent,
  'property-not-required': mayBeLeftOut,
  'property-optional': (name) => [`${name} may be left out of answers now.`, 'Do without it.'],
  'property-always-there': (name) => [`${name} is always there now.`],
  'parameter-became-required': mustBeSent,
  'request-body-became-required': mustBeSent,
  'response-withdrawn': isDeclaredNoMore,
  'response-header-withdrawn': isDeclaredNoMore,
  'response-header-optional': (name) => [`${name} may be absent now.`, 'Do without it.'],
  'field-deprecation-added': isDeprecated,
  'enum-value-deprecation-reason-added': isDeprecated,
  'field-deprecation-removed': isDeprecatedNoMore,
  'enum-value-deprecation-reason-removed': isDeprecatedNoMore,
  'object-type-interface-added': (name, { to }) => [`${name} implements ${code(String(to))} now.`],
  'object-type-interface-removed': (name, { from }) => [`${name} no longer implements ${code(String(from))}.`],
  'auth-changed': (name, facts) => directive(name, facts, 'Ask for a token with the scopes that the field names.'),
  'cost-changed': directive,
  'listsize-changed': directive,
  // Readers do not know the extensions of the contract.
  'reference-hidden-refused': (name) => [`${name} can no longer refer to what its caller may not see.`],
  'reference-hidden-allowed': (name) => [`${name} can now refer to what its caller may not see.`],
  'version-moved': (_, { from, to }) => [
    `The API is served at ${code(String(to))}, and nothing at ${code(String(from))} any more.`,
    VERSION_ADVICE,
  ],
};

/** Rules of what callers send. */
const INPUTS = /^(?:input-field|field-argument)-/;

function cameOrWent(name: string, rule: string, impact: string, subject: string): Said | undefined {
  if (rule.endsWith('removed')) return [`${name} is gone.`, GONE_ADVICE];
  if (!rule.endsWith('added')) return [`${name} has changed.`];
  if (impact === 'major' && INPUTS.test(rule)) return mustBeSent(name);
  // With what errors an operation fails is said elsewhere.
  return /\.[45]\d\d$/.test(subject) ? undefined : [`${name} is new.`, 'Expect values that you do not know.'];
}

/** Of what has no name of its own, callers see parameters, bodies and media types. */
function addedPart(name: string, keyword: string): Said | undefined {
  if (keyword === 'parameters') return [`${name} takes parameters now.`];
  if (keyword === 'requestBody') return [`${name} is new.`];
  return keyword.includes('/') ? [`${code(keyword)} of ${name} is new.`] : undefined;
}

/** The subject has its new name. */
function renamed(subject: string, keyword: string, from: string, to: string): Said {
  const old = subject.endsWith(to) ? subject.slice(0, -to.length) + from : from;
  return [`${code(old)} is called ${code(to)} now.`, `${keyword === 'operationId' ? 'Call' : 'Use'} ${code(to)}.`];
}

type OfKeyword = (name: string, facts: Facts, rule: string) => Said;

const OF_KEYWORD: Readonly<Record<string, OfKeyword>> = {
  type: changedType,
  in: (name, { to }) => [`${name} is a ${to} parameter now.`, 'Send it there.'],
  default: (name, { from, to }) => [
    to === undefined
      ? `${name} has no default now, ${shown(from)} before.`
      : `The default of ${name} is ${shown(to)} now${before(from)}.`,
    ADVICE['default-changed'],
  ],
  enum: (name, facts, rule) => {
    const { from, to } = facts;
    if (!Array.isArray(from) || !Array.isArray(to)) return changedValue(name, facts, rule);
    const [came, went] = [to.filter((one) => !from.includes(one)), from.filter((one) => !to.includes(one))];
    const parts = [
      came.length > 0 && rule !== 'enum-values-removed' && `can be ${came.map(shown).join(', ')} now`,
      went.length > 0 && rule !== 'enum-values-added' && `can no longer be ${went.map(shown).join(', ')}`,
    ];
    return [`${name} ${parts.filter(Boolean).join(', and ')}.`, ADVICE[rule]];
  },
  security: (name, { from, to }) => {
    const [now, old] = [scopesIn(to), scopesIn(from)];
    return [
      to === undefined
        ? `${name} no longer takes a token${old && ` with ${old}`}.`
        : `${name} needs a token${now && ` with ${now}`} now${old && `, with ${old} before`}.`,
      'Ask for a token with the scopes that the operation names.',
    ];
  },
};

/** Of one scheme, of a security requirement, or of several. */
const scopesIn = (value: unknown): string =>
  [value ?? []]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? one : Object.values(Object(one)).flat()))
    .map(shown)
    .join(', ');

const shown = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));
const before = (from: unknown): string => (from === undefined ? '' : `, ${shown(from)} before`);

/** `['string', 'null']` as `string | null`; of GraphQL, as it is. */
const typeText = (type: unknown): string =>
  [type]
    .flat()
    .toSorted((a, b) => Number(a === 'null') - Number(b === 'null'))
    .join(' | ');

function changedType(name: string, { from, to }: Facts, rule: string): Said {
  const [old, now] = [typeText(from), typeText(to)];
  if (now === `${old} | null` || old === `${now}!`)
    return INPUTS.test(rule) ? mayBeLeftOut(name) : [`${name} can be null now.`, 'Handle null.'];
  if (old === `${now} | null` || now === `${old}!`)
    return INPUTS.test(rule) ? mustBeSent(name) : [`${name} can no longer be null.`, 'Send a value.'];
  return [`${name} is ${code(now)} now, ${code(old)} before.`, VALUE_ADVICE];
}

const VALUE_ADVICE = 'Send what is within it, and expect it in answers.';
const WHY: Readonly<Record<string, string>> = {
  'constraint-declared': '; the server has always acted so',
  'constraint-lifted': '; all accepted values still are',
  'schema-rephrased': '; it is only written in another way',
};

/** A bound, a pattern, or anything else of a subject that has a value. */
function changedValue(name: string, { keyword = '', from, to }: Facts, rule: string): Said {
  const of = `${code(keyword)} of ${name}`;
  const why = WHY[rule] ?? '';
  if (to !== undefined) return [`${of} is ${shown(to)} now${before(from)}${why}.`, VALUE_ADVICE];
  if (from !== undefined) return [`${of} is gone; it was ${shown(from)}${why}.`, VALUE_ADVICE];
  return rule.endsWith('removed') ? [`${of} is gone.`, GONE_ADVICE] : [`${of} has changed${why}.`, VALUE_ADVICE];
}

/** What callers do about breaks of rules whose sentences are made elsewhere. */
const ADVICE: Readonly<Record<string, string>> = {
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
