import { camelCase, inWords, valueName } from '../../../compiler/model/index.ts';
import { isNode, type Node, nodesBelow } from '../../../compiler/read/index.ts';
import { namesApart } from '../common/alike-names.ts';
import { javaSpelling } from './java-words.ts';

type Names = Readonly<Record<string, string>>;

/** Texts that the generator writes into strings of Java changed or unescaped. */
const CHANGED = /[^\w $.,:;@#!?+()[\]{}|~^%/*\p{L}\p{N}-]|\*\//u;
const HIDDEN = /\bhiddenText([\da-f]+)x\b/g;

const hide = (text: string): string => (CHANGED.test(text) ? `hiddenText${Buffer.from(text).toString('hex')}x` : text);
const shown = (text: string): string => text.replace(HIDDEN, (_, hex) => Buffer.from(hex, 'hex').toString());

/** Names of properties and parameters, and values of enums, as words that the generator leaves alone. `shownTexts` restores them. */
export function hideTexts(document: Node): void {
  for (const { node, kind } of [...nodesBelow(document, 'document')]) {
    if (kind === 'parameter' && node['in'] !== 'path' && typeof node['name'] === 'string')
      node['name'] = hide(node['name']);
    const { properties, required, enum: values, discriminator } = node;
    if (kind !== 'schema') continue;
    if (isNode(properties))
      node['properties'] = Object.fromEntries(Object.entries(properties).map(([name, own]) => [hide(name), own]));
    if (Array.isArray(required)) node['required'] = required.map(hide);
    if (isNode(discriminator)) discriminator['propertyName'] = hide(String(discriminator['propertyName']));
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) continue;
    if (!values.some((value) => CHANGED.test(value))) continue;
    node['x-enum-varnames'] ??= values.map((value) => valueName(value, values));
    node['enum'] = values.map(hide);
  }
}

/** Puts the texts into what the generator has written, as strings of Java. */
export const shownTexts = (text: string): string =>
  text.replace(HIDDEN, (word) => JSON.stringify(shown(word)).slice(1, -1).replaceAll('*/', '*\\u002f'));

/** What Java calls properties, and parameters, that it would call alike, or whose names are hidden. */
export function javaNameMappings(document: Node): Readonly<Record<string, Names>> {
  const { properties, parameters } = namesApart(document, javaSpelling);
  const hidden = [...new Set(JSON.stringify(document).match(HIDDEN))].map((word) => [word, inWords(shown(word))]);
  const of = (names: Names): Names =>
    Object.fromEntries([...Object.entries(names), ...hidden].map(([name, own = '']) => [name, camelCase(own)]));
  return { nameMappings: of(properties), parameterNameMappings: of(parameters) };
}
