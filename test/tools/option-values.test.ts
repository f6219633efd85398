import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { httpUrl } from '../../src/runtime/settings/kinds/setting-kinds.ts';
import { choiceArgument, choiceOption, choicesOption, settingOf, wholeNumber } from '../../src/tools/option-values.ts';

const COLOURS = ['red', 'green', 'blue'] as const;

const command = () =>
  new Command('paint')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addArgument(choiceArgument('[tool]', 'what to paint with', ['brush', 'roller']))
    .addOption(choiceOption('--ground <colour>', 'first layer', COLOURS))
    .addOption(choicesOption('--with <colours>', 'other layers', COLOURS))
    .option('--layers <n>', 'how many', wholeNumber(1, 9))
    .option('--picture <url>', 'what to paint', settingOf(httpUrl));

const parse = (...args: string[]) => command().parse(args, { from: 'user' });

describe('the values of options', () => {
  it('are typed', () => {
    const { ground, with: others, layers } = parse('--ground', 'red', '--layers', '3', '--with', 'green,blue').opts();
    const exact: { ground: 'red' | 'green' | 'blue' | undefined; layers: number | undefined } = { ground, layers };
    expect({ ...exact, others }).toEqual({ ground: 'red', layers: 3, others: ['green', 'blue'] });
  });

  it('add up when an option is given several times', () => {
    expect(parse('--with', 'green', '--with', 'red, blue').opts().with).toEqual(['green', 'red', 'blue']);
  });

  it.each([
    [['--ground', 'gren'], "argument 'gren' is invalid. It must be red, green or blue.\n(Did you mean green?)"],
    [['--ground', 'yellow'], "argument 'yellow' is invalid. It must be red, green or blue."],
    [['--with', 'red,bleu'], 'It must be red, green or blue.\n(Did you mean blue?)'],
    [
      ['brsh'],
      "argument value 'brsh' is invalid for argument 'tool'. It must be brush or roller.\n(Did you mean brush?)",
    ],
    [['--layers', '10'], "argument '10' is invalid. It must be a whole number from 1 to 9."],
    [['--layers', '1e0'], 'It must be a whole number from 1 to 9.'],
    [['--picture', 'file:x'], 'It must be an `http:` or `https:` URL without a query.'],
  ])('%j is refused', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('are in the help', () => {
    expect(command().helpInformation()).toContain('first layer (choices: "red", "green", "blue")');
  });
});
