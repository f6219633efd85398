import type { GeneratedOperation } from './generated-names.ts';
import { javadocLine } from './java-problems.ts';

/** What the classes of calls use besides what the generator makes, by its own name. */
const usedBeside = (root: string): Readonly<Record<string, string>> => ({
  ApiException: `${root}.invoker.ApiException`,
  Change: `${root}.Change`,
  Connection: `${root}.Connection`,
  Consumer: 'java.util.function.Consumer',
  File: 'java.io.File',
  List: 'java.util.List',
  Listing: `${root}.Listing`,
  Map: 'java.util.Map',
  Set: 'java.util.Set',
  Supplier: 'java.util.function.Supplier',
});

/** Writes classes that call what the generator has made. */
export class JavaClasses {
  readonly #generated: ReadonlyMap<string, string>;
  readonly #beside: ReadonlyMap<string, string>;

  /** `generated`: full names of the generator's classes, by their own. `resources`: those of the resources. */
  constructor(root: string, generated: ReadonlyMap<string, string>, resources: readonly string[]) {
    this.#generated = generated;
    const ofResources = resources.map((name) => [name, `${root}.resources.${name}`] as const);
    this.#beside = new Map([...Object.entries(usedBeside(root)), ...ofResources]);
  }

  /** A type of the generator's, by its full name where its own has another meaning here. */
  type(text: string): string {
    const isTaken = (name: string) => name === 'Client' || this.#beside.has(name);
    return text.replace(/\b[A-Z]\w*/g, (name) => (isTaken(name) ? (this.#generated.get(name) ?? name) : name));
  }

  /** The text of a file, which imports what its class names. */
  file(packageName: string, description: string, name: string, members: readonly string[]): string {
    const text = members.join('');
    const named = new Set(text.replace(/\/\*\*.*/g, '').match(/(?<![.\w])[A-Z]\w*/g));
    const known = [...new Map([...this.#generated, ...this.#beside])];
    const imports = known.filter(([own]) => named.has(own) && own !== name).map(([, full]) => `import ${full};\n`);
    return `package ${packageName};

${imports.sort().join('')}
/** ${description} */
@SuppressWarnings("deprecation")
public final class ${name} {
${text.replace(/^\n/, '')}}
`;
  }
}

/** A method that calls an operation. `words`: Javadoc, if not what the operation says of itself. */
export const method = (
  { summary, method: name, isDeprecated }: Pick<GeneratedOperation, 'summary' | 'method' | 'isDeprecated'>,
  signature: string,
  statement: string,
  words = javadocLine(summary || name),
): string => `
  /** ${words} */
${isDeprecated ? '  @Deprecated\n' : ''}  public ${signature} throws ApiException {
    ${statement}
  }
`;
