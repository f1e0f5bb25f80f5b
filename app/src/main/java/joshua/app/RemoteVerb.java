package joshua.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.kernel.SpellingSuggestion;
import joshua.ssh.socket.AdminSocketClient;

/** Runs commands of the MADs that run on the data directory, for the command line. */
record RemoteVerb(Settings settings, ProcessEnvironment around) {
  /** How long a command has to end after the first Ctrl-C; the second waits for nothing. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** The number that a shell adds to that of the signal that ended a program. */
  private static final int BY_SIGNAL = 128;

  /**
   * Makes a MAD run a command, and shows what it writes; returns the command's exit status.
   *
   * @throws UsageException if there is no such MAD
   * @throws ServiceUnavailableException if it isn't running, or goes away meanwhile
   * @throws RequestRefusedException if its socket is another user's
   */
  int run(String mad, List<String> words)
      throws UsageException, ServiceUnavailableException, RequestRefusedException {
    check(mad);
    AtomicInteger signal = new AtomicInteger();
    try (AdminSocketClient client = AdminSocketClient.connect(AdminSockets.file(settings, mad))) {
      OutputConsole console = new OutputConsole(around);
      ProcessSignals.onEnd(number -> end(client, signal, number));
      if (console.terminal().isPresent()) {
        ProcessSignals.onResize(() -> console.measure().ifPresent(client::resized));
      }
      return client.run(words, console);
    } catch (AdminSocketClient.NoServerException e) {
      if (signal.get() > 0) {
        return BY_SIGNAL + signal.get();
      }
      throw absent(mad, e);
    }
  }

  private static void check(String mad) throws UsageException {
    List<String> names = KnownMad.names();
    if (!names.contains(mad)) {
      throw new UsageException(
          List.of(
              "there is no MAD named \"%s\"%s"
                  .formatted(
                      mad,
                      SpellingSuggestion.nearest(mad, names)
                          .map(near -> "; did you mean " + near + "?")
                          .orElse("; there are " + String.join(", ", names)))));
    }
  }

  /**
   * The first signal cancels the command, which may still write something; the second disconnects.
   */
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

  private ServiceUnavailableException absent(
      String mad, AdminSocketClient.NoServerException noServerException)
      throws RequestRefusedException {
    return switch (noServerException.why()) {
      case FORBIDDEN ->
          throw new RequestRefusedException(
              "%s. By its data directory %s serves its owner alone; others ask by SSH."
                  .formatted(noServerException.sentence(), mad));
      case NOBODY ->
          new ServiceUnavailableException(
              "Joshua's %s doesn't run on the data directory %s. Start the group with %s up, or set JOSHUA_DATA_DIR to where it runs."
                  .formatted(
                      mad, settings.get(KnownSettings.DATA_DIR), around.home().resolve("joshua")),
              noServerException);
      case LOST ->
          new ServiceUnavailableException(
              "%s while the verb ran; the log of %s may tell why."
                  .formatted(noServerException.sentence(), mad),
              noServerException);
    };
  }
}
