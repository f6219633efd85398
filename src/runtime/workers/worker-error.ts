/** A worker did not start; the message says why. */
export class WorkerError extends Error {}
