/** Hand-written code does not fit the contract, or is missing; the message is for whoever starts the server. */
export class HandlerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HandlerError';
  }
}
