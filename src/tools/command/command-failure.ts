/** A command cannot do what it was asked to do; the message says why, and is shown without a stack. */
export class CommandFailure extends Error {}
