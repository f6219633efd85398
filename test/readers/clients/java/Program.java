import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Supplier;

/** What the programs of the tests share: they assert what they get, step by step. */
abstract class Program {
  @FunctionalInterface
  interface Call<X extends Exception> {
    void run() throws X;
  }

  static <E extends RuntimeException, X extends Exception> E refuse(Class<E> expected, Call<X> call) throws X {
    try {
      call.run();
    } catch (RuntimeException e) {
      if (expected.isInstance(e)) {
        return expected.cast(e);
      }
      throw e;
    }
    throw new AssertionError("no " + expected.getSimpleName());
  }

  static void expect(Object found, Object expected) {
    if (!Objects.equals(found, expected)) {
      throw new AssertionError(found + ", not " + expected);
    }
  }

  /** Takes the steps of a program, its methods without modifiers and parameters, and prints those that it has passed. */
  static <P extends Program> void run(Class<P> program, Supplier<P> forStep) throws Throwable {
    for (Method method : program.getDeclaredMethods()) {
      if (method.isSynthetic() || method.getModifiers() != 0 || method.getParameterCount() > 0) {
        continue;
      }
      try {
        method.invoke(forStep.get());
      } catch (InvocationTargetException e) {
        throw new AssertionError(method.getName(), e.getCause());
      }
      System.out.println("passed " + method.getName());
    }
  }
}
