package joshua.grace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.ssh.Access;
import joshua.ssh.Age;
import joshua.ssh.Line;
import joshua.ssh.LiveVerb;
import joshua.ssh.Report;
import joshua.ssh.Style;
import joshua.ssh.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clients}: who has a queue, and how it stands (REQ-GR-04). */
@Command(
    name = "clients",
    description = "List the clients that have a queue, the most recently used first.",
    footer = {
      "",
      "At most " + Clients.LISTED + " are listed. Examples:",
      "  clients",
      "  clients --like claude -o json",
      "  clients -w"
    })
final class ClientsVerb extends LiveVerb {
  private final Clients clients;
  private final InstantSource time;

  @Option(
      names = "--like",
      paramLabel = "PREFIX",
      description = "Only those whose id begins with this.")
  private String prefix = "";

  ClientsVerb(Clients clients, InstantSource time, Pause pause) {
    super(pause);
    this.clients = clients;
    this.time = time;
  }

  @Override
  protected Report report(Access access) {
    Clients.Page page = clients.page(prefix, Clients.LISTED);
    List<String> remarks =
        page.leftOut() == 0
            ? List.of()
            : List.of("%d more are left out; --like finds them".formatted(page.leftOut()));
    return new Report(json(page), () -> lines(page, time.instant()), remarks);
  }

  private ObjectNode json(Clients.Page page) {
    ObjectNode tree = Json.object();
    tree.put("epoch", clients.epoch());
    tree.put("instance", clients.instance());
    tree.put("queue_limit", clients.config().queueLimit());
    ArrayNode list = tree.putArray("clients");
    page.clients().forEach(client -> list.add(client.tree()));
    tree.put("left_out", page.leftOut());
    return tree;
  }

  private List<Line> lines(Clients.Page page, Instant now) {
    Table table =
        new Table("CLIENT", "THERE", "#TOPICS", "#WAITING", "#BYTES", "#LAST CALL", "MISSED");
    page.clients().forEach(client -> table.add(row(client, now)));
    List<Line> lines = new ArrayList<>(table.isEmpty() ? List.of() : table.lines());
    lines.add(
        Line.of(
            "%d clients, %d messages may wait for each; epoch %s"
                .formatted(
                    page.clients().size() + page.leftOut(),
                    clients.config().queueLimit(),
                    clients.epoch()),
            Style.FAINT));
    return lines;
  }

  private List<Line.Piece> row(ClientView client, Instant now) {
    boolean full = client.waiting() >= clients.config().queueLimit();
    return List.of(
        plain(client.clientId()),
        client.present() ? new Line.Piece("yes", Style.GOOD) : new Line.Piece("no", Style.FAINT),
        plain(String.valueOf(client.following())),
        new Line.Piece(String.valueOf(client.waiting()), full ? Style.BAD : Style.PLAIN),
        plain(String.valueOf(client.bytes())),
        plain(client.polling() ? "polls now" : Age.of(client.lastCall(), now)),
        client.missed().map(missed -> new Line.Piece(missed.words(), Style.BAD)).orElse(plain("")));
  }

  private static Line.Piece plain(String text) {
    return new Line.Piece(text, Style.PLAIN);
  }
}
