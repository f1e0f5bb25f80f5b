package joshua.grace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.ssh.Access;
import joshua.ssh.Age;
import joshua.ssh.Line;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Style;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code client}: one client's queue, and why it has or hasn't been given messages. */
@Command(
    name = "client",
    description = "Show a client's queue, and why it was given messages or wasn't.",
    footer = {"", "Examples:", "  client ann", "  client ann why", "  client ann -o json"})
final class ClientVerb extends Verb {
  private static final int NAME_COLUMNS = 12;

  /** What is asked about it. */
  enum Question {
    WHY
  }

  private final Clients clients;
  private final InstantSource time;

  @Parameters(index = "0", paramLabel = "ID", description = "Which client.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "why",
      description = "Say in sentences what became of its messages.")
  private Optional<Question> question = Optional.empty();

  ClientVerb(Clients clients, InstantSource time) {
    this.clients = clients;
    this.time = time;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed {
    check(id);
    Optional<Clients.Whole> found = clients.find(id);
    if (found.isEmpty()) {
      throw none(clients, id);
    }
    ClientView client = found.get().view();
    if (question.isPresent()) {
      List<String> sentences = Why.of(client, clients.config(), clients.isBusUsable());
      ObjectNode tree = Json.object().put("client_id", id);
      ArrayNode why = tree.putArray("why");
      sentences.forEach(why::add);
      screen.show(new Report(tree, () -> sentences.stream().map(Line::of).toList()));
    } else {
      ObjectNode tree = json(found.get());
      screen.show(new Report(tree, () -> lines(tree, time.instant())));
    }
  }

  /** Refuses what can't be a client's id. */
  static void check(String id) throws VerbFailed {
    if (!Ids.isIdentifier(id)) {
      throw VerbFailed.misuse("ID " + Ids.IDENTIFIER_RULE);
    }
  }

  /** There is no such queue, and this is why. */
  static VerbFailed none(Clients clients, String id) {
    return VerbFailed.refused(Why.ofNone(id, clients.epoch(), clients.evictedSince(id)));
  }

  private ObjectNode json(Clients.Whole client) {
    ObjectNode tree = client.view().tree();
    tree.put("queue_limit", clients.config().queueLimit());
    tree.put("epoch", clients.epoch());
    ArrayNode topics = tree.putArray("topics");
    client.topics().forEach(topic -> topics.add(topic.text()));
    return tree;
  }

  private static List<Line> lines(ObjectNode tree, Instant now) {
    List<Line> lines = new ArrayList<>();
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
    String age = moment ? " (%s ago)".formatted(Age.of(value.asText(), now)) : "";
    return value.asText() + age;
  }

  private static Line line(String name, String text) {
    String space = " ".repeat(Math.max(1, NAME_COLUMNS - name.length()));
    return new Line(
        List.of(new Line.Piece(name + space, Style.FAINT), new Line.Piece(text, Style.PLAIN)));
  }

  @Override
  public List<String> candidates(List<String> before, Access access) {
    if (before.size() == 1) {
      return List.of("why");
    }
    return before.isEmpty() ? offered(clients) : List.of();
  }

  /** Ids for completion: the most recently used. */
  static List<String> offered(Clients clients) {
    return clients.page("", 100).clients().stream().map(ClientView::clientId).toList();
  }
}
