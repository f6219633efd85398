import { buildSchema, parseValue } from 'graphql';
import { resolvers as library } from 'graphql-scalars';
import { expect, it } from 'vitest';
import { scalarResolvers } from '../../../src/runtime/graphql/fields/scalars.ts';

const NUMBERS = [0, -0, 1, -7, 2 ** 53 - 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300];
const OTHERS = ['', '5', ' 6 ', 'x', '1.5', true, false, null, undefined, [], [1], {}, new Number(3), new Date(5), 10n];
const LITERALS = ['1', '-3', '1.0', '"1"', 'true', 'null', '[1]', '{ a: 1 }', 'ONE', '9007199254740991'];

const outcome = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
};

it('SafeInt takes, sends and refuses what that of graphql-scalars does, in its words', async () => {
  const { SafeInt: ours } = await scalarResolvers(buildSchema('scalar SafeInt'));
  const theirs = library.SafeInt!;
  for (const value of [...NUMBERS, ...OTHERS].filter((one) => !Number.isInteger(one) || Number.isSafeInteger(one))) {
    expect(
      outcome(() => ours!.serialize(value)),
      `sends ${String(value)}`,
    ).toEqual(outcome(() => theirs.serialize(value)));
    expect(
      outcome(() => ours!.parseValue(value)),
      `takes ${String(value)}`,
    ).toEqual(outcome(() => theirs.parseValue(value)));
  }
  for (const text of LITERALS) {
    const node = parseValue(text);
    expect(
      outcome(() => ours!.parseLiteral(node, {})),
      text,
    ).toEqual(outcome(() => theirs.parseLiteral(node, {})));
  }
});

it('a scalar that graphql-scalars has comes from there, and an unknown one is refused', async () => {
  const { Duration: duration } = await scalarResolvers(buildSchema('scalar Duration scalar Date'));
  expect(duration!.parseValue).toBe(library.Duration!.parseValue);
  await expect(scalarResolvers(buildSchema('scalar Nothing'))).rejects.toThrow('The scalar Nothing is unknown.');
});
