import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { ApiError } from '../../runtime/errors/index.ts';
import { createResponseCheck, type ResponseCheck } from '../../runtime/rest/index.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import type { ErrorOutcome } from '../harness/step.ts';
import { Deviation } from './deviation.ts';
import type { HttpReply } from './http-recorder.ts';

/** Checks single responses against the contract: status, media type, body, error code. */
export class Conformance {
  readonly #checks: ReadonlyMap<string, ResponseCheck>;
  readonly #errors: CompiledContract['errors'];

  constructor({ document, rest, errors }: CompiledContract) {
    const schemas = createSchemaRegistry(document);
    this.#checks = new Map(
      rest.operations.map((operation) => [operation.operationId, createResponseCheck(operation, schemas, errors)]),
    );
    this.#errors = errors;
  }

  /** Throws `Deviation`. */
  rest(operationId: string, reply: HttpReply): void {
    const { status, text, headers } = reply;
    if (isFault(status)) throw new Deviation('status', operationId, `answers ${status}: ${shortened(text)}`);
    const check = lookUp(this.#checks, operationId);
    try {
      check.answer({ status, headers, ...(text !== '' && { payload: text }) });
      if (status >= 400) this.#problem(operationId, check, reply);
    } catch (error) {
      if (error instanceof Deviation) throw error;
      const { message } = error as Error;
      const rule = /status \d+ is not declared/.test(message) ? 'status' : 'body';
      throw new Deviation(rule, operationId, `answers otherwise than declared: ${message}`);
    }
  }

  /** What another protocol refuses: no caller causes a fault of the server. Throws `Deviation`. */
  error(subject: string, { code, status, message }: ErrorOutcome): void {
    // Code that nobody has written yet says so.
    if (isFault(status) && status !== NOT_IMPLEMENTED)
      throw new Deviation('status', subject, `answers ${status} ${code}: ${shortened(message)}`);
    this.code(subject, code, status);
  }

  #problem(operationId: string, check: ResponseCheck, { status, json }: HttpReply): void {
    const { code, status: declared } = (json ?? {}) as { readonly code?: unknown; readonly status?: unknown };
    this.code(operationId, String(code), declared === status ? status : undefined);
    check.error(new ApiError(String(code)));
  }

  /** A code goes with its status. Throws `Deviation`. */
  code(subject: string, code: string, status: number | undefined): void {
    const entry = this.#errors[code];
    if (!entry) throw new Deviation('error', subject, `answers the code ${code}, which the contract does not declare`);
    if (entry.status !== status)
      throw new Deviation('error', subject, `answers ${code} with ${status}; the contract says ${entry.status}`);
  }
}

const NOT_IMPLEMENTED = 501;

const isFault = (status: number): boolean => status >= 500 && status !== 503;

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
