import { flat, schemaNameOf, typesOf, type ValueSchema } from '../../../compiler/json-schema/index.ts';
import { apart } from '../../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { pythonClassName, pythonIdentifier } from './python-identifiers.ts';
import { pythonLiteral } from './python-literal.ts';

/** A longer call has its arguments on lines of their own. */
const WIDTH = 88;

/** Texts whose format has a type of its own. */
const FORMATS: Readonly<Record<string, { readonly imports: string; readonly call: string } | undefined>> = {
  uuid: { imports: 'from uuid import UUID', call: 'UUID' },
  date: { imports: 'import datetime', call: 'datetime.date.fromisoformat' },
  'date-time': { imports: 'import datetime', call: 'datetime.datetime.fromisoformat' },
};

/** Writes values as the client's functions take them, and collects what the program imports for them. */
export class PythonArguments {
  readonly imports = new Set<string>();
  models = new Set<string>();
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** A value by its schema; undefined where its class has no name in the contract. */
  of(schema: ValueSchema, value: unknown): string | undefined {
    if (value === null) return 'None';
    const own = this.#chosen(schema, value);
    if (own === undefined) return undefined;
    const { enum: values, format = '', items = {}, 'x-enum-varnames': names } = flat(this.#document, own);
    if (Array.isArray(value)) {
      const entries = value.map((one) => this.of(items, one));
      return entries.every((text) => text !== undefined) ? invocation('', entries, '[]') : undefined;
    }
    if (typeof value === 'object') return this.#object(own, value);
    const member = names?.[values?.indexOf(value) ?? -1];
    if (values)
      return this.#construct(own, (model) => (member ? `${model}.${member}` : `${model}(${pythonLiteral(value)})`));
    const type = typeof value === 'string' ? FORMATS[format] : undefined;
    if (type) this.imports.add(type.imports);
    return type ? `${type.call}(${pythonLiteral(value)})` : pythonLiteral(value);
  }

  /** Of a union, the schema that the value is of; undefined where nothing says so. */
  #chosen(schema: ValueSchema, value: unknown): ValueSchema | undefined {
    const { oneOf, anyOf, discriminator } = flat(this.#document, schema);
    const branches = oneOf ?? anyOf;
    if (!branches) return schema;
    const others = branches.filter((one) => typesOf(flat(this.#document, one)).join() !== 'null');
    if (others.length === 1) return others[0];
    const tag = discriminator?.propertyName;
    if (tag === undefined) return undefined;
    const told = (value as Readonly<Record<string, unknown>> | null)?.[tag];
    return others.find((one) => {
      const { const: only, enum: some = [only] } = flat(
        this.#document,
        flat(this.#document, one).properties?.[tag] ?? {},
      );
      return some.includes(told);
    });
  }

  #object(schema: ValueSchema, value: object): string | undefined {
    const { properties = {}, ...own } = flat(this.#document, schema);
    if (
      typesOf(own)
        .filter((type) => type !== 'null')
        .join() !== 'object'
    )
      return undefined;
    const known = [...this.models];
    return this.#construct(schema, (model) => {
      const members = Object.entries(value).map(([key, one]) => {
        const text = Object.hasOwn(properties, key) ? this.of(properties[key] ?? {}, one) : undefined;
        return text && `${pythonIdentifier(apart(key, Object.keys(properties), pythonIdentifier))}=${text}`;
      });
      const isPlain = members.every((text) => text !== undefined);
      if (isPlain) return invocation(model, members);
      this.models = new Set([...known, model]);
      return `${model}.from_dict(${pythonLiteral(value)})`;
    });
  }

  #construct(schema: ValueSchema, text: (model: string) => string): string | undefined {
    const name = schemaNameOf(schema);
    if (name === undefined) return undefined;
    this.models.add(pythonClassName(name));
    return text(pythonClassName(name));
  }
}

/** A call, or what else stands between brackets. */
export function invocation(head: string, given: readonly string[], [open, close] = '()'): string {
  const line = `${head}${open}${given.join(', ')}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  // Texts have no line breaks of their own: they are escaped.
  return `${head}${open}\n${given.map((one) => `    ${one.replaceAll('\n', '\n    ')},\n`).join('')}${close}`;
}
