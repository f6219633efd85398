import { withArticle } from '../../../descriptor/article.ts';
import type { Facts, Impact } from './change.ts';

type Sentence = (name: string, facts: Facts) => string;

const listed = (names: unknown): string => [names].flat().join(', ');
const orNone = (value: unknown): string => String(value ?? 'none');
const asJson = (value: unknown): string => JSON.stringify(value);
const another: Sentence = (name, { to }) => `${name} has another rule. ${to}`;

/** What changes of conventions and of versions say, each in one place for findings, records and readers. */
const SENTENCES = {
  'unique-added': (name, { to }) => `${name} must now be unique by ${listed(to)}.`,
  'unique-removed': (name, { from }) => `${name} no longer has to be unique by ${listed(from)}.`,
  'owner-added': (name) => `Callers can now see only their own ${name}.`,
  'owner-removed': (name) => `Every caller can now see each ${name}.`,
  'owner-changed': (name, { from, to }) => `The owner of ${withArticle(name)} is \`${to}\`, no longer \`${from}\`.`,
  'owner-scope-changed': (name, { from, to }) =>
    `The scope that exempts from the owner rule of ${name} is ${orNone(to)}, no longer ${orNone(from)}.`,
  'owner-reads-changed': (name, { to }) => `${name} can be read by ${to === 'owner' ? 'its owner only' : 'anyone'}.`,
  'tenant-added': (name, { to }) => `Callers can now see only the ${name} of their own tenant, ${to}.`,
  'tenant-removed': (name) => `Each ${name} belongs to no tenant any more: all tenants can see it.`,
  'tenant-changed': (name, { from, to }) => `The tenant of ${withArticle(name)} is ${to}, no longer ${from}.`,
  'tenant-scope-changed': (name, { from, to }) =>
    `The scope that sees each ${name} of all tenants is ${orNone(to)}, no longer ${orNone(from)}.`,
  'through-changed': (_, { keyword, from, to }) =>
    to === undefined
      ? `\`${keyword}\` no longer lists the rows that ${from} joins.`
      : `\`${keyword}\` lists the rows that ${to} joins, no longer ${from}.`,
  'totals-lowered': (name, { keyword, from, to }) =>
    `\`${keyword}\` refuses totals of more than ${to} rows of ${name}, no longer only of more than ${from}.`,
  'totals-raised': (name, { keyword, from, to }) =>
    `\`${keyword}\` answers totals of up to ${to} rows of ${name}, no longer only of up to ${from}.`,
  'row-access-changed': another,
  'row-access-narrowed': another,
  'row-access-widened': another,
  'field-access-changed': another,
  'field-access-narrowed': another,
  'field-access-widened': another,
  'default-limit-changed': (name, { from, to }) => `The default page size of ${name} is ${to}, no longer ${from}.`,
  'default-sort-changed': (name, { from, to }) =>
    `The default order of ${name} is by ${listed(to)}, no longer by ${listed(from)}.`,
  'count-bound-removed': (name) => `All entries of ${name} are counted.`,
  'count-bound-raised': (name, { from, to }) =>
    `Entries of ${name} are counted up to ${to}, no longer only up to ${from}.`,
  'count-bound-added': (name, { from, to }) =>
    `Entries of ${name} are counted up to ${to} only${from === undefined ? '' : `, no longer up to ${from}`}.`,
  'search-narrowed': (name, { from }) => `The search of ${name} finds no more words of ${listed(from)}.`,
  'search-widened': (name, { to }) => `The search of ${name} also finds words of ${listed(to)}.`,
  'search-inflected': (name, { to }) => `The search of ${name} also finds inflected forms of words (${to}).`,
  'search-language-changed': (name, { from, to }) =>
    `The search of ${name} finds inflected forms of ${to ?? 'no language'}, no longer of ${from}.`,
  'search-reordered': (name, { from, to }) =>
    `A search of ${name} puts rows first by words in ${listed(to)}, no longer in ${listed(from)}.`,
  'default-changed': (name, { from, to }) =>
    `The initial value of ${name} is ${asJson(to)}, no longer ${asJson(from)}.`,
  'origin-changed': (name, { from, to }) =>
    from === undefined
      ? `${name} can no longer be chosen by callers.`
      : `${name} is set by ${to}, no longer by ${from}.`,
  'immutable-added': (name) => `${name} can only be set on creation.`,
  'immutable-removed': (name) => `${name} can now be changed.`,
  'reference-added': (name, { to }) => `${name} must now be the id of a row of ${to}.`,
  'reference-removed': (name) => `${name} can now be any id.`,
  'reference-changed': (name, { from, to }) => `${name} refers to ${to}, no longer to ${from}.`,
  'reference-hidden-refused': (name) => `${name} can no longer refer to rows that \`x-owner\` hides from the caller.`,
  'reference-hidden-allowed': (name) => `${name} can now refer to rows that \`x-owner\` hides from the caller.`,
  'on-delete-changed': (name, { from, to }) =>
    `When the target of ${name} is deleted, the rule is ${to}, no longer ${from}.`,
  'transitions-added': (name) => `${name} can only change along its transitions.`,
  'transitions-removed': (name) => `${name} can now change to any value.`,
  'transition-removed': (name, { from, to }) => `${name} can no longer change from ${from} to ${to}.`,
  'transition-added': (name, { from, to }) => `${name} can now change from ${from} to ${to}.`,
  'error-code-added': (name) => `The error ${name} is new.`,
  'error-code-removed': (name) => `The error ${name} was removed.`,
  'error-status-changed': (name, { from, to }) => `The error ${name} has status ${to}, no longer ${from}.`,
  'error-retryable-changed': (name, { to }) => `The error ${name} is ${to === true ? 'now' : 'no longer'} retryable.`,
  'error-words-changed': (name) => `The error ${name} has another title or description.`,
  'answer-added': (name, { to }) => `\`${name}\` can now fail with ${listed(to)}.`,
  'answer-removed': (name, { from }) => `\`${name}\` can no longer fail with ${listed(from)}.`,
  'limit-changed': (name, { from, to }) => `The limit \`${name}\` is ${to}, no longer ${from}.`,
  'schema-removed': () => 'The contract no longer has a GraphQL schema.',
  'version-moved': (name, { from, to }) =>
    `The API is served at \`${to}\`, and nothing at \`${from}\` any more: \`x-versions\` does not keep \`${name}\`.`,
  'version-removed': (name, { from }) =>
    `The version \`${name}\` is no longer served, ${from === undefined ? 'and no sunset was announced' : `before its sunset on ${from}`}.`,
  'version-retired': (name, { from }) => `The version \`${name}\` is no longer served; its sunset was ${from}.`,
  'version-kept': (name, { to }) => `The version \`${name}\` stays served beside \`${to}\`.`,
  'sunset-passed': (name, { to }) => `The sunset of \`${name}\` is announced too late: ${to} is not in the future.`,
  'sunset-earlier': (name, { from, to }) =>
    `The sunset of \`${name}\` is ${to}, before the ${from} that was announced.`,
  'sunset-changed': (name, { from, to }) =>
    `The sunset of \`${name}\` is ${to ?? 'open'}, no longer ${from ?? 'open'}.`,
  // Of an operation's own servers, the comparison of documents reports by the same rule.
  'server-removed': (name, { keyword }) =>
    `${keyword === undefined ? 'The server' : 'A server of'} \`${name}\` is no longer named.`,
} satisfies Readonly<Record<string, Sentence>>;

/** A rule whose changes have a sentence. */
export type SaidRule = keyof typeof SENTENCES;

/** Takes a change of one subject. */
export type Report = (impact: Impact, rule: SaidRule, facts?: Facts) => void;

export const sentenceOf = (rule: SaidRule, name: string, facts: Facts): string => SENTENCES[rule](name, facts);

export const hasSentence = (rule: string): rule is SaidRule => Object.hasOwn(SENTENCES, rule);
