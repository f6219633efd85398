import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { isSchemaObject } from '../../json-schema/flat-schema.ts';
import { Renamer, type Spelling } from './rename-document.ts';

/** Spells the names in parts of a document that are to be added to it. */
export class FragmentSpeller {
  readonly #document: OpenApiDocument;
  readonly #spelling: Spelling;

  /** `document`: what the parts refer to, in the names that they have so far. */
  constructor(document: OpenApiDocument, spelling: Spelling) {
    this.#document = document;
    this.#spelling = spelling;
  }

  schema(value: unknown): unknown {
    return this.#renamer(value).schema(value);
  }

  /** A path item, an operation, a parameter or a list of these. */
  structure(value: unknown): unknown {
    return this.#renamer(value).structure(value);
  }

  /** `/books/{bookId}` */
  path(path: string): string {
    return path.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${this.#spelling.field(name)}}`);
  }

  #renamer(value: unknown): Renamer {
    return new Renamer(this.#document, this.#spelling, new Map(namingIn(value)));
  }
}

/** The parameters whose values are names of properties, or several with dots between them. */
const NAMING: ReadonlyMap<unknown, 'name' | 'path'> = new Map([
  ...['sort', 'groupBy', 'measures'].map((name) => [name, 'name'] as const),
  ['include', 'path'],
]);

/** The schemas of these parameters in a part of a document, and of their items. */
function* namingIn(node: unknown): Iterable<readonly [object, 'name' | 'path']> {
  if (typeof node !== 'object' || node === null) return;
  const { name, schema } = node as { readonly name?: unknown; readonly schema?: unknown };
  const kind = NAMING.get(name);
  if (kind && isSchemaObject(schema)) {
    yield [schema, kind];
    if (isSchemaObject(schema['items'])) yield [schema['items'], kind];
  }
  for (const value of Object.values(node)) yield* namingIn(value);
}
