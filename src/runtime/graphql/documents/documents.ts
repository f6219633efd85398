import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import { ApiError } from '../../errors/api-error.ts';
import { shortened, withShortValues } from '../../errors/bounded.ts';
import { type CostOf, costOf } from './cost.ts';
import { type IsJitSafe, jitSafety } from './jit-safety.ts';
import { limitExceeded } from './limits.ts';
import { measure } from './measure.ts';
import { separate } from './operation-text.ts';
import { RequestFaults } from './request-fault.ts';

/** One operation of a valid document within all limits that do not depend on variables. */
export interface PreparedOperation {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  /** The source of this operation alone. */
  readonly text: string;
  readonly cost: CostOf;
  readonly isJitSafe: IsJitSafe;
}

export interface DocumentOptions {
  readonly schema: GraphQLSchema;
  readonly limits: GraphqlLimits;
  readonly introspection: boolean;
}

/** Characters of source that are kept; what is made of a character takes up some hundred bytes. */
const MAX_CACHED_CHARACTERS = 100_000;

/** What one document weighs besides its text. */
const ENTRY_WEIGHT = 200;

const TOO_MANY_TOKENS = /Document contains more that \d+ tokens/;

interface Known {
  readonly document: DocumentNode;
  readonly operations: Map<string | undefined, PreparedOperation>;
}

/** Documents of one schema: parsed, measured, validated and separated once. */
export class Documents {
  readonly #options: DocumentOptions;
  readonly #known = new LRUCache<string, Known>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, source) => source.length + ENTRY_WEIGHT,
  });

  constructor(options: DocumentOptions) {
    this.#options = options;
  }

  /** The operation of this name; undefined: the only one. Throws `RequestFaults`. */
  prepare(source: string, operationName: string | undefined): PreparedOperation {
    const known = this.#known.get(source) ?? this.#add(source);
    const prepared = known.operations.get(operationName);
    if (prepared) return prepared;
    const made = this.#separate(source, known.document, operationName);
    known.operations.set(operationName, made);
    return made;
  }

  #add(source: string): Known {
    const known = { document: this.#read(source), operations: new Map() };
    this.#known.set(source, known);
    return known;
  }

  #read(source: string): DocumentNode {
    const { schema, introspection, limits } = this.#options;
    check('size of the document in bytes', Buffer.byteLength(source), limits.documentBytes);
    const document = parseWithin(source, limits.tokens);
    const { aliases, directives, depth } = measure(document);
    check('number of aliases', aliases, limits.aliases);
    check('number of directives', directives, limits.directives);
    check('depth of the document', depth, limits.depth);
    const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(schema, document, rules);
    if (errors.length > 0) throw new RequestFaults(errors);
    return document;
  }

  #separate(source: string, document: DocumentNode, operationName: string | undefined): PreparedOperation {
    const separated = separate(source, document, chosen(document, operationName));
    const { operation } = separated;
    return {
      ...separated,
      cost: costOf(this.#options.schema, separated.document, operation),
      isJitSafe: jitSafety(separated.document, operation),
    };
  }
}

function check(what: string, measured: number, limit: number): void {
  if (measured > limit) throw new RequestFaults([limitExceeded(what, measured, limit)]);
}

function parseWithin(source: string, maxTokens: number): DocumentNode {
  try {
    return parse(source, { maxTokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const isTooLong = TOO_MANY_TOKENS.test(error.message);
    throw new RequestFaults([
      isTooLong ? limitExceeded('number of tokens', `more than ${maxTokens}`, maxTokens) : syntaxError(error),
    ]);
  }
}

/** A fault of the text is one of the request, as broken JSON is. */
function syntaxError(error: GraphQLError): GraphQLError {
  const cause = new ApiError<string>('MALFORMED_REQUEST', { detail: withShortValues(error.message) });
  return new GraphQLError(error.message, { source: error.source, positions: error.positions, originalError: cause });
}

/** GraphQL, 6.1: GetOperation(). */
function chosen({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [first] = operations;
  if (name === undefined) {
    if (operations.length === 1) return first!;
    const detail = first
      ? 'The document has several operations: `operationName` says which.'
      : 'The document has no operation.';
    throw new RequestFaults([new ApiError('VALIDATION_FAILED', { detail })]);
  }
  const found = operations.find((operation) => operation.name?.value === name);
  if (found) return found;
  throw new RequestFaults([
    new ApiError('VALIDATION_FAILED', {
      detail: `The document has no operation named ${shortened(JSON.stringify(name))}.`,
    }),
  ]);
}
