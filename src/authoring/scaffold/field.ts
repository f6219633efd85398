import { closest } from '../../compiler/findings/index.ts';
import { camelCase, lowerFirst, snakeCase } from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import { MANAGED } from '../../descriptor/managed-properties.ts';
import { SCALARS, type ScalarKind } from './words/scalars.ts';

/** A property as given on the command line: `price:integer!`, `author:ref(authors)`, `status:enum(DRAFT,PUBLISHED)`. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isImmutable: boolean;
}

type FieldType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | ReferenceType;

interface ReferenceType {
  readonly kind: 'ref';
  /** As a caller names it: `users`, `books/copies`. */
  readonly collection: string;
  /** Name of its schema, once it is known. */
  readonly target?: string;
  /** The schema of its ids, once it is known. */
  readonly id?: Readonly<Record<string, unknown>>;
  /** Whether `x-owner` hides its rows, once it is known. */
  readonly isOwned?: boolean;
}

const FIELD = /^([a-z][A-Za-z0-9]*):([a-z][a-z0-9-]*)(?:\(([^()]*)\))?(!?)((?::[a-z]+)*)$/;
const ENUM_VALUE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

const GRAMMAR = 'name:type, or name:type! if it is required; types are ';

/** Parses an argument. Throws `ConfigError`. */
export function readField(text: string): Field {
  const [, name, kind, inside, bang, modifiers = ''] = FIELD.exec(text) ?? [];
  if (name === undefined || kind === undefined)
    throw new ConfigError([
      `${text} is not a field; write ${GRAMMAR}${Object.keys(SCALARS).join(', ')}, enum(A,B), ref(authors).${nearField(text)}`,
    ]);
  if (MANAGED.some((managed) => managed === name))
    throw new ConfigError([`${text}: every resource already has ${name}.`]);
  const words = modifiers.split(':').slice(1);
  const unknown = words.find((word) => word !== 'unique' && word !== 'immutable');
  if (unknown !== undefined)
    throw new ConfigError([
      `${text}: ${unknown} is not a modifier; use unique or immutable.${near(unknown, ['unique', 'immutable'])}`,
    ]);
  return {
    name,
    type: typeOf(text, kind, inside),
    isRequired: bang === '!',
    isUnique: words.includes('unique'),
    isImmutable: words.includes('immutable'),
  };
}

/** Names of types, and what they are called elsewhere. */
const TYPES = [...Object.keys(SCALARS), 'enum', 'ref'];
const SYNONYMS: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  datetime: 'date-time',
  timestamp: 'date-time',
  bigint: 'int64',
  url: 'uri',
  id: 'uuid',
  str: 'string',
};

/** ` Did you mean string?` */
function near(word: string, known: readonly string[]): string {
  const found = (known === TYPES ? SYNONYMS[word.toLowerCase()] : undefined) ?? closest(word, known);
  return found === undefined ? '' : ` Did you mean ${found}?`;
}

/** What a field in the wrong case, or with another separator, would be. */
function nearField(text: string): string {
  const [, name, kind, rest = ''] = /^([A-Za-z][\w-]*)\s*[:=]\s*([A-Za-z][\w-]*)(.*)$/.exec(text) ?? [];
  if (name === undefined || kind === undefined) return '';
  const camel = camelCase(name.replaceAll('_', '-'));
  const type = kind.toLowerCase();
  return ` Did you mean ${lowerFirst(camel)}:${SYNONYMS[type] ?? type}${rest}?`;
}

const upperSnake = (value: string): string => snakeCase(value).toUpperCase();

function typeOf(text: string, kind: string, inside: string | undefined): FieldType {
  if (kind === 'enum') {
    const values = (inside ?? '').split(',').map((value) => value.trim());
    const wrong = values.find((value) => !ENUM_VALUE.test(value));
    if (wrong !== undefined)
      throw new ConfigError([
        `${text}: write values in UPPER_SNAKE_CASE, like enum(${values.map(upperSnake).join(',') || 'DRAFT,PUBLISHED'}).`,
      ]);
    if (new Set(values).size < values.length)
      throw new ConfigError([`${text}: an enum must not have the same value twice.`]);
    return { kind, values };
  }
  if (kind === 'ref') {
    if (!/^[A-Za-z][\w/-]*$/.test(inside ?? ''))
      throw new ConfigError([`${text}: name the collection that it refers to, like ref(authors).`]);
    return { kind, collection: inside! };
  }
  if (inside !== undefined || !Object.hasOwn(SCALARS, kind))
    throw new ConfigError([
      `${text}: ${kind} is not a type; use one of ${Object.keys(SCALARS).join(', ')}, enum(A,B), ref(authors).${near(kind, TYPES)}`,
    ]);
  return { kind: kind as ScalarKind };
}
