/** Hand-written code is missing or does not match the contract. The message is for the operator of the server. */
export class HandlerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HandlerError';
  }
}
