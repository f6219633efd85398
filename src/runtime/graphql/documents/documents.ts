import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import {
  type CompiledQuery,
  compiledQuery,
  documentReader,
  type PreparedOperation,
  preparedOperation,
  type ReadDocument,
} from './read-document.ts';

/** Characters of source in the cache. A parsed character takes up some hundred bytes. */
const MAX_CACHED_CHARACTERS = 100_000;

/** The overhead of a document in the cache, in characters. */
const ENTRY_WEIGHT = 200;

/** How many compiled operations are kept. Each has at most 225 KiB of code. */
const MAX_COMPILED = 200;

interface Known {
  readonly document: DocumentNode;
  readonly operations: Map<string | undefined, PreparedOperation>;
}

/** In place of an operation that has run once: compiling it takes longer than a run. */
const RUN_ONCE: { readonly query?: CompiledQuery | undefined } = {};

/** The documents of one schema, which are read and compiled once as long as they are kept. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #read: ReadDocument;
  readonly #known = new LRUCache<string, Known>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, source) => source.length + ENTRY_WEIGHT,
  });
  readonly #compiled = new LRUCache<DocumentNode, typeof RUN_ONCE>({ max: MAX_COMPILED });

  /** `introspection`: documents may ask for the schema. */
  constructor(schema: GraphQLSchema, limits: GraphqlLimits, introspection: boolean) {
    this.#schema = schema;
    this.#read = documentReader(schema, limits, introspection);
  }

  /** The operation of a name, or without a name the only one. Throws `RequestFaults`. */
  prepare(source: string, operationName: string | undefined): PreparedOperation {
    const known = this.#known.get(source) ?? this.#add(source);
    const prepared = known.operations.get(operationName);
    if (prepared) return prepared;
    const made = preparedOperation(this.#schema, source, known.document, operationName);
    known.operations.set(operationName, made);
    return made;
  }

  /** Undefined if the operation runs for the first time, or cannot be compiled. */
  compiled({ document, text }: Pick<PreparedOperation, 'document' | 'text'>): CompiledQuery | undefined {
    const known = this.#compiled.get(document);
    if (known && known !== RUN_ONCE) return known.query;
    const made = known ? { query: compiledQuery(this.#schema, text) } : RUN_ONCE;
    this.#compiled.set(document, made);
    return made.query;
  }

  #add(source: string): Known {
    const known = { document: this.#read(source), operations: new Map() };
    this.#known.set(source, known);
    return known;
  }
}
