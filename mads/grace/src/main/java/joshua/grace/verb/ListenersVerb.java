package joshua.grace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.Channel;
import joshua.conversation.EnvelopeCodec;
import joshua.grace.presence.ChannelAudience;
import joshua.kernel.Json;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code listeners}: who would receive what is sent on a channel. */
@Command(
    name = "listeners",
    description = "Show who would get what is sent on a channel.",
    footer = {"", "Examples:", "  listeners mad.direct.ann", "  listeners mad.topic.news -o json"})
public final class ListenersVerb extends Verb {
  private final ChannelAudience audience;

  @Parameters(index = "0", paramLabel = "CHANNEL", description = "Which channel.")
  private String name = "";

  @Option(
      names = "--counted",
      paramLabel = "NUMBER",
      description = "How many subscriptions Redis counted for a message sent there.")
  private long counted;

  public ListenersVerb(ChannelAudience audience) {
    this.audience = audience;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    Channel channel =
        Channel.parse(name)
            .orElseThrow(() -> VerbFailedException.misuse("CHANNEL " + Channel.RULE));
    ChannelAudience.Standing standing = audience.standing(channel);
    Optional<ChannelAudience.Addressee> addressee =
        audience.addressee(channel, standing, Math.max(0, counted));
    ObjectNode tree = Json.object();
    tree.put("channel", channel.name());
    tree.put("receivers", standing.receivers(Math.max(0, counted)));
    tree.put("queues", standing.queues());
    tree.put("taps", standing.taps());
    tree.put("addressee", addressee.map(ChannelAudience.Addressee::word).orElse(null));
    tree.put(
        "silent_since",
        audience.silentSince(channel, standing).map(EnvelopeCodec::timestamp).orElse(null));
    tree.put("known_names", audience.knownNames());
    tree.put("listening_since", EnvelopeCodec.timestamp(audience.listeningSince()));
    commandOutput.show(new VerbReport(tree, () -> lines(tree)));
  }

  private static List<StyledLine> lines(ObjectNode tree) {
    List<StyledLine> lines = new ArrayList<>();
    lines.add(
        StyledLine.of(
            "%s clients of this Grace would find it in their queues; %s taps of the group would see it."
                .formatted(tree.path("queues"), tree.path("taps"))));
    if (tree.path("addressee").isTextual()) {
      lines.add(
          StyledLine.of(
              "The addressee is %s; this Grace has heard %s names, and listens since %s."
                  .formatted(
                      tree.path("addressee").asText(),
                      tree.path("known_names"),
                      tree.path("listening_since").asText())));
    }
    if (tree.path("silent_since").isTextual()) {
      lines.add(
          StyledLine.of(
              "It has made no call since %s; its queue keeps messages."
                  .formatted(tree.path("silent_since").asText())));
    }
    return lines;
  }
}
