package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import joshua.grace.presence.ClientRegistry;
import joshua.grace.queue.ClientView;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.DurationText;
import joshua.ssh.LiveVerb;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code clients}: which clients have a queue, and its state (REQ-GR-04). */
@Command(
    name = "clients",
    description = "List the clients that have a queue, the most recently used first.",
    footer = {
      "",
      "At most " + ClientRegistry.LISTED + " are listed. Examples:",
      "  clients",
      "  clients --like claude -o json",
      "  clients -w"
    })
public final class ClientsVerb extends LiveVerb {
  private final ClientRegistry clientRegistry;
  private final InstantSource time;

  @Option(
      names = "--like",
      paramLabel = "PREFIX",
      description = "Only those whose id begins with this.")
  private String prefix = "";

  public ClientsVerb(ClientRegistry clientRegistry, InstantSource time, TimedWait timedWait) {
    super(timedWait);
    this.clientRegistry = clientRegistry;
    this.time = time;
  }

  @Override
  public VerbReport report(AdminCaller adminCaller) {
    ClientRegistry.Page page = clientRegistry.page(prefix, ClientRegistry.LISTED);
    List<String> remarks =
        page.leftOut() == 0
            ? List.of()
            : List.of("%d more are left out; --like finds them".formatted(page.leftOut()));
    return new VerbReport(json(page), () -> lines(page, time.instant()), remarks);
  }

  private ObjectNode json(ClientRegistry.Page page) {
    ObjectNode tree = Json.object();
    tree.put("epoch", clientRegistry.epoch());
    tree.put("instance", clientRegistry.instance());
    tree.put("queue_limit", clientRegistry.config().queueLimit());
    ArrayNode list = tree.putArray("clients");
    page.clients().forEach(client -> list.add(client.tree()));
    tree.put("left_out", page.leftOut());
    return tree;
  }

  private List<StyledLine> lines(ClientRegistry.Page page, Instant now) {
    TextTable textTable =
        new TextTable("CLIENT", "THERE", "#TOPICS", "#WAITING", "#BYTES", "#LAST CALL", "MISSED");
    page.clients().forEach(client -> textTable.add(row(client, now)));
    List<StyledLine> lines = new ArrayList<>(textTable.isEmpty() ? List.of() : textTable.lines());
    lines.add(
        StyledLine.of(
            "%d clients, %d messages may wait for each; epoch %s"
                .formatted(
                    page.clients().size() + page.leftOut(),
                    clientRegistry.config().queueLimit(),
                    clientRegistry.epoch()),
            TextStyle.FAINT));
    return lines;
  }

  private List<StyledLine.Piece> row(ClientView client, Instant now) {
    boolean full = client.waiting() >= clientRegistry.config().queueLimit();
    return List.of(
        plain(client.clientId()),
        client.present()
            ? new StyledLine.Piece("yes", TextStyle.GOOD)
            : new StyledLine.Piece("no", TextStyle.FAINT),
        plain(String.valueOf(client.following())),
        new StyledLine.Piece(
            String.valueOf(client.waiting()), full ? TextStyle.BAD : TextStyle.PLAIN),
        plain(String.valueOf(client.bytes())),
        plain(client.polling() ? "polls now" : DurationText.of(client.lastCall(), now)),
        client
            .missed()
            .map(missedMessages -> new StyledLine.Piece(missedMessages.words(), TextStyle.BAD))
            .orElse(plain("")));
  }

  private static StyledLine.Piece plain(String text) {
    return new StyledLine.Piece(text, TextStyle.PLAIN);
  }
}
