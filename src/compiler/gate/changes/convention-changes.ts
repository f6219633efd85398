import { isDeepStrictEqual } from 'node:util';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import {
  type OwnerRule,
  type PropertyDescriptor,
  type ResourceDescriptor,
  totalsOf,
} from '../../../descriptor/resource.ts';
import { problemNames } from '../../read/complete/problem-schemas.ts';
import type { Change } from './change.ts';
import { type Report, sentenceOf } from './change-sentences.ts';
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

function reporter(
  current: Edition,
  pointer: string,
  subject: string,
): { readonly changes: Change[]; readonly report: Report } {
  const changes: Change[] = [];
  const report: Report = (impact, rule, facts = {}) => {
    const message = sentenceOf(rule, subject, facts);
    changes.push({ impact, area: 'rest', rule, subject, facts, message, location: current.at(pointer) });
  };
  return { changes, report };
}

function resourceChanges(old: ResourceDescriptor, now: ResourceDescriptor, current: Edition): readonly Change[] {
  const schema = `/components/schemas/${now.schemas.resource}`;
  const { changes, report } = reporter(current, schema, now.name);
  uniqueChanges(old, now, report);
  ownerChanges(old.owner, now.owner, report);
  tenantChanges(old, now, report);
  throughChanges(old, now, (id) => current.model.operations.some(({ operationId }) => operationId === id), report);
  totalsChanges(old, now, report);
  rowAccessChanges(old, now, current.model.resources, report);
  listChanges(old, now, report);
  searchChanges(old, now, report);
  const before = new Map(old.properties.map((property) => [property.name, property]));
  const properties = now.properties.flatMap((property) => {
    const known = before.get(property.name);
    if (!known) return [];
    const name = `${now.name}.${property.name}`;
    const own = reporter(current, `${schema}/properties/${property.name}`, name);
    propertyChanges(known, property, own.report);
    fieldAccessChanges(known, property, current.model.resources, own.report);
    return own.changes;
  });
  return [...changes, ...properties];
}

function uniqueChanges(old: ResourceDescriptor, now: ResourceDescriptor, report: Report): void {
  const [before, after] = [keysWithinTenant(old), keysWithinTenant(now)];
  const has = (keys: readonly (readonly string[])[], key: readonly string[]) =>
    keys.some((one) => isDeepStrictEqual([...one].sort(), [...key].sort()));
  for (const key of after) if (!has(before, key)) report('major', 'unique-added', { to: key });
  for (const key of before) if (!has(after, key)) report('minor', 'unique-removed', { from: key });
}

/** Groups and measures are values of parameters, whose changes are reported as such. */
function totalsChanges(old: ResourceDescriptor, now: ResourceDescriptor, report: Report): void {
  const before = new Map(totalsOf(old).map((one) => [one.operationId, one.maxRows]));
  for (const { operationId, maxRows: to } of totalsOf(now)) {
    const from = before.get(operationId) ?? to;
    if (to < from) report('major', 'totals-lowered', { keyword: operationId, from, to });
    if (to > from) report('minor', 'totals-raised', { keyword: operationId, from, to });
  }
}

function ownerChanges(old: OwnerRule | undefined, now: OwnerRule | undefined, report: Report): void {
  if (old && now) ownerRuleChanges(old, now, report);
  else if (old) report('minor', 'owner-removed');
  else if (now) report('major', 'owner-added');
}

function ownerRuleChanges(old: OwnerRule, now: OwnerRule, report: Report): void {
  if (old.property !== now.property) report('major', 'owner-changed', { from: old.property, to: now.property });
  if (old.scope !== now.scope)
    report(old.scope === undefined ? 'minor' : 'major', 'owner-scope-changed', { from: old.scope, to: now.scope });
  if (old.reads !== now.reads)
    report(now.reads === 'owner' ? 'major' : 'minor', 'owner-reads-changed', { from: old.reads, to: now.reads });
}

function listChanges({ list: old }: ResourceDescriptor, { list: now }: ResourceDescriptor, report: Report): void {
  if (!old || !now) return;
  if (old.defaultLimit !== now.defaultLimit)
    report('major', 'default-limit-changed', { from: old.defaultLimit, to: now.defaultLimit });
  if (!isDeepStrictEqual(old.defaultSort, now.defaultSort))
    report('major', 'default-sort-changed', { from: orderOf(old.defaultSort), to: orderOf(now.defaultSort) });
  countChanges(old.countBound, now.countBound, report);
}

/** Clients may rely on a count as far as it was exact. */
function countChanges(from: number | undefined, to: number | undefined, report: Report): void {
  if (to === from) return;
  if (to === undefined) report('minor', 'count-bound-removed', { from });
  else if (from !== undefined && to > from) report('minor', 'count-bound-raised', { from, to });
  else report('major', 'count-bound-added', { from, to });
}

