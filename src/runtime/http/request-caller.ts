import type { Principal } from '../auth/principal.ts';
import type { Caller, Log } from '../engine/interface/call.ts';
import type { Consistency } from '../engine/interface/consistency.ts';
import { callerKey } from './caller-key.ts';

interface Asked {
  readonly id: string;
  readonly ip: string;
  readonly log: Log;
}

/** Who sent a request. */
export class RequestCaller implements Caller {
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly log: Log;
  readonly consistency: Consistency | undefined;
  readonly #request: Asked;
  readonly #subject: string | undefined;

  /** `subject`: whose turns it has, if the operation itself asks for no credentials. */
  constructor(
    request: Asked,
    principal: Principal | undefined,
    consistency: Consistency | undefined,
    subject = principal?.subject,
  ) {
    this.principal = principal;
    this.requestId = request.id;
    this.log = request.log;
    this.consistency = consistency;
    this.#request = request;
    this.#subject = subject;
  }

  get turn(): string {
    return callerKey({ subject: this.#subject, address: this.#request.ip });
  }
}
