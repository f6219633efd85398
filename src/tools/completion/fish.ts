import type { CommandModel, OptionModel, Values } from './model.ts';

export function fishCompletion(program: string, commands: readonly CommandModel[]): string {
  const complete = `complete -c ${program}`;
  const lines = [
    `# fish completion for ${program}`,
    `${complete} -f`,
    `${complete} -n __fish_use_subcommand -s h -l help -d 'display help for command'`,
    `${complete} -n __fish_use_subcommand -s v -l version -d 'display the version'`,
    ...commands.flatMap(({ name, summary, options, arguments: [first] }) => {
      const isAfter = `__fish_seen_subcommand_from ${name}`;
      const within = `${complete} -n '${isAfter}'`;
      // What has been typed so far: the program and the command.
      const next = `${complete} -n '${isAfter}; and test (count (commandline -opc)) -eq 2'`;
      return [
        `${complete} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...options.map((option) => `${within} ${optionWords(option)}`),
        ...(first && first.kind !== 'any' ? [`${next} ${valueWords(first)}`] : []),
      ];
    }),
  ];
  return lines.join('\n');
}

function optionWords({ flags, description, values }: OptionModel): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, ...(values ? ['-r', valueWords(values)] : []), `-d ${quoted(description)}`].join(' ');
}

function valueWords(values: Values): string {
  switch (values.kind) {
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'file':
      return '-F';
    case 'choice':
      return `-f -a ${quoted(values.choices.join(' '))}`;
    case 'any':
      return '-f';
  }
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
