package joshua.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import joshua.app.group.RunFile;
import joshua.ssh.ExitStatus;
import joshua.ssh.LocalSocketClient;

/** A verb that is typed as a command: it runs in the group, to which a Unix socket leads. */
final class ForwardedVerb {
  private ForwardedVerb() {}

  /** The width of the terminal, as the launcher says; 0 where there is none. */
  static int columns() {
    return Integer.getInteger("joshua.columns", 0);
  }

  /** Runs a verb of one service, as {@link #run(Function, List, Path)} does. */
  static int run(String service, List<String> words, Path data) {
    return run(_ -> List.of(service), words, data);
  }

  /**
   * Runs a verb.
   *
   * @param services those of the group that it is to run at
   * @param words its name and its arguments
   * @param data where the group is
   * @return the exit status, the worst of them
   */
  static int run(Function<RunFile, List<String>> services, List<String> words, Path data) {
    try {
      Optional<RunFile> run = RunFile.read(data);
      if (run.isEmpty()) {
        System.err.println("No group runs in %s. Start one: ./joshua up".formatted(data));
        return ExitStatus.UNAVAILABLE;
      }
      int worst = ExitStatus.OK;
      for (String service : services.apply(run.get())) {
        int status =
            LocalSocketClient.run(
                Path.of(run.get().socket()), service, words, columns(), System.out, System.err);
        worst = Math.max(worst, status);
      }
      return worst;
    } catch (IOException e) {
      System.err.println("The group in %s doesn't answer: %s".formatted(data, e.getMessage()));
      return ExitStatus.UNAVAILABLE;
    }
  }
}
