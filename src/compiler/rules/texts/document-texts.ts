import type { RuleTable } from '../../findings/rule-text.ts';

/** Rules that make a folder of files one OpenAPI document and one GraphQL schema. */
export const DOCUMENT_TEXTS: RuleTable = {
  'file-missing': ['Every file that is referred to exists.', 'References are relative to the file that they stand in.'],
  'file-unreadable': ['Every file of the contract can be read.', 'Check its permissions, and that it is not a folder.'],
  syntax: [
    'Files are valid YAML or JSON.',
    'The message comes from the parser; the fault is at the place or just before it.',
  ],
  'duplicate-key': [
    'A key stands once in its object.',
    'Of two, one would be lost without a word. Keep the one that is meant.',
  ],
  'lint-failed': [
    'Redocly can read the document.',
    'It gives up at what it does not expect, such as a schema that only refers to itself. Other findings may say where.',
  ],
  'openapi-version': [
    'The document is OpenAPI 3.1.',
    '3.0 is upgraded when it is read. Begin the document with `openapi: 3.1.0`; convert Swagger 2.0 first.',
  ],
  'openapi-structure': [
    'The document has the structure of OpenAPI 3.1.',
    'The pointer leads to the object that the specification defines otherwise.',
  ],
  'reference-unresolved': ['A `$ref` leads to something.', 'Check the file and the JSON pointer behind `#`.'],
  'reference-remote': [
    'A `$ref` stays on this machine.',
    'A contract that reads the network cannot be built twice with the same result. Keep a copy of the file beside the contract.',
  ],
  'reference-outside': [
    'A `$ref` stays in the project.',
    'Keep a copy in its repository, or below its `package.json`.',
  ],
  'reference-circular': [
    'A `$ref` does not lead back to itself with nothing in between.',
    'A schema may contain itself through a property or a list, where it can end. Where an alternative, a condition or `not` leads back, a warning says so, and the schema is read without it: unions that are alternatives of each other have the branches of all of them, any other union has its other branches, and any other schema what its other keywords accept.',
  ],
  types: [
    'Every schema can be written as a TypeScript type.',
    'The message comes from openapi-typescript; the pointer leads to what it was reading.',
  ],
  'sdl-syntax': ['The `*.graphql` files are valid SDL.', 'The message comes from the GraphQL parser.'],
  'sdl-schema': [
    'The SDL is a valid GraphQL schema.',
    'The message comes from graphql-js, which checks types, names and directives.',
  ],
  'sdl-root': [
    'The root types that `*.graphql` files extend are defined in one of them.',
    'The file that defines `Query`, `Mutation` and `Subscription` often holds what all others share, too: nothing else is said until it is there.',
  ],
  'sdl-directive': [
    'The built-in directives are not defined anew.',
    'Remove the definition: `@auth`, `@operation`, `@parity` and the others are known without one.',
  ],
};
