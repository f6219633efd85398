import { GraphQLError } from 'graphql';
import type { ErrorCatalogue, ErrorDescriptor } from '../../../descriptor/error.ts';
import { standardErrors } from '../../../descriptor/standard-errors.ts';
import { ApiError } from '../../errors/api-error.ts';
import { omitted, withShortValues } from '../../errors/bounded.ts';
import { type ReportFailure, reportedFailure } from '../../errors/report-failure.ts';
import { toApiError } from '../../http/framework-error.ts';
import type { GraphqlWireError } from './request.ts';
import type { Session } from './session.ts';

type Told = Pick<Session, 'requestId' | 'log'>;

/** Any failure as clients get it; what nobody foresaw is logged, once, and masked. */
export type FormatError = (error: unknown, session: Told) => GraphqlWireError;

/** Names that are near what a document has: they tell of a schema that may not be asked for. */
const SUGGESTION = / Did you mean .+\?$/s;

/** What graphql-js says of arguments and variables that do not fit; the caller's doing, even during execution. */
const COERCION = /^(Argument|Variable) "/;

export interface ErrorFormatOptions {
  readonly errors: ErrorCatalogue;
  readonly suggestions: boolean;
  /** Gets what is masked, in development. */
  readonly reportFailure?: ReportFailure | undefined;
}

/** Renders errors from the catalogue, as REST's problems are; a code that is not in it becomes `INTERNAL_ERROR`. */
export function createErrorFormat({ errors, suggestions, reportFailure }: ErrorFormatOptions): FormatError {
  const catalogue: ErrorCatalogue = { ...standardErrors, ...errors };
  const internal = catalogue['INTERNAL_ERROR']!;

  const render = (error: ApiError<string>, { requestId }: Told): GraphqlWireError => {
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

  const found = (error: GraphQLError, session: Told): GraphqlWireError => {
    const message = suggestions ? error.message : error.message.replace(SUGGESTION, '');
    return render(new ApiError('VALIDATION_FAILED', { detail: withShortValues(message) }), session);
  };

  return (thrown, session) => {
    const error = thrown instanceof GraphQLError ? thrown : undefined;
    const cause = error ? causeOf(error) : thrown;
    if (cause === undefined) return placed(error!, found(error!, session));
    const known = toApiError(cause);
    if (known.code === 'INTERNAL_ERROR') session.log.error({ err: known.cause ?? known }, 'request failed');
    else if (known.code === 'SERVICE_UNAVAILABLE' && known.cause !== undefined)
      session.log.warn({ err: known.cause }, 'request refused');
    const rendered = render(known, session);
    const report = reportedFailure(known, reportFailure);
    return placed(error, report === undefined ? rendered : { ...rendered, message: report });
  };
}

/** Most errors of a result that has data: one for each null on the way. */
export const MAX_LISTED_ERRORS = 100;

/** The first of all errors as clients get them; what is left out is an error that says how many. */
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

/** What a resolver threw. Undefined: graphql-js found it, and the caller can put it right. */
function causeOf(error: GraphQLError): unknown {
  if (error.originalError && !(error.originalError instanceof GraphQLError)) return error.originalError;
  const isCallers = error.path === undefined || COERCION.test(error.message);
  return isCallers ? undefined : error;
}

function placed(error: GraphQLError | undefined, { message, extensions }: GraphqlWireError): GraphqlWireError {
  return {
    message,
    ...(error?.locations && { locations: error.locations }),
    ...(error?.path && { path: error.path }),
    extensions,
  };
}
