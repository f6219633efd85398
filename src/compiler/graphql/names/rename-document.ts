import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { childPointer, pointerOfFragment, pointerTokens } from '../../../descriptor/json-pointer.ts';
import { setMember } from '../../../descriptor/look-up.ts';
import { type FlatSchema, isSchemaObject } from '../../json-schema/flat-schema.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import { isSchemaKeyword, isSchemaList, isSchemaMap } from '../../json-schema/schemas-of.ts';
import { flatSchema } from '../../model/schemas.ts';

/** How names are spelled in the copy of a document. */
export interface Spelling {
  /** Of properties, and of parameters in query and path. */
  field(name: string): string;
  /** Of schemas. */
  type(name: string): string;
  /** Of the values of enums. */
  value(text: string): string;
}

type Node = Readonly<Record<string, unknown>>;

/** Schemas whose enum values are names of properties, or several with dots between them. */
type NamingSchemas = ReadonlyMap<object, 'name' | 'path'>;

/** A copy of a document in other names, and the way back. */
export interface RenamedDocument {
  readonly document: OpenApiDocument;
  /** Whether any name differs. */
  readonly isChanged: boolean;
  /** The node that a node of the copy stands for; the node itself if it is not part of the copy. */
  originOf<T extends object>(node: T): T;
  /** The key of the original that a key of a copied node stands for. */
  keyOf(node: object, key: string): string;
}

/**
 * Copies a document with every name spelled anew: those of schemas, properties, parameters and enum values, where they are
 * declared and wherever else they stand (`required`, `$ref`, defaults, extensions). `sorts`: the schemas whose enum
 * values are names of properties.
 */
export function renameDocument(document: OpenApiDocument, spelling: Spelling, sorts: NamingSchemas): RenamedDocument {
  return new Renamer(document, spelling, sorts).run();
}

/** Keys whose values are data, never structure. */
const DATA_KEYS = new Set(['example', 'examples']);

/** Makes a copy, of a document or of a part of one. */
export class Renamer {
  readonly #document: OpenApiDocument;
  readonly #spelling: Spelling;
  readonly #sorts: NamingSchemas;
  readonly #copies = new Map<object, object>();
  readonly #origins = new WeakMap<object, object>();
  /** By copied node: the original key of each key that differs. */
  readonly #keys = new WeakMap<object, Map<string, string>>();
  /** By original node: the key in the copy. */
  readonly #renamed = new WeakMap<object, Map<string, string>>();
  readonly #references: { $ref: string }[] = [];
  #isChanged = false;

  constructor(document: OpenApiDocument, spelling: Spelling, sorts: NamingSchemas) {
    this.#document = document;
    this.#spelling = spelling;
    this.#sorts = sorts;
  }

