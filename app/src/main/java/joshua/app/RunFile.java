package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import joshua.kernel.Json;

/**
 * The file {@code run.json} in the data directory: what runs there, and where it listens. The
 * command line finds the group by it (wire contract §5).
 *
 * <pre>
 * {"epoch":"uuid","started_at":"…Z","pids":{"joshua":4711,"redis":4712},"ports":{"grace":8000,"redis":6379},
 *  "programs":{"redis":"redis 7.0.15, bundled with Joshua"}}
 * </pre>
 *
 * @param epoch of this run alone
 * @param pids by name; {@value #SELF} is the one that wrote the file
 * @param ports by name
 * @param programs which program a process runs, by name, if that may vary; for people
 */
public record RunFile(
    UUID epoch,
    Instant startedAt,
    Map<String, Long> pids,
    Map<String, Integer> ports,
    Map<String, String> programs) {

  public static final String NAME = "run.json";
  public static final String SELF = "joshua";

  public RunFile {
    pids = Map.copyOf(pids);
    ports = Map.copyOf(ports);
    programs = Map.copyOf(programs);
    if (!pids.containsKey(SELF)) {
      throw new IllegalArgumentException("pids must have the member " + SELF);
    }
  }

  /** Replaces the file atomically; mode 0600. */
  void write(Path dataDirectory) throws IOException {
    ObjectNode node =
        Json.object().put("epoch", epoch.toString()).put("started_at", startedAt.toString());
    ObjectNode pidsNode = node.putObject("pids");
    new TreeMap<>(pids).forEach(pidsNode::put);
    ObjectNode portsNode = node.putObject("ports");
    new TreeMap<>(ports).forEach(portsNode::put);
    ObjectNode programsNode = node.putObject("programs");
    new TreeMap<>(programs).forEach(programsNode::put);
    // A temporary file is readable by its owner alone, and stays so when it is moved.
    Path fresh = Files.createTempFile(dataDirectory, NAME + ".", ".new");
    Files.writeString(fresh, Json.write(node) + "\n");
    Files.move(
        fresh,
        dataDirectory.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads what runs on a data directory now; empty if nothing does, even if a process that is gone
   * has left the file behind.
   *
   * @throws ServiceUnavailableException if the file isn't one of ours
   */
  public static Optional<RunFile> find(Path dataDirectory)
      throws IOException, ServiceUnavailableException {
    Optional<RunFile> found = read(dataDirectory);
    return found.isPresent() && DataDirectory.isHeld(dataDirectory) ? found : Optional.empty();
  }

  /** The content of the file, whether that group runs or not. */
  static Optional<RunFile> read(Path dataDirectory)
      throws IOException, ServiceUnavailableException {
    Path file = dataDirectory.resolve(NAME);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(Json.parse(Files.readAllBytes(file))));
    } catch (Json.MalformedJsonException | IllegalArgumentException | DateTimeException e) {
      throw new ServiceUnavailableException(
          "%s can't be read as what a running Joshua writes. Delete it, or set JOSHUA_DATA_DIR to another directory."
              .formatted(file),
          e);
    }
  }

  private static RunFile parse(JsonNode node) {
    Map<String, Long> pids = new TreeMap<>();
    node.path("pids")
        .properties()
        .forEach(each -> pids.put(each.getKey(), each.getValue().asLong()));
    Map<String, Integer> ports = new TreeMap<>();
    node.path("ports")
        .properties()
        .forEach(each -> ports.put(each.getKey(), each.getValue().asInt()));
    Map<String, String> programs = new TreeMap<>();
    node.path("programs")
        .properties()
        .forEach(each -> programs.put(each.getKey(), each.getValue().asText()));
    return new RunFile(
        UUID.fromString(node.path("epoch").asText()),
        Instant.parse(node.path("started_at").asText()),
        pids,
        ports,
        programs);
  }
}
