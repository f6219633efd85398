import type { CommandModel, Values } from './model.ts';

/** For bash 3.2 and newer, that of macOS included: no `mapfile`, and `compopt` only where there is one. */
export function bashCompletion(program: string, commands: readonly CommandModel[]): string {
  const first = ['--help', '--version', ...commands.map(({ name }) => name)];
  return `# bash completion for ${program}
_${program}() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  # Bash takes the = of --option=value for a word.
  [[ $previous == = ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  [[ $current == = ]] && current=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    ${oneOf(first)}
  elif [[ $current == -* ]]; then
    case \${COMP_WORDS[1]} in
${commands.map(({ name, options }) => `      ${name}) ${oneOf(options.flatMap(({ flags }) => flags))} ;;`).join('\n')}
    esac
  else
    case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('\n')}
    esac
  fi
}
complete -F _${program} ${program}`;
}

/** What follows each option, and what follows the name of the command itself: its first argument. */
function valueCases({ name, options, arguments: [first] }: CommandModel): string[] {
  const places = options.flatMap(({ flags, values }) => flags.map((flag) => ({ after: flag, values })));
  return [{ after: name, values: first }, ...places].flatMap(({ after, values }) => {
    const reply = values && replyOf(values);
    return reply === undefined ? [] : [`      '${name} ${after}') ${reply} ;;`];
  });
}

function replyOf(values: Values): string | undefined {
  switch (values.kind) {
    case 'folder':
      return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current"))';
    case 'file':
      return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))';
    case 'choice':
      return oneOf(values.choices);
    case 'any':
      return undefined;
  }
}

/** One word a line, as `IFS` says. */
const oneOf = (words: readonly string[]): string => `COMPREPLY=($(compgen -W $'${words.join('\\n')}' -- "$current"))`;
