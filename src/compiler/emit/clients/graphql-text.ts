import type { ClientDocument, ClientFragment, ClientGraphql, ClientVariable } from './client-graphql.ts';

/** How a language writes the variables of an operation. */
interface VariableTexts {
  /** Where it does not take the argument's own name. */
  readonly nameOf: (argument: string) => string;
  /** What stands before the declaration. */
  readonly before: (variable: ClientVariable) => string;
}

const AS_THEY_ARE: VariableTexts = { nameOf: (argument) => argument, before: () => '' };

/** The text of an operation. */
export function operationText(
  { name, kind, field, variables, selection }: ClientDocument,
  { nameOf, before } = AS_THEY_ARE,
): string {
  const declared = variables.map((one) => `${before(one)}$${nameOf(one.name)}: ${one.type}`).join(', ');
  const given = variables.map((one) => `${one.name}: $${nameOf(one.name)}`).join(', ');
  const head = `${kind} ${name}${declared && `(${declared})`}`;
  return `${head} {\n  ${field}${given && `(${given})`}${selection && ` ${selection}`}\n}\n`;
}

/** The texts of all fragments and operations. */
export const documentTexts = ({ fragments, documents }: Pick<ClientGraphql, 'fragments' | 'documents'>): string[] => [
  ...fragments.map(fragmentText),
  ...documents.map((one) => operationText(one)),
];

/** The text of a fragment, a line for each property. */
export const fragmentText = ({ type, name: own, fields }: ClientFragment): string =>
  `fragment ${own} on ${type} {\n${fields.map(({ name, selection }) => `  ${name}${selection && ` ${selection}`}\n`).join('')}}\n`;
