package joshua.app;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The signals that ask a program to end, and the one for a change of the terminal's size.
 *
 * <p>The JVM's own mechanism, a shutdown hook, can't distinguish a second Ctrl-C from the first.
 * {@code sun.misc.Signal} can; it is used by reflection because javac warns about it in a way that
 * can't be turned off.
 */
final class ProcessSignals {
  private static final List<String> ENDING = List.of("INT", "TERM", "HUP");
  private static final List<String> RESIZED = List.of("WINCH");

  private ProcessSignals() {}

  /** Calls {@code handler} with the number of each such signal, in a thread of the JVM's own. */
  static void onEnd(IntConsumer handler) {
    handle(ENDING, handler);
  }

  /** Calls {@code handler} when the terminal's size has changed, in a thread of the JVM's own. */
  static void onResize(Runnable handler) {
    handle(RESIZED, _ -> handler.run());
  }

  private static void handle(List<String> names, IntConsumer handler) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              ProcessSignals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      handler.accept((int) signalType.getMethod("getNumber").invoke(arguments[0]));
                      yield null;
                    }
                    case "equals" ->
                        System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                    case "hashCode" -> System.identityHashCode(self);
                    default -> "what Joshua does on a signal";
                  });
      for (String name : names) {
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, proxy);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java lacks the module jdk.unsupported", e);
    }
  }
}
