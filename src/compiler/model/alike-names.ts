import { createHash } from 'node:crypto';
import { isSchemaObject } from '../json-schema/flat-schema.ts';

/** Names that differ by this alone are the same in some language. */
export const normal = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

const SIGNS: Readonly<Record<string, string>> = {
  ...{
    '+': 'plus',
    '-': 'minus',
    '*': 'star',
    '/': 'slash',
    '.': 'dot',
    ' ': 'space',
    $: 'dollar',
    '@': 'at',
    '#': 'hash',
  },
  ...{ '%': 'percent', '&': 'and', '!': 'not', '?': 'question', '|': 'or', '<': 'less', '>': 'greater', '=': 'equal' },
  ...{ '~': 'tilde', '^': 'caret', ':': 'colon', ',': 'comma', _: 'underscore', '`': 'backtick' },
};

/** Pairs of names that some language spells alike, each but the first with one before it. */
export function alikeIn(names: readonly string[]): readonly (readonly [name: string, other: string])[] {
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const other = first.get(normal(name));
    if (other === undefined) first.set(normal(name), name);
    return other === undefined || other === name ? [] : [[name, other] as const];
  });
}

/**
 * A name in words of its own, if others are alike; it follows from the name alone, so that it stays when others come or change places. A
 * digest is added if another name is alike to the words. `spell`: what a language makes of a name, beyond case and signs.
 */
export function apart(name: string, others: readonly string[], spell: (name: string) => string = normal): string {
  const isAlike = (one: string, other: string) => normal(one) === normal(other) || spell(one) === spell(other);
  const distinct = others.filter((other) => other !== name);
  const alike = distinct.filter((other) => isAlike(other, name));
  if (alike.length === 0 && normal(name) !== '') return name;
  const own = inWords(name);
  const isTaken = distinct.some(
    (other) => isAlike(inWords(other), own) || (!alike.includes(other) && isAlike(other, own)),
  );
  return isTaken ? `${own}_${digestOf(name)}` : own;
}

const digestOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 4);

/** Signs are words, and letters show their case. */
export function inWords(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]/g, (sign) => `_${SIGNS[sign] ?? `u${sign.charCodeAt(0).toString(16)}`}_`);
  const own = words.replace(/_+/g, '_').replace(/^_|_$/g, '') || 'empty';
  const isSigned = /[^A-Za-z0-9]/.test(name);
  if (isSigned || own === own.toLowerCase()) return own;
  if (own === own.toUpperCase()) return `${own}_upper`;
  return /^[A-Z][^A-Z]*$/.test(own) ? `${own}_capital` : `${own}_${digestOf(name)}`;
}

/** `+1` → `PLUS_1`, `2` → `VALUE_2`. */
export const valueName = (text: string, all: readonly string[]): string =>
  apart(text, all)
    .toUpperCase()
    .replace(/\W/g, '_')
    .replace(/^(?![A-Z])/, 'VALUE_');

/** Names of a schema's properties that no field of Go can have: `encoding/json` ignores such names. */
export const unspeakableIn = ({ properties }: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(isSchemaObject(properties) ? properties : {}).filter(
    (name) => name === '-' || !/^[\p{L}\p{N}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u.test(name),
  );

/** Values of an enum that the generator for Go writes no constants for: those of several lines. */
export const unwritableIn = ({ enum: values }: Readonly<Record<string, unknown>>): readonly string[] =>
  (Array.isArray(values) ? values : []).filter((value) => typeof value === 'string' && /[\r\n]/.test(value));
