import { isDeepStrictEqual } from 'node:util';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { OwnerRule, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { problemNames } from '../../read/complete/problem-schemas.ts';
import type { Change, Impact } from './change.ts';
import type { Edition } from './edition.ts';
import { fieldAccessChanges, rowAccessChanges } from './row-access-changes.ts';
import { keysWithinTenant, tenantChanges } from './tenant-changes.ts';
import { throughChanges } from './through-changes.ts';

/** Differences in what the extensions of the conventions declare. */
export function conventionChanges(released: Edition, current: Edition): readonly Change[] {
  const before = new Map(released.model.resources.map((resource) => [resource.key, resource]));
  const pairs = current.model.resources.flatMap((now) => {
    const old = before.get(now.key);
    return old ? [[old, now] as const] : [];
  });
  return [
    ...pairs.flatMap(([old, now]) => resourceChanges(old, now, current)),
    ...errorChanges(released, current),
    ...answerChanges(released, current),
  ];
}

type Report = (impact: Impact, rule: string, message: string) => void;

function reporter(
  current: Edition,
  pointer: string,
  subject: string,
): { readonly changes: Change[]; readonly report: Report } {
  const changes: Change[] = [];
  const report: Report = (impact, rule, message) =>
    changes.push({ impact, area: 'rest', rule, subject, message, location: current.at(pointer) });
  return { changes, report };
}

function resourceChanges(old: ResourceDescriptor, now: ResourceDescriptor, current: Edition): readonly Change[] {
  const schema = `/components/schemas/${now.schemas.resource}`;
  const { changes, report } = reporter(current, schema, now.name);
  uniqueChanges(old, now, report);
  ownerChanges(old.owner, now.owner, now.name, report);
  tenantChanges(old, now, report);
  throughChanges(old, now, (id) => current.model.operations.some(({ operationId }) => operationId === id), report);
  rowAccessChanges(old, now, current.model.resources, report);
  listChanges(old, now, report);
  searchChanges(old, now, report);
  const before = new Map(old.properties.map((property) => [property.name, property]));
  const properties = now.properties.flatMap((property) => {
    const known = before.get(property.name);
    if (!known) return [];
    const name = `${now.name}.${property.name}`;
    const own = reporter(current, `${schema}/properties/${property.name}`, name);
    propertyChanges(known, property, name, own.report);
    fieldAccessChanges(known, { ...property, name }, current.model.resources, own.report);
    return own.changes;
  });
  return [...changes, ...properties];
}

function uniqueChanges(old: ResourceDescriptor, now: ResourceDescriptor, report: Report): void {
  const [before, after] = [keysWithinTenant(old), keysWithinTenant(now)];
  const has = (keys: readonly (readonly string[])[], key: readonly string[]) =>
    keys.some((one) => isDeepStrictEqual([...one].sort(), [...key].sort()));
  for (const key of after)
    if (!has(before, key)) report('major', 'unique-added', `${now.name} must now be unique by ${key.join(', ')}.`);
  for (const key of before)
    if (!has(after, key))
      report('minor', 'unique-removed', `${now.name} no longer has to be unique by ${key.join(', ')}.`);
}

function ownerChanges(old: OwnerRule | undefined, now: OwnerRule | undefined, name: string, report: Report): void {
  if (old && now) ownerRuleChanges(old, now, name, report);
  else if (old) report('minor', 'owner-removed', `Every caller can now see each ${name}.`);
  else if (now) report('major', 'owner-added', `Callers can now see only their own ${name}.`);
}

function ownerRuleChanges(old: OwnerRule, now: OwnerRule, name: string, report: Report): void {
  if (old.property !== now.property)
    report('major', 'owner-changed', `The owner of a ${name} is \`${now.property}\`, no longer \`${old.property}\`.`);
  if (old.scope !== now.scope)
    report(
      old.scope === undefined ? 'minor' : 'major',
      'owner-scope-changed',
      `The scope that exempts from the owner rule of ${name} is ${now.scope ?? 'none'}, no longer ${old.scope ?? 'none'}.`,
    );
  if (old.reads !== now.reads)
    report(
      now.reads === 'owner' ? 'major' : 'minor',
      'owner-reads-changed',
      `${name} can be read by ${now.reads === 'owner' ? 'its owner only' : 'anyone'}.`,
    );
}

function listChanges({ list: old }: ResourceDescriptor, { list: now, name }: ResourceDescriptor, report: Report): void {
  if (!old || !now) return;
  if (old.defaultLimit !== now.defaultLimit)
    report(
      'major',
      'default-limit-changed',
      `The default page size of ${name} is ${now.defaultLimit}, no longer ${old.defaultLimit}.`,
    );
  if (!isDeepStrictEqual(old.defaultSort, now.defaultSort))
    report(
      'major',
      'default-sort-changed',
      `The default order of ${name} is by ${sortText(now.defaultSort)}, no longer by ${sortText(old.defaultSort)}.`,
    );
  countChanges(old.countBound, now.countBound, name, report);
}

/** Clients may rely on a count as far as it was exact. */
function countChanges(old: number | undefined, now: number | undefined, name: string, report: Report): void {
  if (now === old) return;
  if (now === undefined) report('minor', 'count-bound-removed', `All entries of ${name} are counted.`);
  else if (old !== undefined && now > old)
    report('minor', 'count-bound-raised', `Entries of ${name} are counted up to ${now}, no longer only up to ${old}.`);
  else
    report(
      'major',
      'count-bound-added',
      `Entries of ${name} are counted up to ${now} only${old === undefined ? '' : `, no longer up to ${old}`}.`,
    );
}

/** Removed with its parameter, a search is a change of that. */
function searchChanges(
  { list: old }: ResourceDescriptor,
  { list: now, name }: ResourceDescriptor,
  report: Report,
): void {
  if (!old?.search || !now?.search) return;
  const [added, removed] = [without(now.search, old.search), without(old.search, now.search)];
  if (removed.length > 0)
    report('major', 'search-narrowed', `The search of ${name} finds no more words of ${removed.join(', ')}.`);
  if (added.length > 0)
    report('minor', 'search-widened', `The search of ${name} finds words of ${added.join(', ')}, too.`);
  languageChanges(old.searchLanguage, now.searchLanguage, name, report);
  const kept = without(old.search, removed);
  if (!isDeepStrictEqual(now.search.slice(0, kept.length), kept))
    report(
      'major',
      'search-reordered',
      `A search of ${name} puts rows first by words in ${now.search.join(', ')}, no longer in ${old.search.join(', ')}.`,
    );
}

/** What was found without a language is found with any. */
function languageChanges(old: string | undefined, now: string | undefined, name: string, report: Report): void {
  if (old === now) return;
  if (old === undefined)
    report('minor', 'search-inflected', `The search of ${name} finds inflected forms of words (${now}), too.`);
  else
    report(
      'major',
      'search-language-changed',
      `The search of ${name} finds inflected forms of ${now ?? 'no language'}, no longer of ${old}.`,
    );
}

const sortText = (sort: readonly string[]): string => (sort.length === 0 ? 'id' : sort.join(', '));

function propertyChanges(old: PropertyDescriptor, now: PropertyDescriptor, name: string, report: Report): void {
  if (!isDeepStrictEqual(old.initial, now.initial))
    report(
      'major',
      'default-changed',
      `The initial value of ${name} is ${JSON.stringify(now.initial)}, no longer ${JSON.stringify(old.initial)}.`,
    );
  if (now.name === 'id') idChanges(old, now, name, report);
  else setterChanges(old, now, name, report);
  referenceChanges(old, now, name, report);
  transitionChanges(old, now, name, report);
}

/** An id never changes. That callers may send it, or must, shows in the input. */
function idChanges(old: PropertyDescriptor, now: PropertyDescriptor, name: string, report: Report): void {
  if (old.origin === 'input' && now.origin === 'managed')
    report('major', 'origin-changed', `${name} can no longer be chosen by callers.`);
}

function setterChanges(old: PropertyDescriptor, now: PropertyDescriptor, name: string, report: Report): void {
  if (!old.immutable && now.immutable) report('major', 'immutable-added', `${name} can only be set on creation.`);
  if (old.immutable && !now.immutable) report('minor', 'immutable-removed', `${name} can now be changed.`);
  if (old.origin !== now.origin && [old.origin, now.origin].includes('managed'))
    report('major', 'origin-changed', `${name} is set by ${now.origin}, no longer by ${old.origin}.`);
}

function referenceChanges(
  { references: old }: PropertyDescriptor,
  { references: now }: PropertyDescriptor,
  name: string,
  report: Report,
): void {
  if (!old && now) report('major', 'reference-added', `${name} must now be the id of a row of ${now.resource}.`);
  if (old && !now) report('minor', 'reference-removed', `${name} can now be any id.`);
  if (!old || !now) return;
  if (old.resource !== now.resource)
    report('major', 'reference-changed', `${name} refers to ${now.resource}, no longer to ${old.resource}.`);
  if (old.allowsHidden && !now.allowsHidden)
    report(
      'major',
      'reference-hidden-refused',
      `${name} can no longer refer to what \`x-owner\` hides from the caller.`,
    );
  if (!old.allowsHidden && now.allowsHidden)
    report('minor', 'reference-hidden-allowed', `${name} can now refer to what \`x-owner\` hides from the caller.`);
  if (old.onDelete !== now.onDelete)
    report(
      'major',
      'on-delete-changed',
      `When the target of ${name} is deleted, the rule is ${now.onDelete}, no longer ${old.onDelete}.`,
    );
}

function transitionChanges(
  { transitions: old }: PropertyDescriptor,
  { transitions: now }: PropertyDescriptor,
  name: string,
  report: Report,
): void {
  if (!old && now) report('major', 'transitions-added', `${name} can only change along its transitions.`);
  if (old && !now) report('minor', 'transitions-removed', `${name} can now change to any value.`);
  if (!old || !now) return;
  const moves = (transitions: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(transitions).flatMap(([from, targets]) => targets.map((to) => `${from} to ${to}`));
  const [before, after] = [moves(old), moves(now)];
  for (const move of before)
    if (!after.includes(move)) report('major', 'transition-removed', `${name} can no longer change from ${move}.`);
  for (const move of after)
    if (!before.includes(move)) report('minor', 'transition-added', `${name} can now change from ${move}.`);
}

function errorChanges(released: Edition, current: Edition): readonly Change[] {
  const pointer = `/components/schemas/${problemNames(current.model.document).errorCode}`;
  const [before, after] = [released.model.errors, current.model.errors];
  const removed = Object.values(before).flatMap((old) => {
    const { changes, report } = reporter(current, pointer, old.code);
    errorCodeChanges(old, after[old.code], report);
    return changes;
  });
  const added = Object.keys(after).flatMap((code) => {
    const { changes, report } = reporter(current, pointer, code);
    if (!before[code]) report('minor', 'error-code-added', `The error ${code} is new.`);
    return changes;
  });
  return [...removed, ...added];
}

function errorCodeChanges(old: ErrorDescriptor, now: ErrorDescriptor | undefined, report: Report): void {
  const { code } = old;
  if (!now) report('major', 'error-code-removed', `The error ${code} was removed.`);
  else if (now.status !== old.status)
    report('major', 'error-status-changed', `The error ${code} has status ${now.status}, no longer ${old.status}.`);
  else if (now.retryable !== old.retryable)
    report(
      'major',
      'error-retryable-changed',
      `The error ${code} is ${now.retryable ? 'now' : 'no longer'} retryable.`,
    );
  else if (now.title !== old.title || now.description !== old.description)
    report('patch', 'error-words-changed', `The error ${code} has another title or description.`);
}

/** A client falls back on the status of a code that it does not know, so that one more breaks none. */
function answerChanges(released: Edition, current: Edition): readonly Change[] {
  const before = new Map(released.model.operations.map((operation) => [operation.operationId, operation]));
  return current.model.operations.flatMap(({ operationId, method, path, errorCodes }) => {
    const old = before.get(operationId)?.errorCodes;
    if (!old) return [];
    const { changes, report } = reporter(current, childPointer(childPointer('/paths', path), method), operationId);
    const [added, removed] = [without(errorCodes, old), without(old, errorCodes)];
    if (added.length > 0) report('minor', 'answer-added', `\`${operationId}\` can now fail with ${added.join(', ')}.`);
    if (removed.length > 0)
      report('minor', 'answer-removed', `\`${operationId}\` can no longer fail with ${removed.join(', ')}.`);
    return changes;
  });
}

const without = (codes: readonly string[], others: readonly string[]): readonly string[] =>
  codes.filter((code) => !others.includes(code));
