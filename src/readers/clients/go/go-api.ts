/** A method of the generated client, for one operation. */
interface GoMethod {
  /** Its name without `WithResponse`. */
  readonly name: string;
  readonly path: readonly GoField[];
  /** Types, as the package `api` spells them. */
  readonly params: string | undefined;
  readonly body: string | undefined;
  readonly response: string;
}

export interface GoField {
  readonly name: string;
  readonly type: string;
}

/** A field of a struct that is sent or read. */
interface GoMember extends GoField {
  readonly isOptional: boolean;
}

const METHOD =
  /^func \(c \*ClientWithResponses\) (\w+)WithResponse\(ctx context\.Context(.*), reqEditors \.\.\.RequestEditorFn\) \(\*(\w+), error\)/gm;
const STRUCT = /^type (\w+) struct \{\n([\s\S]*?)^\}/gm;
const ALIAS = /^type (\w+) = ([\w.[\]]+)$/gm;
const TAGGED = /^\t(\w+) +(\S+) +`.*?json:"([^",]*)(,omitempty)?/gm;
const ANSWER = /^\t(\w*JSON\d+) +\*(\w+)$/gm;

/** What oapi-codegen has made of a document, read from its text: what others build upon it cannot differ from it. */
export class GoApi {
  readonly #methods: readonly GoMethod[];
  readonly #structs: ReadonlyMap<string, string>;
  readonly #aliases: ReadonlyMap<string, string>;

  constructor(text: string) {
    this.#methods = [...text.matchAll(METHOD)].map(([, name = '', args = '', response = '']) =>
      methodOf(name, args, response),
    );
    this.#structs = new Map([...text.matchAll(STRUCT)].map(([, name = '', body = '']) => [name, body]));
    this.#aliases = new Map([...text.matchAll(ALIAS)].map(([, name = '', type = '']) => [name, type]));
  }

  /** The method of an operation, which names the media type of a body that is not plain JSON. */
  method(operation: string): GoMethod | undefined {
    const typed = new RegExp(`^${operation}(?:With\\w+Body)?$`);
    return this.#methods.find(({ name }) => name !== `${operation}WithBody` && typed.test(name));
  }

  /** The fields of a struct, by their names in JSON. */
  fields(struct: string): ReadonlyMap<string, GoMember> {
    const found = (this.#structs.get(struct) ?? '').matchAll(TAGGED);
    return new Map(
      [...found].map(([, name = '', type = '', json = '', omits]) => [json, { name, type, isOptional: !!omits }]),
    );
  }

  /** The fields of a response that hold what was answered, which have one type. */
  answers(response: string): readonly GoField[] {
    const found = [...(this.#structs.get(response) ?? '').matchAll(ANSWER)];
    const fields = found.map(([, name = '', type = '']) => ({ name, type }));
    return fields.filter(({ type }) => type === fields[0]?.type);
  }

  /** The type that an alias stands for. */
  resolved(type: string): string {
    const target = this.#aliases.get(type);
    return target === undefined ? type : this.resolved(target);
  }
}

function methodOf(name: string, args: string, response: string): GoMethod {
  const all = args
    .split(', ')
    .slice(1)
    .map((one) => one.split(' ') as [string, string]);
  const typeOf = (wanted: string) => all.find(([arg]) => arg === wanted)?.[1];
  const path = all.filter(([arg]) => arg !== 'params' && arg !== 'body' && arg !== 'contentType');
  return {
    name,
    path: path.map(([arg, type]) => ({ name: arg, type })),
    params: typeOf('params')?.replace('*', ''),
    body: typeOf('body'),
    response,
  };
}
