import { isDeepStrictEqual } from 'node:util';
import type { OwnerRule, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Change, Impact } from './change.ts';
import type { Edition } from './edition.ts';

/** Differences in what the conventions' extensions promise. */
export function conventionChanges(released: Edition, current: Edition): readonly Change[] {
  const before = new Map(released.model.resources.map((resource) => [resource.key, resource]));
  const pairs = current.model.resources.flatMap((now) => {
    const old = before.get(now.key);
    return old ? [[old, now] as const] : [];
  });
  return [...pairs.flatMap(([old, now]) => resourceChanges(old, now, current)), ...errorChanges(released, current)];
}

type Tell = (impact: Impact, rule: string, message: string) => void;

function telling(current: Edition, pointer: string): { readonly changes: Change[]; readonly tell: Tell } {
  const changes: Change[] = [];
  const tell: Tell = (impact, rule, message) =>
    changes.push({ impact, area: 'rest', rule, message, location: current.at(pointer) });
  return { changes, tell };
}

function resourceChanges(old: ResourceDescriptor, now: ResourceDescriptor, current: Edition): readonly Change[] {
  const schema = `/components/schemas/${now.schemas.resource}`;
  const { changes, tell } = telling(current, schema);
  uniqueChanges(old, now, tell);
  ownerChanges(old.owner, now.owner, now.name, tell);
  listChanges(old, now, tell);
  const before = new Map(old.properties.map((property) => [property.name, property]));
  const properties = now.properties.flatMap((property) => {
    const known = before.get(property.name);
    if (!known) return [];
    const own = telling(current, `${schema}/properties/${property.name}`);
    propertyChanges(known, property, `${now.name}.${property.name}`, own.tell);
    return own.changes;
  });
  return [...changes, ...properties];
}

function uniqueChanges(old: ResourceDescriptor, now: ResourceDescriptor, tell: Tell): void {
  const has = ({ unique }: ResourceDescriptor, key: readonly string[]) =>
    unique.some((one) => isDeepStrictEqual([...one].sort(), [...key].sort()));
  for (const key of now.unique)
    if (!has(old, key)) tell('major', 'unique-added', `${now.name} must now be unique by ${key.join(', ')}.`);
  for (const key of old.unique)
    if (!has(now, key)) tell('minor', 'unique-removed', `${now.name} need no longer be unique by ${key.join(', ')}.`);
}

function ownerChanges(old: OwnerRule | undefined, now: OwnerRule | undefined, name: string, tell: Tell): void {
  if (old && now) ownerRuleChanges(old, now, name, tell);
  else if (old) tell('minor', 'owner-removed', `Every caller sees each ${name}.`);
  else if (now) tell('major', 'owner-added', `Callers see only their own ${name}.`);
}

function ownerRuleChanges(old: OwnerRule, now: OwnerRule, name: string, tell: Tell): void {
  if (old.property !== now.property)
    tell('major', 'owner-changed', `The owner of a ${name} is \`${now.property}\`, no longer \`${old.property}\`.`);
  if (old.scope !== now.scope)
    tell(
      old.scope === undefined ? 'minor' : 'major',
      'owner-scope-changed',
      `The scope that frees from the owner rule of ${name} is ${now.scope ?? 'none'}, no longer ${old.scope ?? 'none'}.`,
    );
  if (old.reads !== now.reads)
    tell(now.reads === 'owner' ? 'major' : 'minor', 'owner-reads-changed', `${name} is read by ${now.reads}.`);
}

function listChanges({ list: old }: ResourceDescriptor, { list: now, name }: ResourceDescriptor, tell: Tell): void {
  if (!old || !now) return;
  if (old.defaultLimit !== now.defaultLimit)
    tell(
      'major',
      'default-limit-changed',
      `A page of ${name} has ${now.defaultLimit} items unless asked otherwise, no longer ${old.defaultLimit}.`,
    );
  if (!isDeepStrictEqual(old.defaultSort, now.defaultSort))
    tell(
      'major',
      'default-sort-changed',
      `${name} is sorted by ${sortText(now.defaultSort)} unless asked otherwise, no longer by ${sortText(old.defaultSort)}.`,
    );
}

const sortText = (sort: readonly string[]): string => (sort.length === 0 ? 'id' : sort.join(', '));

function propertyChanges(old: PropertyDescriptor, now: PropertyDescriptor, name: string, tell: Tell): void {
  if (!isDeepStrictEqual(old.initial, now.initial))
    tell(
      'major',
      'default-changed',
      `${name} begins as ${JSON.stringify(now.initial)}, no longer ${JSON.stringify(old.initial)}.`,
    );
  if (!old.immutable && now.immutable) tell('major', 'immutable-added', `${name} can be set on create only.`);
  if (old.immutable && !now.immutable) tell('minor', 'immutable-removed', `${name} can be changed.`);
  if (old.origin !== now.origin && [old.origin, now.origin].includes('managed'))
    tell('major', 'origin-changed', `${name} is set by ${now.origin}, no longer by ${old.origin}.`);
  referenceChanges(old, now, name, tell);
  transitionChanges(old, now, name, tell);
}

function referenceChanges(
  { references: old }: PropertyDescriptor,
  { references: now }: PropertyDescriptor,
  name: string,
  tell: Tell,
): void {
  if (!old && now) tell('major', 'reference-added', `${name} must be the id of one of ${now.resource}.`);
  if (old && !now) tell('minor', 'reference-removed', `${name} may be any id.`);
  if (!old || !now) return;
  if (old.resource !== now.resource)
    tell('major', 'reference-changed', `${name} refers to ${now.resource}, no longer to ${old.resource}.`);
  if (old.onDelete !== now.onDelete)
    tell(
      'major',
      'on-delete-changed',
      `${name} does ${now.onDelete} when its target is deleted, no longer ${old.onDelete}.`,
    );
}

function transitionChanges(
  { transitions: old }: PropertyDescriptor,
  { transitions: now }: PropertyDescriptor,
  name: string,
  tell: Tell,
): void {
  if (!old && now) tell('major', 'transitions-added', `${name} can change only along its transitions.`);
  if (old && !now) tell('minor', 'transitions-removed', `${name} can change to any value.`);
  if (!old || !now) return;
  const moves = (transitions: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(transitions).flatMap(([from, targets]) => targets.map((to) => `${from} to ${to}`));
  const [before, after] = [moves(old), moves(now)];
  for (const move of before)
    if (!after.includes(move)) tell('major', 'transition-removed', `${name} can no longer go from ${move}.`);
  for (const move of after)
    if (!before.includes(move)) tell('minor', 'transition-added', `${name} can go from ${move}.`);
}

function errorChanges(released: Edition, current: Edition): readonly Change[] {
  const { changes, tell } = telling(current, '/components/schemas/ErrorCode');
  const [before, after] = [released.model.errors, current.model.errors];
  for (const [code, old] of Object.entries(before)) {
    const now = after[code];
    if (!now) tell('major', 'error-code-removed', `The error ${code} is gone.`);
    else if (now.status !== old.status)
      tell('major', 'error-status-changed', `The error ${code} has status ${now.status}, no longer ${old.status}.`);
    else if (now.retryable !== old.retryable)
      tell(
        'major',
        'error-retryable-changed',
        `The error ${code} is ${now.retryable ? '' : 'no longer '}worth another try.`,
      );
    else if (now.title !== old.title || now.description !== old.description)
      tell('patch', 'error-words-changed', `The error ${code} is told in other words.`);
  }
  for (const code of Object.keys(after))
    if (!before[code]) tell('minor', 'error-code-added', `There is a new error ${code}.`);
  return changes;
}
