package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code trace}: the path of one request across the group, from the journal. */
@Command(
    name = "trace",
    description = "Show the path of one request across the group, message by message.",
    footer = {
      "",
      "The journal has neither streams nor mad.system.*. The beginning of an id is enough, but for a",
      "viewer. Examples:",
      "  trace 0193f0a2-7c1e",
      "  trace --conversation 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07 -o json"
    })
final class TraceVerb extends Verb {
  private static final int PAYLOAD_SHOWN = 80;
  private static final double NANOS = 1e9;

  private final RogersClient rogersClient;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CORRELATION-ID",
      description = "Of the request.")
  private @Nullable String correlation;

  @Option(
      names = "--conversation",
      paramLabel = "UUID",
      description = "A whole exchange by its conversation_id instead.")
  private @Nullable String conversation;

  TraceVerb(RogersClient rogersClient) {
    this.rogersClient = rogersClient;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    ObjectNode answer = rogersClient.tool("get_conversation", input(), adminCaller);
    List<String> missing = new ArrayList<>();
    answer.path("incomplete_because").forEach(each -> missing.add(each.asText()));
    if (answer.path("messages").isEmpty()) {
      if (commandOutput.format() == OutputFormat.JSON) {
        commandOutput.json(answer);
      }
      throw VerbFailedException.refused("nothing is known of it. " + String.join(" ", missing));
    }
    commandOutput.show(
        new VerbReport(
            answer,
            () -> lines(answer.path("messages")),
            missing.stream().map(why -> "something may be missing. " + why).toList()));
  }

  private ObjectNode input() throws VerbFailedException {
    String given = correlation == null ? conversation : correlation;
    if (given == null || (correlation != null && conversation != null)) {
      throw VerbFailedException.misuse(
          "one of CORRELATION-ID and --conversation is needed: trace UUID");
    }
    Optional<String> id = BusIdentifiers.parseUuidPrefix(given);
    if (id.isEmpty()) {
      throw VerbFailedException.misuse(
          (correlation == null ? "--conversation " : "CORRELATION-ID ")
              + BusIdentifiers.UUID_PREFIX_RULE);
    }
    return Json.object().put(correlation == null ? "conversation_id" : "correlation_id", id.get());
  }

  /** One line per message: when after the first, from whom to whom, on which channel, what. */
  private static List<StyledLine> lines(JsonNode messages) {
    TextTable textTable = new TextTable("#AFTER", "FROM", "TO", "CHANNEL", "WHAT");
    String first = messages.path(0).path("at").asText();
    for (JsonNode message : messages) {
      textTable.add(
          after(first, message.path("at").asText()),
          message.path("sender_id").asText(),
          message.path("recipient_id").asText("-"),
          message.path("channel").asText(),
          what(message));
    }
    return textTable.lines();
  }

  private static String after(String first, String at) {
    try {
      Duration passed = Duration.between(Instant.parse(first), Instant.parse(at));
      return String.format(Locale.ROOT, "+%.3f s", passed.toNanos() / NANOS);
    } catch (DateTimeException e) {
      return "?";
    }
  }

  private static String what(JsonNode message) {
    String text =
        message.hasNonNull("payload_head")
            ? message.path("payload_head").asText()
            : Json.write(message.path("payload"));
    return TextExcerpt.of(text, PAYLOAD_SHOWN);
  }
}
