/** A piece of work that is worth knowing of. All values come from the contract, or from few. */
export interface Unit {
  /** `statement`: one of the database. `operation`: one of GraphQL. */
  readonly kind: 'statement' | 'operation';
  /** `list`, `transaction`; `query`, `mutation`. */
  readonly action: string;
  /** Key of the resource; name of the operation. */
  readonly subject: string;
}

/** Watches work as it runs, without changing what comes of it. */
export interface Observer {
  /** Runs the work. */
  observe<T>(unit: Unit, work: () => T, isFailure?: (result: Awaited<T>) => boolean): T;
}

/** One observer after the other around the same work. */
export function observeBy(observers: readonly Observer[]): Observer {
  return {
    observe: (unit, work, isFailure) =>
      observers.reduceRight((run, observer) => () => observer.observe(unit, run, isFailure), work)(),
  };
}

/** Calls back when the work is done, at once if it needs no waiting; what it came to is passed on. */
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
