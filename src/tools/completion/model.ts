import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** What a shell suggests for one command. */
export interface CommandModel {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionModel[];
  /** By position; the last one repeats when it is variadic. */
  readonly arguments: readonly Values[];
}

export interface OptionModel {
  /** `--contracts`, and `-h` where there is one. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined: the option takes no value. */
  readonly values: Values | undefined;
}

/** What a value may be. */
export type Values =
  | { readonly kind: 'folder' }
  | { readonly kind: 'file' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'any' };

/** Reads the definition of a command; a value named `<dir>` is a folder, one named `<file>` is a file. */
export function modelOf(name: string, command: CommandUnknownOpts): CommandModel {
  return {
    name,
    summary: command.summary(),
    options: command.createHelp().visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map((argument) => valuesOf(argument.name(), argument)),
  };
}

function optionOf(option: Option): OptionModel {
  const { short, long, flags, description } = option;
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    values: option.required ? valuesOf(/<(\w+)>/.exec(flags)![1]!, option) : undefined,
  };
}

function valuesOf(name: string, { argChoices }: Pick<Argument | Option, 'argChoices'>): Values {
  if (argChoices) return { kind: 'choice', choices: argChoices };
  switch (name) {
    case 'dir':
      return { kind: 'folder' };
    case 'file':
      return { kind: 'file' };
    default:
      return { kind: 'any' };
  }
}
