import { onlyOf } from '../../descriptor/look-up.ts';
import { shellText } from '../shell-text.ts';
import type { CommandModel, OptionModel, Values } from './model.ts';

/** For `source <(…)` as well as for a file `_NAME` in `$fpath`. */
export function zshCompletion(program: string, commands: readonly CommandModel[]): string {
  return `#compdef ${program}
_${program}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C '(-)'{-h,--help}'[display help for command]' '(-)'{-v,--version}'[display the version]' \\
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, summary }) => `        ${shellText(`${name}:${summary}`)}`).join('\n')}
      )
      _describe -t commands command commands ;;
    rest)
      case $line[1] in
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi`;
}

function commandCase({ name, options, arguments: [first, ...more] }: CommandModel): string {
  const specs = [...options.map(optionSpec), ...(first ? [shellText(`1: :${actionOf(first)}`)] : [])];
  const rest = more.length > 0 ? [shellText('*: :')] : [];
  return `        ${name}) _arguments ${[...specs, ...rest].join(' ')} ;;`;
}

function optionSpec({ flags, description, values }: OptionModel): string {
  const names = onlyOf(flags) ?? `{${flags.join(',')}}`;
  const text = `[${description.replace(/[[\]\\]/g, '\\$&')}]${values ? `: :${actionOf(values)}` : ''}`;
  return `${names}${shellText(text)}`;
}

function actionOf(values: Values): string {
  switch (values.kind) {
    case 'folder':
      return '_files -/';
    case 'file':
      return '_files';
    case 'choice':
      return `(${values.choices.join(' ')})`;
    case 'any':
      return '';
  }
}
