/** Something that is measured. Its values come from the contract or from small sets, as labels of metrics must. */
interface Activity {
  /** A database statement, a GraphQL operation, or a call of a tool. */
  readonly kind: 'statement' | 'operation' | 'tool';
  /** `list` or `transaction` of a statement; `query` or `mutation` of an operation. */
  readonly action: string;
  /** Key of the resource, or name of the operation or the tool. */
  readonly subject: string;
}

/** A job that is run, and the span that sent it. */
export interface ObservedJob {
  readonly name: string;
  readonly traceparent?: string | null | undefined;
}

/** How a run of a job has ended. */
export interface JobOutcome {
  readonly end: { readonly kind: string };
  readonly error?: unknown;
}

/** Observes activities without changing their results. */
export interface Observer {
  /** Runs the work and returns its result. `isFailure` recognizes results that count as failures. */
  observe<T>(activity: Activity, work: () => T, isFailure?: (result: Awaited<T>) => boolean): T;
}

/** An observer that wraps the work in each of the observers, the first outermost. */
export function observeBy(observers: readonly Observer[]): Observer {
  return {
    observe: (activity, work, isFailure) =>
      observers.reduceRight((run, observer) => () => observer.observe(activity, run, isFailure), work)(),
  };
}

/**
 * Runs the work and calls `done` when it ends: synchronously unless the work is asynchronous. Returns or throws what
 * the work does.
 */
export function whenDone<T>(
  work: () => T,
  done: (failure: unknown) => void,
  isFailure: (result: Awaited<T>) => boolean = () => false,
): T {
  const finish = (result: Awaited<T>): Awaited<T> => {
    done(isFailure(result) ? 'failed' : undefined);
    return result;
  };
  const fail = (error: unknown): never => {
    done(error ?? 'failed');
    throw error;
  };
  try {
    const result = work();
    return (result instanceof Promise ? result.then(finish, fail) : finish(result as Awaited<T>)) as T;
  } catch (error) {
    return fail(error);
  }
}

/** `error.type` of a failure: the name of its class, of which there are few; `_OTHER` for values other than errors. */
export const errorTypeOf = (failure: unknown): string => (failure instanceof Error ? failure.name : '_OTHER');
