import type { ErrorCatalogue, ErrorDescriptor } from '../../descriptor/error.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { standardErrors } from '../../descriptor/standard-errors.ts';
import type { ApiError } from '../errors/api-error.ts';

/** The request that failed. */
export interface ProblemPlace {
  /** The path of the request, without its query. */
  readonly instance: string;
  /** The id that the log lines of the request carry. */
  readonly requestId: string;
}

/** An error as an HTTP response; `body` is the JSON text of an RFC 9457 problem. */
interface ProblemResponse {
  readonly status: number;
  /** By lower-case name, `content-type` included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type RenderProblem = (error: ApiError<string>, place: ProblemPlace) => ProblemResponse;

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** Seconds after which a client may try again, where the error does not say. */
const RETRY_AFTER_S = '1';

/** Renders errors from the catalogue. A code that the catalogue lacks becomes `INTERNAL_ERROR`. */
export function createProblemRenderer(catalogue: ErrorCatalogue): RenderProblem {
  const entries: ErrorCatalogue = { ...standardErrors, ...catalogue };
  const templates = new Map(Object.values(entries).map((entry) => [entry.code, template(entry)]));
  const internal = lookUp(templates, 'INTERNAL_ERROR');
  return (error, place) => {
    const found = templates.get(error.code);
    return found ? render(found, error, place) : render(internal, undefined, place);
  };
}

interface Template {
  readonly status: number;
  /** Fields that the status itself requires. */
  readonly required: Readonly<Record<string, string>> | undefined;
  readonly start: string;
  readonly code: string;
}

function template({ code, status, title }: ErrorDescriptor): Template {
  return {
    status,
    required: requiredHeaders(status),
    start: `{"type":${JSON.stringify(`/errors/${code}`)},"title":${JSON.stringify(title)},"status":${status}`,
    code: `,"code":${JSON.stringify(code)}`,
  };
}

/** Fields that the status itself requires (RFC 9110, 11.6.1 and 10.2.3; RFC 6585, 4). */
function requiredHeaders(status: number): Record<string, string> | undefined {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if (status === 429 || status === 503) return { 'retry-after': RETRY_AFTER_S };
  return undefined;
}

function render(template: Template, error: ApiError<string> | undefined, place: ProblemPlace): ProblemResponse {
  const detail = error?.detail === undefined ? '' : `,"detail":${JSON.stringify(error.detail)}`;
  const errors = error?.errors === undefined ? '' : `,"errors":${JSON.stringify(error.errors)}`;
  const instance = `,"instance":${JSON.stringify(place.instance)}`;
  // The characters of a request's id need no escapes.
  const requestId = `,"requestId":"${place.requestId}"}`;
  return {
    status: template.status,
    headers: headersOf(template.required, error?.headers),
    body: template.start + detail + instance + template.code + errors + requestId,
  };
}

const CONTENT_TYPE = { 'content-type': PROBLEM_MEDIA_TYPE };

function headersOf(required: Template['required'], own: ApiError['headers']) {
  if (!required && !own) return CONTENT_TYPE;
  const headers: Record<string, string> = { ...CONTENT_TYPE, ...required };
  for (const name in own) headers[name.toLowerCase()] = sendable(own[name]!);
  return headers;
}

/** Replaces characters that no field may have (RFC 9110, 5.5): Node would refuse to send the error response. */
const sendable = (value: string): string => value.replace(UNSENDABLE, ' ');
