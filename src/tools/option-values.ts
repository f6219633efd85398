import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { editDistance } from '../descriptor/edit-distance.ts';
import { onlyOf } from '../descriptor/look-up.ts';
import type { Claims } from '../runtime/auth/index.ts';
import type { SettingKind } from '../runtime/settings/kinds/index.ts';

const MAX_DISTANCE = 3;
const MIN_SIMILARITY = 0.4;

/** An option that accepts one of a few words. */
export function choiceOption<const Flags extends string, const Choice extends string>(
  flags: Flags,
  description: string,
  choices: readonly Choice[],
) {
  const option = new Option(flags, description).argParser((text): Choice => oneOf(text, choices));
  option.argChoices = [...choices];
  return option;
}

/** An option that accepts some of a few words, with commas between; given several times, it accepts all of them. */
export function choicesOption<const Flags extends string, const Choice extends string>(
  flags: Flags,
  description: string,
  choices: readonly Choice[],
) {
  const option = new Option(flags, description).argParser((text, previous: readonly Choice[] = []) => [
    ...previous,
    ...text.split(',').map((word) => oneOf(word.trim(), choices)),
  ]);
  option.argChoices = [...choices];
  return option;
}

/** An argument that accepts one of a few words. */
export function choiceArgument<const Name extends string, const Choice extends string>(
  name: Name,
  description: string,
  choices: readonly Choice[],
) {
  const argument = new Argument(name, description).argParser((text): Choice => oneOf(text, choices));
  argument.argChoices = [...choices];
  return argument;
}

/** Parses a whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Parses what a setting of this kind accepts. */
export function settingOf<T>(kind: SettingKind<T>): (text: string) => T {
  return (text) => {
    try {
      return kind.read(text);
    } catch (error) {
      throw new InvalidArgumentError(`It must be ${(error as RangeError).message}.`);
    }
  };
}

function oneOf<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const [near] = choices.filter((choice) => isNear(text, choice)).sort(byDistanceTo(text));
  throw new InvalidArgumentError(
    `It must be ${listed(choices)}.${near === undefined ? '' : `\n(Did you mean ${near}?)`}`,
  );
}

/**
 * As the parser judges names of options and commands: at most three letters differ, and more than two in five are the
 * same.
 */
function isNear(text: string, word: string): boolean {
  const differing = editDistance(text, word);
  return differing <= MAX_DISTANCE && differing < Math.max(text.length, word.length) * (1 - MIN_SIMILARITY);
}

const byDistanceTo =
  (text: string) =>
  (a: string, b: string): number =>
    editDistance(text, a) - editDistance(text, b);

const listed = (choices: readonly string[]): string =>
  onlyOf(choices) ?? `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/**
 * The claims of a token, given as a JSON object. Throws `InvalidArgumentError`, which also says what `or` else may be
 * given.
 */
export function claimsOf(text: string, or = ''): Claims {
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {}
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as Claims;
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"sub":"ada","scope":"a b"}'${or}.`);
}
