/** A command cannot do what it was asked to do; the message says why, and is shown without a stack. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  /** 2: it could not begin; 1: it has failed. */
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
