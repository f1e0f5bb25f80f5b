package joshua.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.kernel.Spelling;
import joshua.ssh.socket.AdminSocketClient;

/** The verbs of the MADs that run on the data directory, as the command line has them run. */
record RemoteVerb(Settings settings, Surroundings around) {
  /** How long a verb has to end when the first Ctrl-C has come; the second waits for nothing. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** What a shell adds to the number of the signal that ended a program. */
  private static final int BY_SIGNAL = 128;

  /**
   * Has a MAD run a verb, and shows what it writes; the verb's exit status.
   *
   * @throws Misuse if there is no such MAD
   * @throws Unavailable if it doesn't run, or goes away meanwhile
   * @throws Refused if its socket is another user's
   */
  int run(String mad, List<String> words) throws Misuse, Unavailable, Refused {
    check(mad);
    AtomicInteger signal = new AtomicInteger();
    try (AdminSocketClient client = AdminSocketClient.connect(AdminSockets.file(settings, mad))) {
      OutputConsole console = new OutputConsole(around);
      Signals.onEnd(number -> end(client, signal, number));
      if (console.terminal().isPresent()) {
        Signals.onResize(() -> console.measure().ifPresent(client::resized));
      }
      return client.run(words, console);
    } catch (AdminSocketClient.Absent e) {
      if (signal.get() > 0) {
        return BY_SIGNAL + signal.get();
      }
      throw absent(mad, e);
    }
  }

  private static void check(String mad) throws Misuse {
    List<String> names = KnownMad.names();
    if (!names.contains(mad)) {
      throw new Misuse(
          List.of(
              "there is no MAD named \"%s\"%s"
                  .formatted(
                      mad,
                      Spelling.nearest(mad, names)
                          .map(near -> "; did you mean " + near + "?")
                          .orElse("; there are " + String.join(", ", names)))));
    }
  }

  /** The first signal has the verb end, and it may still say something; the second parts. */
  private static void end(AdminSocketClient client, AtomicInteger signal, int number) {
    if (!signal.compareAndSet(0, number)) {
      client.close();
      return;
    }
    client.interrupt();
    Thread.ofVirtual()
        .start(() -> {
          try {
            Thread.sleep(PATIENCE);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          client.close();
        });
  }

  private Unavailable absent(String mad, AdminSocketClient.Absent absent) throws Refused {
    return switch (absent.why()) {
      case FORBIDDEN ->
          throw new Refused(
              "%s. By its data directory %s serves its owner alone; others ask by SSH."
                  .formatted(absent.sentence(), mad));
      case NOBODY ->
          new Unavailable(
              "Joshua's %s doesn't run on the data directory %s. Start the group with %s up, or set JOSHUA_DATA_DIR to where it runs."
                  .formatted(
                      mad, settings.get(KnownSettings.DATA_DIR), around.home().resolve("joshua")),
              absent);
      case LOST ->
          new Unavailable(
              "%s while the verb ran; the log of %s may tell why."
                  .formatted(absent.sentence(), mad),
              absent);
    };
  }
}
