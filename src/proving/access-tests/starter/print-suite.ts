import type { Expected, Values } from '../suite.ts';
import type { CastMember } from './cast.ts';
import type { DraftRows } from './draft-rows.ts';
import type { DraftTest } from './draft-tests.ts';

/** A test of some callers, and what they are answered. */
export interface PrintedTest extends DraftTest {
  readonly who: readonly string[];
  readonly expected: Expected;
}

/** The tests of one resource, below what its rules say. */
export interface PrintedPart {
  readonly words: readonly string[];
  readonly tests: readonly PrintedTest[];
}

const WIDTH = 120;

/** The text of an `access.yaml`. */
export function printSuite(
  head: readonly string[],
  cast: readonly CastMember[],
  rows: DraftRows,
  parts: readonly PrintedPart[],
): string {
  return [
    ...head,
    'callers:',
    ...cast.flatMap(({ name, claims, words }) => [`  # ${words}`, `  ${name}: ${flow(claims)}`]),
    '',
    'rows:',
    ...[...rows].flatMap(([key, named]) => [
      `  ${scalar(key)}:`,
      ...Object.entries(named).map(([name, values]) => `    ${name}: ${flow(values)}`),
    ]),
    '',
    'tests:',
    ...parts.flatMap(({ words, tests }, i) => [
      ...(i > 0 ? [''] : []),
      ...words.flatMap((text) => wrapped(text)),
      ...tests.map((test) => `  - ${flow(testOf(test))}`),
    ]),
    '',
  ].join('\n');
}

function testOf({ who, action, row, under, values, expected }: PrintedTest): Values {
  const { outcome, listed, hidden, empty } = expected;
  const seen = {
    ...(listed.length > 0 && { listed }),
    ...(hidden.length > 0 && { hidden }),
    ...(empty.length > 0 && { null: empty }),
  };
  return {
    who: who.length === 1 ? who[0] : who,
    action,
    ...(row !== undefined && { row }),
    ...(under !== undefined && { under }),
    ...(values && { values }),
    expect: Object.keys(seen).length > 0 ? seen : outcome,
  };
}

/** A comment, in lines that fit. */
function wrapped(text: string): readonly string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length + 3 > WIDTH) lines.push(` ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => `  #${line}`);
}

/** A value of JSON as YAML writes it in one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const members = Object.entries(value).map(([name, one]) => `${scalar(name)}: ${flow(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Texts that are the same without quotes in YAML 1.2, none of which is a number, a boolean or null. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z_$][\w$./-]*(?::?[\w$./-]+| [A-Za-z][\w$./:-]*\w)*$/i;

const scalar = (value: unknown): string =>
  typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
