import { flat, isInt32, schemaNameOf, type ValueSchema } from '../../../compiler/json-schema/index.ts';
import { camelCase, upperFirst } from '../../../compiler/model/index.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { onlyOf } from '../../../descriptor/look-up.ts';
import { isJavaWord } from './java-words.ts';

/** How a program makes texts of these formats: the class, its package, its method. */
const OF_TEXT: Readonly<Record<string, readonly [type: string, from: string, method: string]>> = {
  uuid: ['UUID', 'java.util', 'fromString'],
  date: ['LocalDate', 'java.time', 'parse'],
  'date-time': ['OffsetDateTime', 'java.time', 'parse'],
  uri: ['URI', 'java.net', 'create'],
};
const NOT_TEXT = ['byte', 'binary'];
const INDENT = '    ';
/** What else a program calls by these names. */
const OWN_CLASSES = new Set(
  'Client Example Graphql List LocalDate OffsetDateTime ProblemException Problems String System URI UUID'.split(' '),
);

/** The property of a class that a value is of, whose values may have a type of its own inside that class. */
interface Owner {
  readonly className: string;
  readonly property: string;
}

/**
 * Writes JSON values as a program makes them by the generator's classes. Undefined, whole, where the generator's name of
 * something does not follow from the document alone.
 */
export class JavaLiterals {
  /** What the values written so far use. */
  readonly imports = new Set<string>();
  readonly #document: OpenApiDocument;
  readonly #root: string;

  constructor(document: OpenApiDocument, root: string) {
    this.#document = document;
    this.#root = root;
  }

  of(schema: ValueSchema, value: unknown, indent = '', owner?: Owner): string | undefined {
    if (value === null) return 'null';
    const own = flat(this.#document, schema);
    const variants = (own.oneOf ?? own.anyOf)?.filter(({ type }) => type !== 'null');
    if (variants) return this.#variant(schema, own, variants, value, indent, owner);
    if (own.enum || own.const !== undefined) return this.#constant(schema, own, value, owner);
    if (Array.isArray(value)) return this.#list(own, value, indent, owner);
    if (typeof value === 'object') return this.#object(schema, own, value, indent);
    if (typeof value === 'string') return this.#text(own, value);
    if (typeof value === 'boolean') return String(value);
    if (typeof value !== 'number') return undefined;
    const isInteger = [own.type].flat().includes('integer');
    if (!isInteger) return own.format === 'float' ? `${value}f` : `${value}${Number.isInteger(value) ? '.0' : ''}`;
    const isInt = own.format === 'int32' || (own.format === undefined && isInt32(keywordsOf(own)));
    return isInt ? String(value) : `${value}L`;
  }

  #variant(
    schema: ValueSchema,
    own: ValueSchema,
    variants: readonly ValueSchema[],
    value: unknown,
    indent: string,
    owner: Owner | undefined,
  ): string | undefined {
    const only = onlyOf(variants);
    if (only) return this.of(only, value, indent, owner);
    const type = this.#class(schema);
    const kind = own.discriminator?.propertyName;
    const given = kind === undefined ? undefined : (value as Readonly<Record<string, unknown>>)[kind];
    const chosen = variants.find((variant) => {
      const tag = flat(this.#document, flat(this.#document, variant).properties?.[kind ?? '']);
      return given !== undefined && (tag.const === given || tag.enum?.includes(given));
    });
    const made = chosen && this.of(chosen, value, indent);
    return type && made && `new ${type}(${made})`;
  }

  #constant(schema: ValueSchema, own: ValueSchema, value: unknown, owner: Owner | undefined): string | undefined {
    if (typeof value !== 'string') return undefined;
    const isNamed = schemaNameOf(schema) !== undefined;
    if (!isNamed && !owner) return JSON.stringify(value);
    const given = own['x-enum-varnames']?.[own.enum?.indexOf(value) ?? -1] ?? value;
    if (!/^(?:[A-Z][A-Z0-9_]*|[a-z]+(?:[-_ ][a-z0-9]+)*)$/.test(given)) return undefined;
    const type = isNamed ? this.#class(schema) : owner && `${owner.className}.${upperFirst(owner.property)}Enum`;
    return type && `${type}.${given.replaceAll(/[- ]/g, '_').toUpperCase()}`;
  }

  #list(own: ValueSchema, values: readonly unknown[], indent: string, owner: Owner | undefined): string | undefined {
    const entries = values.map((value) => this.of(own.items ?? {}, value, indent, owner));
    if (entries.some((entry) => entry === undefined || entry === 'null')) return undefined;
    this.imports.add('java.util.List');
    return `List.of(${entries.join(', ')})`;
  }

  #object(schema: ValueSchema, own: ValueSchema, value: object, indent: string): string | undefined {
    const className = this.#class(schema);
    if (!className || !own.properties) return undefined;
    const deeper = indent + INDENT;
    const setters = Object.entries(value).map(([name, one]) => {
      const property = own.properties?.[name];
      const setter = camelCase(name);
      if (!property || !/^[a-z][A-Za-z0-9]*(?:_[a-z][a-z0-9]*)*$/.test(name) || isJavaWord(setter)) return undefined;
      const made = this.of(property, one, deeper, { className, property: setter });
      return made && `\n${deeper}.${setter}(${made})`;
    });
    return setters.includes(undefined) ? undefined : `new ${className}()${setters.join('')}`;
  }

  #text({ format = '' }: ValueSchema, value: string): string | undefined {
    if (NOT_TEXT.includes(format)) return undefined;
    const made = OF_TEXT[format];
    if (!made) return JSON.stringify(value);
    const [type, from, method] = made;
    this.imports.add(`${from}.${type}`);
    return `${type}.${method}(${JSON.stringify(value)})`;
  }

  /** The class of a schema that has a name. */
  #class(schema: ValueSchema): string | undefined {
    const name = schemaNameOf(schema);
    if (name === undefined || OWN_CLASSES.has(name) || !/^[A-Za-z][A-Za-z0-9]*(?:_[a-z][a-z0-9]*)*$/.test(name))
      return undefined;
    const className = upperFirst(camelCase(name));
    this.imports.add(`${this.#root}.model.${className}`);
    return className;
  }
}

const keywordsOf = (schema: ValueSchema) => ({
  keywords: new Map(Object.entries(schema).map(([name, value]) => [name, { value }])),
});
