package joshua.app;

import java.util.concurrent.CountDownLatch;

/**
 * The program that {@link ForegroundRunIT} sends signals to: one part {@code bus}, then, depending
 * on its argument, a start that hangs or fails, or a part that hangs when it is closed.
 */
final class ForegroundProgram {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private ForegroundProgram() {}

  public static void main(String[] args) throws Exception {
    String mode = args[0];
    System.exit(
        ForegroundRun.run(serviceLifecycle -> {
          serviceLifecycle.add("bus", () -> say("bus closed"));
          switch (mode) {
            case "start-hangs" -> {
              say("starting");
              NEVER.await();
            }
            case "start-fails" -> throw new ServiceUnavailableException("port in use");
            case "start-breaks" -> throw new NoClassDefFoundError("of something");
            case "close-hangs" -> serviceLifecycle.add("hanging", NEVER::await);
            default -> serviceLifecycle.add("server", () -> say("server closed"));
          }
          say("started");
        }));
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
