/** What a template names: texts, numbers, conditions, and calls that make texts of what they are given. */
export type Values = Readonly<Record<string, unknown>>;

/** A program, and the values that its statements name besides. */
export interface Program {
  readonly values: Values;
  /** As Markdown. */
  write(statements: string): string;
}

/** Tags of blocks that stand on lines of their own, which go with them. */
const OWN_LINES = /^(\{\{(?:(?:if|program) [^}]*|else|end)\}\})\n/gm;
const TAGS = /\{\{(.*?)\}\}/;

/**
 * A template with its values: `{{name}}` or `{{call argument …}}`, where an argument is a value's name or itself; `{{if name}}` with `{{else}}`
 * up to `{{end}}`; `{{program action …}}` around statements. A value of several lines is indented like its first, and a paragraph
 * without a text goes. Throws where a value is missing.
 */
export const filled = (template: string, values: Values): string => new Filling(template).text(values);

class Filling {
  /** Texts and tags in turn. */
  readonly #parts: string[];

  constructor(template: string) {
    this.#parts = template.replace(OWN_LINES, '$1').split(TAGS);
  }

  /** What stands up to the end of the block, or to its `else`; without values it is left out. */
  text(values: Values | undefined): string {
    let text = this.#parts.shift() ?? '';
    for (let tag = this.#tag(); tag; tag = this.#tag()) {
      const filling = this.#filling(tag, values, text);
      const rest = this.#parts.shift() ?? '';
      text += filling === '' && text.endsWith('\n') ? rest.replace(/^\n+/, '') : `${filling}${rest}`;
    }
    return text;
  }

  /** The next tag in this block; the tag that ends it is taken away by who has begun it. */
  #tag(): readonly string[] | undefined {
    const [tag] = this.#parts;
    return tag === undefined || ENDS.includes(tag) ? undefined : this.#parts.shift()!.split(' ');
  }

  #filling([name = '', ...given]: readonly string[], values: Values | undefined, before: string): string {
    const known = (word: string): unknown => (values && word in values ? values[word] : word);
    if (name === 'if') return this.#condition(given[0] ?? '', values);
    if (name === 'program') {
      const program = values && (call(values, name, given.map(known)) as Program | undefined);
      const statements = this.text(program && { ...values, ...program.values });
      this.#parts.shift();
      return program ? program.write(statements) : '';
    }
    if (!values) return '';
    const text = String(call(values, name, given.map(known)) ?? '').trim();
    const [, indent = ''] = /(?:^|\n)([ \t]*)[^\n]*$/.exec(before) ?? [];
    return text.replaceAll('\n', `\n${indent}`);
  }

  #condition(name: string, values: Values | undefined): string {
    const isMet = values !== undefined && Boolean(call(values, name, []));
    const met = this.text(isMet ? values : undefined);
    const otherwise = this.#parts.shift() === 'else' ? this.#otherwise(isMet ? undefined : values) : '';
    return isMet ? met : otherwise;
  }

  #otherwise(values: Values | undefined): string {
    const text = this.text(values);
    this.#parts.shift();
    return text;
  }
}

const ENDS: readonly string[] = ['else', 'end'];

function call(values: Values, name: string, given: readonly unknown[]): unknown {
  if (!(name in values)) throw new Error(`A guide names ${name}, which is no value.`);
  const value = values[name];
  return typeof value === 'function' ? value(...given) : value;
}
