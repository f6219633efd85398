import { type GraphQLArgument, type GraphQLType, getNamedType, valueFromASTUntyped } from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { flatSchema } from '../../model/schemas.ts';
import { answerSchema, type OperationInput, operationInputs } from '../convention/operation-inputs.ts';
import { typeText } from '../convention/type-text.ts';
import type { Parity } from './parity.ts';

/** An argument that a custom field has because its operation takes something. */
export interface OperationArgument {
  readonly name: string;
  readonly type: string;
  /** The default value of the schema; undefined when it has none. */
  readonly default?: unknown;
  /** The node of the document that declares it, and its key in it. */
  readonly node: object;
  readonly key?: string;
  readonly schema: Schema;
}

/**
 * The arguments of a custom field: the path parameters that its parent does not give, the query parameters, and the
 * body as `input`, or property by property where the field has it so.
 */
export function operationArguments(
  parity: Parity,
  operation: OperationDraft,
  typeName: string,
  args: readonly GraphQLArgument[],
): readonly OperationArgument[] {
  const { document, resources, rootNames } = parity;
  const parent = Object.values(rootNames).includes(typeName) ? undefined : typeName;
  return operationInputs({ document, resources, operation, parent, args }).map((input) =>
    argumentFor(parity, input, args.find(({ name }) => name === input.argument)?.type),
  );
}

function argumentFor(parity: Parity, input: OperationInput, actual: GraphQLType | undefined): OperationArgument {
  const { document } = parity;
  const name = input.argument;
  switch (input.kind) {
    case 'parameter': {
      const { parameter, schema, isVersion } = input;
      const isRequired = parameter.required === true && !flatSchema(document, schema).nullable;
      const type = isVersion ? 'Int' : typeText(document, [schema], 'input', actual);
      return { name, type: `${type}${isRequired ? '!' : ''}`, ...defaultOf(parity, schema), node: parameter, schema };
    }
    case 'body': {
      const { body, schema } = input;
      const type = typeText(document, [schema], 'input', actual);
      return { name, type: `${type}${body.required === true ? '!' : ''}`, node: body, schema };
    }
    case 'property': {
      const { body, flat, property } = input;
      const { holder, schemas } = property;
      const isRequired =
        body.required === true && flat.required.has(name) && !flatSchema(document, ...schemas).nullable;
      const type = `${typeText(document, schemas, 'input', actual)}${isRequired ? '!' : ''}`;
      return { name, type, ...defaultOf(parity, ...schemas), node: holder, key: name, schema: schemas.at(-1)! };
    }
  }
}

function defaultOf({ document }: Parity, ...schemas: readonly Schema[]): { readonly default?: unknown } {
  const found = flatSchema(document, ...schemas).keywords.get('default');
  return found ? { default: found.value } : {};
}

/** What a field has written as the default value of an argument, as JSON. */
export function writtenDefault({ astNode }: Pick<GraphQLArgument, 'astNode'>): string | undefined {
  return astNode?.defaultValue && JSON.stringify(valueFromASTUntyped(astNode.defaultValue));
}

/**
 * The type of a custom field. What cannot be null over REST is not null, but a field of `Query` that takes ids may be,
 * as `book(id:)` is: null stands beside the error `NOT_FOUND`.
 */
export function answerText(
  parity: Parity,
  operation: OperationDraft,
  typeName: string,
  actual: GraphQLType | undefined,
): string {
  const schema = answerSchema(operation);
  if (schema === undefined) return 'Boolean!';
  const type =
    schema === 'text'
      ? 'String'
      : typeText(parity.document, [schema], 'output', actual && (getNamedType(actual) as GraphQLType));
  if (schema !== 'text' && flatSchema(parity.document, schema).nullable) return type;
  const mayBeMissing = typeName === parity.rootNames.query && operation.parameters.some((one) => one.in === 'path');
  return mayBeMissing && actual !== undefined && !String(actual).endsWith('!') ? type : `${type}!`;
}
