/** openapi-typescript has no TypeScript for a part of the document: a JSON pointer to it, and what it says. */
export class TypesFault extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(`${message} (${pointer === '' ? 'in the document' : `at ${pointer}`})`);
    this.pointer = pointer;
  }
}
