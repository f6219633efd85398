import type { RuleTable } from '../../findings/rule-text.ts';

/** Rules that make a folder of files one OpenAPI document and one GraphQL schema. */
export const DOCUMENT_TEXTS: RuleTable = {
  'file-missing': ['Every referenced file exists.', 'A reference is relative to the file that contains it.'],
  'file-unreadable': ['Every file of the contract can be read.', 'Check its permissions, and that it is not a folder.'],
  syntax: [
    'Files are valid YAML or JSON.',
    'The message comes from the parser. The fault is at the place or just before it.',
  ],
  'duplicate-key': [
    'A key occurs once in its object.',
    'A second one would replace the first without a warning. Keep the intended one.',
  ],
  'lint-failed': [
    'Redocly can read the document.',
    'Redocly stops at unexpected input, such as a schema that only refers to itself. Other findings may show the place.',
  ],
  'openapi-version': [
    'The document is OpenAPI 3.1.',
    'OpenAPI 3.0 is upgraded when it is read. Begin the document with `openapi: 3.1.0`; convert Swagger 2.0 first.',
  ],
  'openapi-structure': [
    'The document has the structure of OpenAPI 3.1.',
    'The pointer leads to the object that differs from the specification.',
  ],
  'reference-unresolved': ['A `$ref` has a target.', 'Check the file and the JSON pointer after `#`.'],
  'reference-remote': [
    'A `$ref` stays on this machine.',
    'A contract that reads the network cannot be built twice with the same result. Keep a copy of the file next to the contract.',
  ],
  'reference-outside': [
    'A `$ref` stays in the project.',
    'Keep a copy in its repository, or below its `package.json`.',
  ],
  'reference-circular': [
    'A `$ref` does not lead back to itself directly.',
    'A schema may contain itself through a property or a list, where it can end. If an alternative, a condition or `not` leads back, a warning reports it, and the schema is read without that part. Unions that are alternatives of each other share all their branches.',
  ],
  types: [
    'Every schema has a TypeScript type.',
    'The message comes from openapi-typescript. The pointer leads to the schema that it was reading.',
  ],
  'sdl-syntax': ['The `*.graphql` files are valid SDL.', 'The message comes from the GraphQL parser.'],
  'sdl-schema': [
    'The SDL is a valid GraphQL schema.',
    'The message comes from graphql-js, which checks types, names and directives.',
  ],
  'sdl-root': [
    'The root types that `*.graphql` files extend are defined in one of them.',
    'The file that defines `Query`, `Mutation` and `Subscription` often also contains shared types. Other findings wait until it exists.',
  ],
  'sdl-directive': [
    'The built-in directives are not defined again.',
    'Remove the definition: `@auth`, `@operation`, `@parity` and the others are known without one.',
  ],
};
