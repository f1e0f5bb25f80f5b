package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import joshua.kernel.ErrorCode;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.network.ToolResult;
import joshua.network.bridge.ToolClient;
import joshua.network.bridge.Whereabouts;
import joshua.network.mcp.ClientMeta;

/** The tools of one MAD of the running group, as the verbs of the command line call them. */
final class ToolCalls implements AutoCloseable {
  private final ToolClient client;
  private final String mad;

  private ToolCalls(ToolClient client, String mad) {
    this.client = client;
    this.mad = mad;
  }

  /**
   * Connects to a MAD by name.
   *
   * @throws Misuse if there is none of that name
   */
  static ToolCalls of(String name, Settings settings, Surroundings around)
      throws Misuse, Unavailable, InterruptedException {
    KnownMad mad =
        KnownMad.all().stream()
            .filter(known -> known.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new Misuse(List.of(noSuchMad(name))));
    String remedy = "Start the group with %s up.".formatted(around.home().resolve("joshua"));
    try {
      ToolClient client =
          ToolClient.open(
              name,
              new ClientMeta("joshua", Version.current()),
              remedy,
              settings.get(KnownSettings.FRAME_LIMIT),
              new MadAddress(settings, mad, remedy),
              System::nanoTime);
      return new ToolCalls(client, name);
    } catch (Whereabouts.Absent e) {
      throw new Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  private static String noSuchMad(String name) {
    return "there is no MAD named \"%s\"; there are %s"
        .formatted(
            name, KnownMad.all().stream().map(KnownMad::name).collect(Collectors.joining(", ")));
  }

  /** Calls {@code <mad>_<verb>}; its answer. */
  ObjectNode call(String verb, ObjectNode input) throws Refused, Unavailable, InterruptedException {
    return switch (client.call(mad + "_" + verb, input)) {
      case ToolResult.Success success -> success.output();
      case ToolResult.Refused(var refusal) when refusal.code() == ErrorCode.BUS_UNAVAILABLE ->
          throw new Unavailable(refusal.message());
      case ToolResult.Refused(var refusal) -> throw new Refused(refusal.message());
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
