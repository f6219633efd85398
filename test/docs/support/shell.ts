/** A command as a shell would run it. */
export interface Statement {
  /** As it is written, on one line. */
  readonly text: string;
  /** Variables that are set before the command, or alone. */
  readonly variables: Readonly<Record<string, string>>;
  /** Words of the command without their quotes; none if only variables are set. */
  readonly words: readonly string[];
  /** What is said of it at the end of the line. */
  readonly comment: string;
}

const WORD = /(?:'[^']*'|"(?:\\.|[^"])*"|\$\((?:[^()]|"[^"]*")*\)|[^\s'"#&;]|(?<=\S)#)+|&&|;|#.*$/g;

/** The commands of a block; lines that end with a backslash go on. */
export function statementsIn(text: string): readonly Statement[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap(statementsOf);
}

function statementsOf(line: string): readonly Statement[] {
  const tokens = line.match(WORD) ?? [];
  const comment = tokens.at(-1)?.startsWith('#') ? tokens.at(-1)!.slice(1).trim() : '';
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if (token === '&&' || token === ';') commands.push([]);
    else if (!token.startsWith('#')) commands.at(-1)!.push(token);
  }
  return commands.filter((command) => command.length > 0).map((command) => statementOf(command, comment));
}

function statementOf(tokens: readonly string[], comment: string): Statement {
  const isAssignment = (token: string): boolean => /^[A-Z_]+=/.test(token);
  const first = tokens.findIndex((token) => !isAssignment(token));
  const [assignments, words] = first === -1 ? [tokens, []] : [tokens.slice(0, first), tokens.slice(first)];
  const variables = assignments.map((token) => {
    const [name, ...value] = token.split('=');
    return [name!, valueIn(value.join('='))] as const;
  });
  return { text: tokens.join(' '), variables: Object.fromEntries(variables), words: words.map(unquoted), comment };
}

/** What is substituted keeps its own quotes. */
const valueIn = (text: string): string => /^"?(\$\(.*\))"?$/s.exec(text)?.[1] ?? unquoted(text);

const unquoted = (word: string): string =>
  word.replaceAll(/'([^']*)'|"((?:\\.|[^"])*)"/g, (_, literal: string | undefined, text: string) => literal ?? text);

/** The command in `$(…)`, if a value is that. */
export const substituted = (value: string): string | undefined => /^\$\((.*)\)$/s.exec(value)?.[1];