/** Removed with its parameter, a search is a change of that. */
function searchChanges({ list: old }: ResourceDescriptor, { list: now }: ResourceDescriptor, report: Report): void {
  if (!old?.search || !now?.search) return;
  const [added, removed] = [without(now.search, old.search), without(old.search, now.search)];
  if (removed.length > 0) report('major', 'search-narrowed', { from: removed });
  if (added.length > 0) report('minor', 'search-widened', { to: added });
  languageChanges(old.searchLanguage, now.searchLanguage, report);
  const kept = without(old.search, removed);
  if (!isDeepStrictEqual(now.search.slice(0, kept.length), kept))
    report('major', 'search-reordered', { from: old.search, to: now.search });
}

/** What was found without a language is found with any. */
function languageChanges(from: string | undefined, to: string | undefined, report: Report): void {
  if (from === to) return;
  if (from === undefined) report('minor', 'search-inflected', { to });
  else report('major', 'search-language-changed', { from, to });
}

const orderOf = (sort: readonly string[]): readonly string[] => (sort.length === 0 ? ['id'] : sort);

function propertyChanges(old: PropertyDescriptor, now: PropertyDescriptor, report: Report): void {
  if (!isDeepStrictEqual(old.initial, now.initial))
    report('major', 'default-changed', { from: old.initial, to: now.initial });
  if (now.name === 'id') idChanges(old, now, report);
  else setterChanges(old, now, report);
  referenceChanges(old, now, report);
  transitionChanges(old, now, report);
}

/** An id never changes. That callers may send it, or must, shows in the input. */
function idChanges(old: PropertyDescriptor, now: PropertyDescriptor, report: Report): void {
  if (old.origin === 'input' && now.origin === 'managed') report('major', 'origin-changed');
}

function setterChanges(old: PropertyDescriptor, now: PropertyDescriptor, report: Report): void {
  if (!old.immutable && now.immutable) report('major', 'immutable-added');
  if (old.immutable && !now.immutable) report('minor', 'immutable-removed');
  if (old.origin !== now.origin && [old.origin, now.origin].includes('managed'))
    report('major', 'origin-changed', { from: old.origin, to: now.origin });
}

function referenceChanges(
  { references: old }: PropertyDescriptor,
  { references: now }: PropertyDescriptor,
  report: Report,
): void {
  if (!old && now) report('major', 'reference-added', { to: now.resource });
  if (old && !now) report('minor', 'reference-removed', { from: old.resource });
  if (!old || !now) return;
  if (old.resource !== now.resource) report('major', 'reference-changed', { from: old.resource, to: now.resource });
  if (old.allowsHidden && !now.allowsHidden) report('major', 'reference-hidden-refused');
  if (!old.allowsHidden && now.allowsHidden) report('minor', 'reference-hidden-allowed');
  if (old.onDelete !== now.onDelete) report('major', 'on-delete-changed', { from: old.onDelete, to: now.onDelete });
}

function transitionChanges(
  { transitions: old }: PropertyDescriptor,
  { transitions: now }: PropertyDescriptor,
  report: Report,
): void {
  if (!old && now) report('major', 'transitions-added');
  if (old && !now) report('minor', 'transitions-removed');
  if (!old || !now) return;
  for (const [from, to] of movesOf(old))
    if (!now[from]?.includes(to)) report('major', 'transition-removed', { from, to });
  for (const [from, to] of movesOf(now))
    if (!old[from]?.includes(to)) report('minor', 'transition-added', { from, to });
}

const movesOf = (transitions: Readonly<Record<string, readonly string[]>>): readonly (readonly [string, string])[] =>
  Object.entries(transitions).flatMap(([from, targets]) => targets.map((to) => [from, to] as const));

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
    if (!before[code]) report('minor', 'error-code-added');
    return changes;
  });
  return [...removed, ...added];
}

function errorCodeChanges(old: ErrorDescriptor, now: ErrorDescriptor | undefined, report: Report): void {
  if (!now) report('major', 'error-code-removed');
  else if (now.status !== old.status) report('major', 'error-status-changed', { from: old.status, to: now.status });
  else if (now.retryable !== old.retryable)
    report('major', 'error-retryable-changed', { from: old.retryable, to: now.retryable });
  else if (now.title !== old.title || now.description !== old.description) report('patch', 'error-words-changed');
}

/** A client falls back on the status of a code that it does not know, so that one more breaks none. */
function answerChanges(released: Edition, current: Edition): readonly Change[] {
  const before = new Map(released.model.operations.map((operation) => [operation.operationId, operation]));
  return current.model.operations.flatMap(({ operationId, method, path, errorCodes }) => {
    const old = before.get(operationId)?.errorCodes;
    if (!old) return [];
    const { changes, report } = reporter(current, childPointer(childPointer('/paths', path), method), operationId);
    const [added, removed] = [without(errorCodes, old), without(old, errorCodes)];
    if (added.length > 0) report('minor', 'answer-added', { to: added });
    if (removed.length > 0) report('minor', 'answer-removed', { from: removed });
    return changes;
  });
}

const without = (codes: readonly string[], others: readonly string[]): readonly string[] =>
  codes.filter((code) => !others.includes(code));
