import { GraphQLError } from 'graphql';
import type { ErrorCatalogue, ErrorDescriptor } from '../../../descriptor/error.ts';
import { standardErrors } from '../../../descriptor/standard-errors.ts';
import type { Session } from '../../admission/session.ts';
import { ApiError } from '../../errors/api-error.ts';
import { omitted, withShortValues } from '../../errors/bounded.ts';
import type { FailureLog } from '../../errors/failure-log.ts';
import { type ReportFailure, reportedFailure } from '../../errors/report-failure.ts';
import { toApiError } from '../../http/framework-error.ts';
import type { GraphqlWireError } from './request.ts';

type RequestInfo = Pick<Session, 'requestId' | 'log'>;

/** Formats any error for clients. Unexpected errors are logged and masked. */
export type FormatError = (error: unknown, request: RequestInfo) => GraphqlWireError;

/** Suggestions of similar names reveal parts of the schema. */
const SUGGESTION = / Did you mean .+\?$/s;

/** A number that stays as it was written, as graphql-js prints it. */
const WRITTEN = /\{ rawJSON: "([^"]*)" \}/g;

/** Messages of graphql-js for arguments and variables that are not valid: errors of the caller, even during execution. */
const COERCION = /^(Argument|Variable) "/;

/**
 * Renders errors from the catalogue, like the problems of REST. A code that the catalogue lacks becomes
 * `INTERNAL_ERROR`. `suggestions`: messages may suggest names of the schema. `reportFailure` gets errors that are masked,
 * in development.
 */
export function createErrorFormat(
  errors: ErrorCatalogue,
  suggestions: boolean,
  failures: FailureLog,
  reportFailure?: ReportFailure,
): FormatError {
  const catalogue: ErrorCatalogue = { ...standardErrors, ...errors };
  const internal = catalogue['INTERNAL_ERROR']!;

  const render = (error: ApiError<string>, { requestId }: RequestInfo): GraphqlWireError => {
    const entry: ErrorDescriptor = catalogue[error.code] ?? internal;
    const isKnown = entry.code === error.code && entry !== internal;
    return {
      message: (isKnown ? error.detail : undefined) ?? entry.title,
      extensions: {
        code: entry.code,
        status: entry.status,
        ...(isKnown && error.errors && { errors: error.errors }),
        requestId,
      },
    };
  };

  const renderValidationError = (error: GraphQLError, request: RequestInfo): GraphqlWireError => {
    const message = suggestions ? error.message : error.message.replace(SUGGESTION, '');
    const detail = withShortValues(message).replace(WRITTEN, '$1');
    return render(new ApiError('VALIDATION_FAILED', { detail }), request);
  };

  return (thrown, request) => {
    const error = thrown instanceof GraphQLError ? thrown : undefined;
    const cause = error ? causeOf(error) : thrown;
    if (error && cause === undefined) return located(error, renderValidationError(error, request));
    const known = toApiError(cause);
    failures.tell(known, (catalogue[known.code] ?? internal).status, request.log);
    const rendered = render(known, request);
    const report = reportedFailure(known, reportFailure);
    return located(error, report === undefined ? rendered : { ...rendered, message: report });
  };
}

/** The maximum number of errors in a result that has data: there may be one for each field that is null. */
export const MAX_LISTED_ERRORS = 100;

/** Formats the first errors of a result. If some are left out, another error says how many. */
export function listed(
  errors: readonly unknown[],
  limit: number,
  format: (error: unknown) => GraphqlWireError,
): readonly GraphqlWireError[] {
  if (errors.length <= limit) return errors.map(format);
  const shown = errors.slice(0, limit).map(format);
  const { extensions } = shown[0]!;
  const { errors: _, ...common } = extensions;
  return [...shown, { message: omitted(errors.length - limit), extensions: common }];
}

/** What a resolver has thrown. Undefined if graphql-js itself has found an error that the caller can fix. */
function causeOf(error: GraphQLError): unknown {
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return error.originalError;
  const isCallers = error.path === undefined || COERCION.test(error.message);
  return isCallers ? undefined : error;
}

function located(error: GraphQLError | undefined, { message, extensions }: GraphqlWireError): GraphqlWireError {
  return {
    message,
    ...(error?.locations && { locations: error.locations }),
    ...(error?.path && { path: error.path }),
    extensions,
  };
}
