import { hasSentence, type Release } from '../../../compiler/gate/changes/index.ts';
import { saidOf } from './change-words.ts';

type Recorded = Release['changes'][number];

/** What a release changes for callers, said once for both protocols. */
export interface ReaderChange {
  readonly impact: Recorded['impact'];
  /** The operation, type or root field that it is listed under; `''`: the API as a whole. */
  readonly owner: string;
  readonly text: string;
  /** What callers do about a break. */
  readonly advice: string | undefined;
  /** None where it is of the contract, whatever protocol it is called by. */
  readonly protocols: ReadonlySet<'REST' | 'GraphQL'>;
  /** Why the break is made within a version. */
  readonly waived: string | undefined;
}

/** The changes of a release for readers: none of storage, and none of words alone. */
export function readerChanges({ changes }: Release): readonly ReaderChange[] {
  const found = new Map<string, ReaderChange>();
  const shown = changes.filter(({ area }) => area !== 'storage' && area !== 'clients').flatMap(eachIn);
  const whole = subjectsOf(shown);
  for (const change of shown) {
    const { impact, area, rule, subject = '', waived } = change;
    // Of what is gone or new, details are not said; that something must be sent says that it is there.
    const said = whole[rule]?.has(subject) ? undefined : saidOf(change, subject);
    if (!said) continue;
    const [text, advice] = said;
    const owner = area === 'versions' || area === 'mcp' ? '' : ownerOf(subject);
    const own = { impact, owner, text, advice: impact === 'major' ? advice : undefined, waived };
    found.set(text, together({ ...own, protocols: protocolsOf(change) }, found.get(text)));
  }
  return [...found.values()];
}

function protocolsOf({ area, rule }: Recorded): ReaderChange['protocols'] {
  if (area === 'graphql') return new Set(['GraphQL']);
  return new Set(hasSentence(rule) || area === 'mcp' ? [] : ['REST']);
}

/** What came or went as a whole, by the rule of a detail of it; what must be sent, by that of what is new. */
function subjectsOf(changes: readonly Recorded[]): Readonly<Record<string, ReadonlySet<string | undefined>>> {
  const whole = changes.filter(({ facts }) => facts?.keyword === undefined);
  const that = (end: string) => new Set(whole.filter(({ rule }) => rule.endsWith(end)).map(({ subject }) => subject));
  const gone = that('removed');
  return { [MAY_BE_ABSENT]: gone, [NOT_REQUIRED]: gone, [ALWAYS_THERE]: that('added'), added: that(REQUIRED) };
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

/** Rules of a property in answers, and in requests. */
const MAY_BE_ABSENT = 'property-optional';
const ALWAYS_THERE = 'property-always-there';
const NOT_REQUIRED = 'property-not-required';
const REQUIRED = 'property-required';

/** Rules of lists of names, and what they are for each name that came or went. */
const EACH: Readonly<Record<string, readonly [came: string | undefined, went?: string]>> = {
  'required-properties-added': [REQUIRED],
  'required-properties-removed': [undefined, MAY_BE_ABSENT],
  'enum-values-added': ['enum-value-added'],
  'enum-values-removed': [undefined, 'enum-value-removed'],
};
/** The same of changes that break nobody, by keyword. */
const EACH_HARMLESS: typeof EACH = {
  required: [ALWAYS_THERE, NOT_REQUIRED],
  enum: ['enum-value-added', 'enum-value-removed'],
};

/** A change of several properties, values or members is one of each. */
function eachIn(change: Recorded): readonly Recorded[] {
  const { rule, subject, facts } = change;
  if (!facts) return [change];
  const { keyword = '', from, to } = facts;
  if (rule.startsWith('union-member-')) return [{ ...change, subject: `${subject}.${from ?? to}` }];
  const each = EACH[rule] ?? (rule === 'changed' ? EACH_HARMLESS[keyword] : undefined);
  const [old, now] = [from, to].map((value) => (keyword === 'required' ? (value ?? []) : value));
  // The values of a parameter or an inline schema have no name of their own.
  if (!each || !Array.isArray(old) || !Array.isArray(now) || (keyword === 'enum' && subject?.includes('.')))
    return [change];
  const [came, went] = each;
  const are = (names: readonly unknown[], as: string | undefined): readonly Recorded[] =>
    as === undefined ? [] : names.map((name) => ({ ...change, rule: as, subject: `${subject}.${name}`, facts: {} }));
  const [added, lost] = [now.filter((name) => !old.includes(name)), old.filter((name) => !now.includes(name))];
  return [...are(added, came), ...are(lost, went)];
}
