/** A server does not do what its contract says. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  /** The kind of deviation: `status`, `body`, `order`, `paging`, `leak`, `parity`, … */
  readonly rule: string;
  /** The operation or field that deviates. */
  readonly subject: string;

  /** `what`: what follows the subject in the message, as `answers 500`. */
  constructor(rule: string, subject: string, what: string) {
    super(`${subject} ${what}`);
    this.rule = rule;
    this.subject = subject;
  }
}
