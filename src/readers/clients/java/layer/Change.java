package com.example.client;

import com.example.client.invoker.ApiException;

/** A change of what is read for it, both of which are done again when another change got in between. */
public final class Change {
  /** How often it is tried. */
  private static final int MOST = 5;

  private Change() {}

  @FunctionalInterface
  public interface Read<T> {
    T current() throws ApiException;
  }

  /** Makes the patch of what was read; null leaves it as it is. */
  @FunctionalInterface
  public interface Patch<T, P> {
    P of(T current) throws ApiException;
  }

  @FunctionalInterface
  public interface Update<T, P> {
    T changed(T current, P patch) throws ApiException;
  }

  public static <T, P> T run(Read<T> read, Patch<T, P> patchOf, Update<T, P> update) throws ApiException {
    for (int attempt = 1; ; attempt++) {
      T current = read.current();
      P patch = patchOf.of(current);
      if (patch == null) {
        return current;
      }
      try {
        return update.changed(current, patch);
      } catch (ProblemException overtaken) {
        if (!overtaken.code().equals("PRECONDITION_FAILED") || attempt == MOST) {
          throw overtaken;
        }
      }
    }
  }
}
