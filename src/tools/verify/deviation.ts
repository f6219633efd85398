/** A server does something else than its contract says. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  /** What kind: `status`, `body`, `order`, `paging`, `leak`, `parity`, … */
  readonly rule: string;
  /** The operation or field it is about. */
  readonly subject: string;

  constructor(rule: string, subject: string, message: string) {
    super(message);
    this.rule = rule;
    this.subject = subject;
  }
}
