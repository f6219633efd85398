import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { pointerTokens, valueAt } from '../../../descriptor/json-pointer.ts';
import { type Keep, kept } from '../../../descriptor/keep.ts';
import { lowerFirst, upperFirst } from '../../model/naming.ts';
import { redocly } from '../../read/redocly.ts';
import type { Change, Facts } from './change.ts';
import type { Edition } from './edition.ts';
import type { Difference } from './effective/difference.ts';
import { Effects } from './effective/effects.ts';
import { type Subject, subjectAt } from './subject.ts';

/** The part of the output of `redocly diff --format json` that is read here. */
interface Report {
  readonly changes: readonly Difference[];
}

/**
 * Differences between the OpenAPI documents as rated by `redocly diff`, and then by what they change in effect; extensions
 * and error codes are rated by `conventionChanges`.
 */
export async function restChanges(released: Edition, current: Edition, keep: Keep): Promise<readonly Change[]> {
  const [before, after] = [released.model.document, current.model.document];
  if (isDeepStrictEqual(before, after)) return [];
  const differences = await differencesBetween(before, after, keep);
  const effects = new Effects(released.model, current.model);
  return effects
    .ratedAll(differences.filter(isRatedHere))
    .flatMap((difference) => changesOf(difference, released, current));
}

function changesOf(difference: Difference, released: Edition, current: Edition): readonly Change[] {
  const { path, kind, verdicts, base, revision } = difference;
  const at = (isReleased: boolean, pointer: string): Subject =>
    subjectAt((isReleased ? released : current).model.document, pointer);
  const isRemoved = kind === 'removed';
  const subject = at(isRemoved, (isRemoved ? base : revision)?.pointer ?? path);
  const change = ({ coordinate }: Subject, impact: Change['impact'], rule: string, message: string): Change => {
    const location = current.at((revision ?? base)?.pointer ?? path);
    const facts = withoutOthers(factsOf(difference), rule, difference, [released, current]);
    return { impact, area: 'rest', rule, subject: coordinate, facts, message, location };
  };
  if (isHeaderOptional(difference))
    return [change(subject, 'major', 'response-header-optional', `${upperFirst(subject.words)} may now be absent.`)];
  if (verdicts.length > 0)
    return verdicts.map(({ ruleId, message, impact, location }) => {
      const own = location ? at(location.file === RELEASED, location.pointer) : subject;
      const words = ruleId === 'property-removed' ? plainly(difference, subject) : told(own, message);
      return change(own, impact, ruleId, words);
    });
  const impact = isWords(difference) ? 'patch' : kind === 'modified' ? 'minor' : difference.impact;
  return [change(subject, impact, kind === 'modified' ? 'changed' : kind, plainly(difference, subject))];
}

/** A response promised the header field, and now only may have it. */
const isHeaderOptional = ({ typeName, property, base, revision }: Difference): boolean =>
  typeName === 'Header' && property === 'required' && base?.value === true && revision?.value !== true;

const WORDS =
  /^(?:description|summary|title|examples?|externalDocs|deprecated|termsOfService|contact|license|tags|x-.*)$/;

/** Nothing that a program goes by. */
const isWords = (difference: Difference): boolean =>
  extensionOf(difference) !== undefined || WORDS.test(difference.property ?? '');

