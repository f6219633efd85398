import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { ApiError } from '../../../../src/runtime/errors/api-error.ts';

const SDL = `
  enum Colour { RED GREEN BLUE }
  input Inner { number: Int = 7, text: String, flags: [Boolean!] }
  input Input { text: String, number: Int! = 3, inner: Inner, inners: [Inner], colour: Colour = RED, list: [[Int]] }
  input Choice @oneOf { text: String, number: Int, list: [Int] }
  scalar Any
  interface Named { name: String!, size(unit: Colour = GREEN): Float }
  type Cat implements Named { name: String!, size(unit: Colour = GREEN): Float, lives: Int!, friends(first: Int = 2): [Animal!]!, bad: String, worse: Int! }
  type Dog implements Named { name: String!, size(unit: Colour = GREEN): Float, tricks: [String], owner: Owner, later: Cat }
  type Owner { id: ID!, pets(kind: Colour, first: Int! = 3): [Animal], echo(input: Input, tags: [String!]): String, broken: [Int!] }
  union Animal = Cat | Dog
  type Query {
    number: Int!
    cat(input: Input): Cat
    animals(first: Int = 2, colours: [Colour!] = [RED, BLUE]): [Animal]
    named(text: String): [Named!]
    owner(id: ID!): Owner
    echo(input: Input, inputs: [Input!], list: [Int], text: String = "fallback", colour: Colour, counted: Int! = 5, id: ID, real: Float, flag: Boolean, choice: Choice, any: Any): String
    fails: String
    strict: Cat!
  }
`;

type Source = Readonly<Record<string, unknown>>;

const cat = { __typename: 'Cat', name: 'Tom', lives: 9 };
const dog = { __typename: 'Dog', name: 'Rex', tricks: ['sit', null] };
const fail = (): never => {
  throw new ApiError('CONFLICT', { detail: 'No.' });
};
const some = (count: unknown) => [cat, dog, cat, dog, null].slice(0, Math.abs(Number(count ?? 1)) % 6);
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** JSON with the members of objects in alphabetical order. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
const echo = (_source: unknown, args: object): string => canonicalJson(args);

const RESOLVERS: Readonly<Record<string, Readonly<Record<string, GraphQLFieldResolver<Source, unknown>>>>> = {
  Cat: {
    size: (_cat, args) => String(JSON.stringify(args)).length / 2,
    friends: async (_cat, { first }) => some(first).filter((one) => one !== null),
    bad: async () => fail(),
    worse: async () => null,
  },
  Dog: { size: () => null, owner: async () => ({ id: 7 }), later: async () => cat },
  Owner: { pets: (_owner, { kind, first }) => some(kind === 'RED' ? 2 : first), echo, broken: () => [1, null, 3] },
  Query: {
    number: () => 42,
    cat: async (_query, { input }) => (input ? { ...cat, name: canonicalJson(input) } : null),
    animals: (_query, { first, colours }) => some((first ?? 0) + (colours ?? []).length),
    named: async () => [cat, dog],
    owner: (_query, { id }) => ({ id }),
    echo,
    fails: async () => fail(),
    strict: () => (cat.lives > 9 ? cat : { ...cat, lives: 1 }),
  },
};

/** A schema whose fields answer with their arguments, and some with errors. */
export function echoSchema(): GraphQLSchema {
  const schema = buildSchema(SDL);
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) {
        const resolve = RESOLVERS[type.name]?.[field.name];
        if (resolve) field.resolve = resolve;
      }
  return schema;
}
