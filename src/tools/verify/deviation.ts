/** A server does not do what its contract says. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  /** The kind of deviation: `status`, `body`, `order`, `paging`, `leak`, `parity`, … */
  readonly rule: string;
  /** The operation or field that deviates. */
  readonly subject: string;

  constructor(rule: string, subject: string, message: string) {
    super(message);
    this.rule = rule;
    this.subject = subject;
  }
}
