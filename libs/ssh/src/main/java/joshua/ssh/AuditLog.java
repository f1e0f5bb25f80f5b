package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who logged in and what administrators did (+JS-07): lines of JSON for a logger of this name. */
public final class AuditLog {
  /** The logger, which the program writes to a file of its own. */
  public static final String LOGGER = "joshua.audit";

  /** Names, ids and options; what else is typed may be what a message says, and isn't kept. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@+,-]{1,128}");

  /** Verbs whose arguments are what somebody says. */
  private static final Set<String> SPEAKING = Set.of("send", "request", "ask");

  private static final Logger log = LoggerFactory.getLogger(LOGGER);

  private AuditLog() {}

  /** A key was let in or refused. */
  public static void login(String by, String from, boolean accepted) {
    ObjectNode entry = entry(accepted ? "login" : "refused login", PrintableText.of(by));
    log.info("{}", entry.put("from", from));
  }

  /** A verb was run, or refused. */
  static void verb(String service, List<String> words, Caller caller, int status) {
    boolean speaks = !words.isEmpty() && SPEAKING.contains(words.getFirst());
    String command =
        (speaks ? List.of(words.getFirst(), " ") : words)
            .stream()
                .map(word -> PLAIN.matcher(word).matches() ? word : "…")
                .collect(Collectors.joining(" "));
    ObjectNode entry = entry("verb", caller.connection().id());
    entry.put("role", caller.role().word()).put("service", service);
    entry.put("command", "%.512s".formatted(command));
    log.info("{}", entry.put("exit_status", status));
  }

  private static ObjectNode entry(String event, String by) {
    return Json.object()
        .put("at", Timestamps.format(Instant.now()))
        .put("event", event)
        .put("by", by);
  }
}
