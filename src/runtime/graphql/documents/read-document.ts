import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import { ApiError } from '../../errors/api-error.ts';
import { shortened, withShortValues } from '../../errors/bounded.ts';
import { type CostOf, costOf } from './cost.ts';
import { exactNumbers } from './exact-numbers.ts';
import { type IsJitSafe, jitSafety } from './jit-safety.ts';
import { limitExceeded } from './limits.ts';
import { measure } from './measure.ts';
import { separate } from './operation-text.ts';
import { RequestFaults } from './request-fault.ts';
import { type Accepts, acceptedBy } from './variable-faults.ts';

/** One operation of a valid document that respects all limits except those that depend on variables. */
export interface PreparedOperation {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
  /** The source of this operation and its fragments. */
  readonly text: string;
  readonly cost: CostOf;
  readonly isJitSafe: IsJitSafe;
  readonly accepts: Accepts;
}

/** Each place that an error names is found by going through all lines before it. */
const MAX_LINES = 1_000;

const TOO_MANY_TOKENS = /Document contains more that \d+ tokens/;

/** Parses, measures and validates a document. Throws `RequestFaults`. */
export type ReadDocument = (source: string) => DocumentNode;

/** `introspection`: documents may ask for the schema. */
export function documentReader(schema: GraphQLSchema, limits: GraphqlLimits, introspection: boolean): ReadDocument {
  const rules = [...specifiedRules, exactNumbers, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  return (source) => {
    check('size of the document in bytes', Buffer.byteLength(source), limits.documentBytes);
    check('number of lines', source.match(/\r\n|[\n\r]/g)?.length ?? 0, MAX_LINES);
    const document = parseWithin(source, limits.tokens);
    const { aliases, directives, depth } = measure(document);
    check('number of aliases', aliases, limits.aliases);
    check('number of directives', directives, limits.directives);
    check('depth of the document', depth, limits.depth);
    const errors = validate(schema, document, rules);
    if (errors.length > 0) throw new RequestFaults(errors);
    return document;
  };
}

/** The operation of a name in a document, or without a name the only one. Throws `RequestFaults`. */
export function preparedOperation(
  schema: GraphQLSchema,
  source: string,
  document: DocumentNode,
  operationName: string | undefined,
): PreparedOperation {
  const separated = separate(source, document, chosen(document, operationName));
  const { operation } = separated;
  return {
    ...separated,
    cost: costOf(schema, separated.document, operation),
    isJitSafe: jitSafety(schema, separated.document, operation),
    accepts: acceptedBy(schema, operation),
  };
}

/** Runs a compiled operation. A result without `data` refuses the variables, before any resolver is called. */
export type CompiledQuery = (
  root: object,
  context: object,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Compiles a document of one operation, parsed for that alone: the compiler leaves the conditions of spreads in fragments,
 * which operations share.
 */
export function compiledQuery(schema: GraphQLSchema, text: string): CompiledQuery | undefined {
  const compiled = compileQuery(schema, parse(text));
  return isCompiledQuery(compiled) ? (compiled.query as CompiledQuery) : undefined;
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

/** A syntax error makes the request malformed, just as JSON that is not valid does. */
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
      ? 'The document has several operations: `operationName` must name one.'
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
