package joshua.app.connect;

import java.util.ArrayList;
import java.util.List;

/**
 * How a client is to start this program.
 *
 * @param program the launcher
 * @param options where the services are, and by which token they are called
 */
record Invocation(String program, List<String> options) {
  /** The words of a command, with the options behind it. */
  List<String> of(String... command) {
    List<String> words = new ArrayList<>(List.of(program));
    words.addAll(List.of(command));
    words.addAll(options);
    return words;
  }

  /** The same as a line of a shell. */
  String line(String... command) {
    return ServerEntry.shell(of(command));
  }
}