  run(): RenamedDocument {
    const document = this.#structure(this.#document) as OpenApiDocument;
    this.#spellReferences();
    return {
      document,
      isChanged: this.#isChanged,
      originOf: <T extends object>(node: T) => (this.#origins.get(node) ?? node) as T,
      keyOf: (node, key) => this.#keys.get(node)?.get(key) ?? key,
    };
  }

  /** A part of a document, with its references. */
  schema(node: unknown): unknown {
    const copy = this.#schema(node);
    this.#spellReferences();
    return copy;
  }

  structure(node: unknown): unknown {
    const copy = this.#structure(node);
    this.#spellReferences();
    return copy;
  }

  #spellReferences(): void {
    for (const node of this.#references.splice(0)) node.$ref = this.#reference(node.$ref);
  }

  /** Everything outside of schemas. */
  #structure(node: unknown): unknown {
    if (Array.isArray(node)) return this.#list(node, (one) => this.#structure(one));
    if (!isSchemaObject(node)) return node;
    const { paths } = this.#document;
    const schemas = this.#document.components?.schemas;
    if (node === schemas) return this.#object(node, this.#spelling.type, (one) => this.#schema(one));
    if (node === paths)
      return this.#object(
        node,
        (path) => this.#path(path),
        (one) => this.#structure(one),
      );
    const isNamed = isParameter(node);
    return this.#object(node, undefined, (value, key) => {
      if (key === 'x-tenant' && node === this.#document) return this.#member(value, 'property');
      if (key === 'x-through' || key === 'x-totals' || key === 'x-batch') return this.#through(value);
      if (DATA_KEYS.has(key) || key.startsWith('x-')) return value;
      if (key === 'schema') return this.#schema(value);
      return isNamed && key === 'name' ? this.#spelled(String(value), this.#spelling.field) : this.#structure(value);
    });
  }

  /** Names of a schema and of its properties. */
  #through(value: unknown): unknown {
    const { field, type } = this.#spelling;
    if (typeof value === 'string') return this.#spelled(value, type);
    if (!isSchemaObject(value)) return value;
    return this.#object(value, undefined, (one, key) =>
      typeof one === 'string' ? this.#spelled(one, key === 'resource' ? type : field) : one,
    );
  }

  #schema(node: unknown): unknown {
    if (!isSchemaObject(node)) return node;
    return this.#object(node, undefined, (value, key) => this.#keyword(node, key, value));
  }

  #keyword(schema: Exclude<Schema, boolean>, key: string, value: unknown): unknown {
    const { field, type } = this.#spelling;
    if (key === 'properties' && isSchemaObject(value)) return this.#object(value, field, (one) => this.#schema(one));
    if (isSchemaMap(key) && isSchemaObject(value)) return this.#object(value, undefined, (one) => this.#schema(one));
    if (isSchemaList(key) && Array.isArray(value)) return this.#list(value, (one) => this.#schema(one));
    if (isSchemaKeyword(key)) return this.#schema(value);
    switch (key) {
      case 'required':
        return this.#texts(value, field);
      case 'enum':
        return this.#texts(value, (one) => this.#naming([schema], one) ?? this.#spelling.value(one));
      case 'default':
        return this.#value([schema], value);
      case 'x-inverse':
        return typeof value === 'string' ? this.#spelled(value, field) : value;
      case 'x-references':
        return typeof value === 'string' ? this.#spelled(value, type) : value;
      case 'x-unique':
        return Array.isArray(value) ? this.#list(value, (set) => this.#texts(set, field)) : value;
      case 'x-search':
        return isSchemaObject(value)
          ? this.#object(value, undefined, (one, name) => (name === 'properties' ? this.#texts(one, field) : one))
          : this.#texts(value, field);
      case 'x-owner':
        return this.#member(value, 'property');
      case 'discriminator':
        return this.#member(value, 'propertyName');
      case 'x-transitions':
        return this.#transitions(value);
      default:
        return value;
    }
  }

  /** A value that a schema describes: names of members, and values of enums. */
  #value(schemas: readonly Schema[], value: unknown): unknown {
    const flat = flatSchema(this.#document, ...schemas);
    if (typeof value === 'string') return this.#text(flat, value);
    const items = flat.keywords.get('items')?.value as Schema | undefined;
    if (Array.isArray(value)) return items === undefined ? value : value.map((one) => this.#value([items], one));
    if (!isSchemaObject(value)) return value;
    const members = Object.entries(value).map(([name, one]) => {
      const site = flat.properties.get(name);
      return site ? [this.#spelling.field(name), this.#value(site.schemas, one)] : [name, one];
    });
    return Object.fromEntries(members);
  }

  #text(flat: FlatSchema, value: string): string {
    const named = this.#naming(flat.nodes, value);
    if (named !== undefined) return named;
    return enumValues(flat)?.includes(value) ? this.#spelling.value(value) : value;
  }

  /** `-created_at` → `-createdAt`, `order_items.product` → `orderItems.product`; undefined for values of other kinds. */
  #naming(nodes: readonly object[], value: string): string | undefined {
    const kinds = new Set(nodes.map((node) => this.#sorts.get(node)));
    if (kinds.has('path')) return value.split('.').map(this.#spelling.field).join('.');
    return kinds.has('name') ? value.replace(/[^-].*/, (name) => this.#spelling.field(name)) : undefined;
  }

  #path(path: string): string {
    return path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${this.#spelling.field(name)}}`);
  }

  #member(node: unknown, key: string): unknown {
    if (!isSchemaObject(node)) return node;
    return this.#object(node, undefined, (value, name) =>
      name === key && typeof value === 'string' ? this.#spelled(value, this.#spelling.field) : value,
    );
  }

  #transitions(node: unknown): unknown {
    const { value } = this.#spelling;
    return isSchemaObject(node) ? this.#object(node, value, (states) => this.#texts(states, value)) : node;
  }

  #texts(list: unknown, spell: (text: string) => string): unknown {
    if (!Array.isArray(list)) return list;
    return this.#list(list, (one) => (typeof one === 'string' ? this.#spelled(one, spell) : one));
  }

  #spelled(text: string, spell: (text: string) => string): string {
    const spelled = spell(text);
    if (spelled !== text) this.#isChanged = true;
    return spelled;
  }

  #list(list: readonly unknown[], copy: (one: unknown) => unknown): readonly unknown[] {
    const known = this.#copies.get(list);
    if (known) return known as readonly unknown[];
    const made: unknown[] = [];
    this.#remember(list, made);
    for (const one of list) made.push(copy(one));
    return made;
  }

  #object(node: Node, spell: ((key: string) => string) | undefined, copy: (value: unknown, key: string) => unknown) {
    const known = this.#copies.get(node);
    if (known) return known;
    const made: Record<string, unknown> = {};
    this.#remember(node, made);
    for (const [key, value] of Object.entries(node)) {
      const name = spell ? this.#spelled(key, spell) : key;
      if (name !== key) this.#rename(node, made, key, name);
      setMember(made, name, copy(value, key));
    }
    if (typeof made['$ref'] === 'string') this.#references.push(made as { $ref: string });
    return made;
  }

  #remember(node: object, made: object): void {
    this.#copies.set(node, made);
    this.#origins.set(made, node);
  }

  #rename(node: object, made: object, key: string, name: string): void {
    this.#keys.set(made, (this.#keys.get(made) ?? new Map<string, string>()).set(name, key));
    this.#renamed.set(node, (this.#renamed.get(node) ?? new Map<string, string>()).set(key, name));
  }

  /** A local reference with the names of the copy. */
  #reference(reference: string): string {
    const pointer = reference.startsWith('#/') ? pointerOfFragment(reference.slice(1)) : undefined;
    if (pointer === undefined) return reference;
    let at: unknown = this.#document;
    let copied = '';
    for (const token of pointerTokens(pointer)) {
      const spelled = copied === SCHEMAS ? this.#spelling.type(token) : token;
      copied = childPointer(copied, this.#renamed.get(Object(at))?.get(token) ?? spelled);
      at = (Object(at) as Node)[token];
    }
    return `#${encodeURI(copied)}`;
  }
}

const SCHEMAS = '/components/schemas';

/** A Parameter Object with a name that GraphQL may have; security schemes have `name` and `in`, too. */
const isParameter = (node: Node): boolean => (node['in'] === 'query' || node['in'] === 'path') && !('type' in node);
