package joshua.grace.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.grace.presence.ClientRegistry;
import joshua.grace.queue.ClientView;
import joshua.grace.queue.QueueDiagnosis;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.DurationText;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code client}: one client's queue, and why it has or hasn't received messages. */
@Command(
    name = "client",
    description = "Show a client's queue, and why it was given messages or wasn't.",
    footer = {"", "Examples:", "  client ann", "  client ann why", "  client ann -o json"})
public final class ClientVerb extends Verb {
  private static final int NAME_COLUMNS = 12;

  /** What can be asked about a client. */
  enum Question {
    WHY
  }

  private final ClientRegistry clientRegistry;
  private final InstantSource time;

  @Parameters(index = "0", paramLabel = "ID", description = "Which client.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "why",
      description = "Say in sentences what became of its messages.")
  private Optional<Question> question = Optional.empty();

  public ClientVerb(ClientRegistry clientRegistry, InstantSource time) {
    this.clientRegistry = clientRegistry;
    this.time = time;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput) throws VerbFailedException {
    check(id);
    Optional<ClientRegistry.Whole> found = clientRegistry.find(id);
    if (found.isEmpty()) {
      throw none(clientRegistry, id);
    }
    ClientView client = found.get().view();
    if (question.isPresent()) {
      List<String> sentences =
          QueueDiagnosis.of(client, clientRegistry.config(), clientRegistry.isBusUsable());
      ObjectNode tree = Json.object().put("client_id", id);
      ArrayNode why = tree.putArray("why");
      sentences.forEach(why::add);
      commandOutput.show(
          new VerbReport(tree, () -> sentences.stream().map(StyledLine::of).toList()));
    } else {
      ObjectNode tree = json(found.get());
      commandOutput.show(new VerbReport(tree, () -> lines(tree, time.instant())));
    }
  }

  /** Rejects what can't be a client id. */
  static void check(String id) throws VerbFailedException {
    if (!BusIdentifiers.isIdentifier(id)) {
      throw VerbFailedException.misuse("ID " + BusIdentifiers.IDENTIFIER_RULE);
    }
  }

  /** The error for a client without a queue, with the reason. */
  static VerbFailedException none(ClientRegistry clientRegistry, String id) {
    return VerbFailedException.refused(
        QueueDiagnosis.ofNone(id, clientRegistry.epoch(), clientRegistry.evictedSince(id)));
  }

  private ObjectNode json(ClientRegistry.Whole client) {
    ObjectNode tree = client.view().tree();
    tree.put("queue_limit", clientRegistry.config().queueLimit());
    tree.put("epoch", clientRegistry.epoch());
    ArrayNode topics = tree.putArray("topics");
    client.topics().forEach(topic -> topics.add(topic.text()));
    return tree;
  }

  private static List<StyledLine> lines(ObjectNode tree, Instant now) {
    List<StyledLine> lines = new ArrayList<>();
    tree.properties()
        .forEach(member -> {
          JsonNode value = member.getValue();
          if (value.isArray()) {
            value.forEach(each -> lines.add(line("topic", each.asText())));
          } else if (!value.isNull()) {
            lines.add(line(member.getKey(), text(member.getKey(), value, now)));
          }
        });
    return lines;
  }

  private static String text(String name, JsonNode value, Instant now) {
    if (value.isObject()) {
      return Json.write(value);
    }
    boolean moment = name.equals("since") || name.startsWith("last_");
    String age = moment ? " (%s ago)".formatted(DurationText.of(value.asText(), now)) : "";
    return value.asText() + age;
  }

  private static StyledLine line(String name, String text) {
    String space = " ".repeat(Math.max(1, NAME_COLUMNS - name.length()));
    return new StyledLine(
        List.of(
            new StyledLine.Piece(name + space, TextStyle.FAINT),
            new StyledLine.Piece(text, TextStyle.PLAIN)));
  }

  @Override
  public List<String> candidates(List<String> before, AdminCaller adminCaller) {
    if (before.size() == 1) {
      return List.of("why");
    }
    return before.isEmpty() ? offered(clientRegistry) : List.of();
  }

  /** Ids for completion: the most recently used. */
  static List<String> offered(ClientRegistry clientRegistry) {
    return clientRegistry.page("", 100).clients().stream().map(ClientView::clientId).toList();
  }
}
