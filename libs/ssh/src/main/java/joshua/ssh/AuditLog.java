package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.Access;
import joshua.network.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The audit log of logins and of administrators' verbs (+JS-07), in lines of JSON. */
public final class AuditLog {
  /** Names, ids and options; other words may be the text of a message, and aren't logged. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@+,-]{1,128}");

  /** Verbs whose arguments are the text of a message. */
  private static final Set<String> FREE_TEXT_VERBS = Set.of("send", "request", "ask");

  private static final Logger log = LoggerFactory.getLogger(Access.AUDIT_LOGGER);

  private AuditLog() {}

  /** Logs that a key was accepted or refused. */
  public static void login(String by, String from, boolean accepted) {
    ObjectNode entry = entry(accepted ? "login" : "refused login", PrintableText.of(by));
    log.info("{}", entry.put("from", from));
  }

  /** Logs that a verb was run or refused. */
  static void verb(String service, List<String> words, Caller caller, int status) {
    boolean speaks = !words.isEmpty() && FREE_TEXT_VERBS.contains(words.getFirst());
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
