import { type DirectiveDefinitionNode, type DocumentNode, parse, print, Source } from 'graphql';

/** Directives that a contract may use without defining them (`@cost`, `@listSize`: IBM's GraphQL Cost Directives). */
const SDL = `
"Restricts a field to callers with all of the scopes. If it is repeated, one of the alternatives is enough."
directive @auth(scopes: [String!]! = [], scheme: String) repeatable on FIELD_DEFINITION

"The property of the listed resources that refers to the parent, if there is more than one."
directive @by(property: String!) on FIELD_DEFINITION

"What it adds to the cost of a document."
directive @cost(weight: String!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

"The maximum length of a list."
directive @listSize(
  assumedSize: Int
  slicingArguments: [String!]
  sizedFields: [String!]
  requireOneSlicingArgument: Boolean = true
) on FIELD_DEFINITION

"The limits of a document."
directive @limits(
  depth: Int! = 10
  cost: Int! = 1000
  tokens: Int! = 1000
  aliases: Int! = 15
  directives: Int! = 50
  documentBytes: Int! = 16384
  subscriptions: Int! = 100
) on SCHEMA

"The custom REST operation that corresponds to the field."
directive @operation(id: String!) on FIELD_DEFINITION

"An intentional difference between the protocols."
directive @parity(rest: ParityAbsence!, because: String!) on
  | ARGUMENT_DEFINITION
  | ENUM_VALUE
  | FIELD_DEFINITION
  | INPUT_FIELD_DEFINITION
  | OBJECT

"What \`@parity\` states about the other protocol."
enum ParityAbsence {
  "REST does not have it."
  ABSENT
}
`;

export const builtIn: DocumentNode = parse(new Source(SDL, 'built in'));

/** The built-in definitions that a contract does not contain. */
export function missingDefinitions(definitions: DocumentNode['definitions']): DocumentNode['definitions'] {
  const present = new Set(definitions.map(keyOf));
  return builtIn.definitions.filter((definition) => !present.has(keyOf(definition)));
}

/** Definitions of built-in directives that differ from the built-in ones. */
export function alteredDirectives(definitions: DocumentNode['definitions']): readonly DirectiveDefinitionNode[] {
  const known = new Map(builtIn.definitions.map((definition) => [keyOf(definition), definition]));
  return definitions.filter(
    (definition): definition is DirectiveDefinitionNode =>
      definition.kind === 'DirectiveDefinition' &&
      known.has(keyOf(definition)) &&
      signature(definition) !== signature(known.get(keyOf(definition)) as DirectiveDefinitionNode),
  );
}

function keyOf(definition: DocumentNode['definitions'][number]): string {
  return `${definition.kind} ${'name' in definition ? definition.name?.value : ''}`;
}

/** The arguments and locations of a directive, without order and descriptions. */
function signature({ name, arguments: args = [], repeatable, locations }: DirectiveDefinitionNode): string {
  const parts = args.map(({ description: _, ...arg }) => print({ ...arg, directives: [] })).sort();
  return JSON.stringify([name.value, parts, repeatable, locations.map(({ value }) => value).sort()]);
}