/** A message with the names of what it is about, unless it has them. */
function told({ words }: Subject, message: string): string {
  const names = [...words.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const isTold = names.every((name) => message.includes(`\`${name}\``));
  return isTold ? message : `${upperFirst(words)}: ${lowerFirst(message)}`;
}

/** What was added, removed or modified; with both values where they are short. */
function plainly(difference: Difference, { words }: Subject): string {
  const { kind, property, typeName, base, revision } = difference;
  const extension = extensionOf(difference);
  if (property === undefined && extension === undefined)
    return `${upperFirst(words)}${NAMED.has(typeName) ? '' : ` (${typeName})`} was ${kind}.`;
  const what = `\`${property ?? extension}\` of ${words}`;
  if (kind !== 'modified' || !isShort(base?.value) || !isShort(revision?.value)) return `${what} was ${kind}.`;
  const [old, now] = [base?.value, revision?.value].map((value) => JSON.stringify(value));
  if (old === undefined) return `${what} was set to ${now}.`;
  return now === undefined ? `${what} was removed; it was ${old}.` : `${what} changed from ${old} to ${now}.`;
}

/** Types whose things `subjectAt` names; of others, the name is that of what they are in. */
const NAMED: ReadonlySet<string> = new Set(['Schema', 'Parameter', 'Operation', 'PathItem', 'Response', 'Header']);
const MAX_SHOWN_LENGTH = 40;
const isShort = (value: unknown): boolean =>
  typeof value !== 'object' && (JSON.stringify(value) ?? '').length <= MAX_SHOWN_LENGTH;

/** Extensions that `conventionChanges`, `versionChanges`, `storageChanges` and the waivers themselves rate. */
const RATED_ELSEWHERE = new Set(
  [
    ...['transitions', 'unique', 'owner', 'immutable', 'references', 'on-delete', 'error-codes', 'versions', 'waivers'],
    ...['column', 'table'],
  ].map((name) => `x-${name}`),
);

/** The version always changes with a release. */
function isRatedHere(difference: Difference): boolean {
  const { path, property } = difference;
  if (path.startsWith('#/servers') || (path === '#/info' && property === 'version')) return false;
  return !RATED_ELSEWHERE.has(extensionOf(difference) ?? '');
}

/** The extension that a difference concerns. */
function extensionOf({ path, typeName, property }: Difference): string | undefined {
  if (property?.startsWith('x-')) return property;
  return typeName === 'SpecExtension' ? path.split('/').find((key) => key.startsWith('x-')) : undefined;
}

/** What differs, without values that are long texts for people. */
function factsOf(difference: Difference): Facts {
  const { typeName, property, base, revision } = difference;
  const values = { from: base?.value, to: revision?.value };
  if (typeName.startsWith('SecurityRequirement')) return { keyword: 'security', ...values };
  const keyword = property ?? extensionOf(difference) ?? keywordOf(difference);
  if (keyword === undefined) return {};
  const hasValues = property !== undefined && (!isWords(difference) || (isShort(values.from) && isShort(values.to)));
  // A name that is the key of a map.
  return { keyword: keyword === 'key' ? 'name' : keyword, ...(hasValues && values) };
}

/** Keywords of properties that a request, or an answer, does not have. */
const OTHERS: Readonly<Record<string, 'readOnly' | 'writeOnly'>> = {
  'required-properties-added': 'readOnly',
  'required-properties-removed': 'writeOnly',
};

type Marked = Readonly<Record<string, { readonly readOnly?: unknown; readonly writeOnly?: unknown }>>;

/** The facts without names of properties that the rule is not about. */
function withoutOthers(
  facts: Facts,
  rule: string,
  { base, revision }: Difference,
  editions: readonly Edition[],
): Facts {
  const mark = OTHERS[rule];
  if (mark === undefined) return facts;
  const others = editions.flatMap(({ model: { document } }, i) => {
    const pointer = [base, revision][i]?.pointer.replace(/^#|\/required$/g, '') ?? '';
    const properties = valueAt(document, [...pointerTokens(pointer), 'properties']) as Marked | undefined;
    return Object.entries(properties ?? {}).flatMap(([name, property]) => (property[mark] === true ? [name] : []));
  });
  const own = (names: unknown) => (Array.isArray(names) ? names.filter((name) => !others.includes(name)) : names);
  return { ...facts, from: own(facts.from), to: own(facts.to) };
}

/** The keyword that something without a name is the value of, or one of the values. */
function keywordOf({ path, typeName }: Difference): string | undefined {
  const tokens = pointerTokens(path.replace(/^#/, ''));
  const isNamed = typeName === 'Schema' ? /^(?:properties|schemas)$/.test(tokens.at(-2) ?? '') : NAMED.has(typeName);
  return isNamed ? undefined : tokens.findLast((token) => !/^\d+$/.test(token));
}

const RELEASED = 'released.json';
const CURRENT = 'current.json';

async function differencesBetween(
  released: OpenApiDocument,
  current: OpenApiDocument,
  keep: Keep,
): Promise<readonly Difference[]> {
  const texts = [JSON.stringify(released), JSON.stringify(current)] as const;
  return JSON.parse(await kept(keep, 'differences', texts, async () => JSON.stringify(await redoclyDiff(...texts))));
}

async function redoclyDiff(released: string, current: string): Promise<readonly Difference[]> {
  // Runs in an empty folder, because Redocly would apply a configuration of the author's.
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  try {
    await writeFile(join(folder, RELEASED), released);
    await writeFile(join(folder, CURRENT), current);
    const args = ['diff', RELEASED, CURRENT, '--fail-on', 'none'];
    return (await redocly<Report>(args, folder)).changes;
  } finally {
    await rm(folder, { recursive: true });
  }
}
