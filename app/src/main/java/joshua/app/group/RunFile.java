package joshua.app.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.PrivateFile;

/**
 * What a running group says about itself in {@code run.json}, for the commands that talk to it.
 *
 * @param started when its process began, which tells it from a later one of the same number
 * @param redis where Redis is, without the password
 * @param passwordFile the file with the password of the embedded Redis
 * @param socket of the commands
 * @param services where the tools of each are served by MCP
 * @param ssh the ports on which services let administrators in, if any
 */
public record RunFile(
    long pid,
    Instant started,
    String version,
    String redis,
    Optional<Path> passwordFile,
    Path socket,
    Map<String, String> services,
    Map<String, Integer> ssh) {
  private static final String NAME = "run.json";

  /** Writes it at once, readable by its owner alone. */
  void write(Path directory) throws IOException {
    ObjectNode tree = Json.object().put("pid", pid).put("started", started.toString());
    tree.put("version", version).put("redis", redis).put("socket", socket.toString());
    passwordFile.ifPresent(file -> tree.put("password_file", file.toString()));
    ObjectNode addresses = tree.putObject("services");
    services.forEach(addresses::put);
    ObjectNode ports = tree.putObject("ssh");
    ssh.forEach(ports::put);
    PrivateFile.write(directory.resolve(NAME), tree.toPrettyString() + "\n");
  }

  /** Reads what a group that is still running has written; empty where there is none. */
  public static Optional<RunFile> read(Path directory) throws IOException {
    try {
      JsonNode tree = Json.parse(Files.readAllBytes(directory.resolve(NAME)));
      Map<String, String> services = new LinkedHashMap<>();
      tree.path("services")
          .properties()
          .forEach(service -> services.put(service.getKey(), service.getValue().asText()));
      Map<String, Integer> ssh = new LinkedHashMap<>();
      tree.path("ssh")
          .properties()
          .forEach(port -> ssh.put(port.getKey(), port.getValue().asInt()));
      RunFile run =
          new RunFile(
              tree.path("pid").asLong(),
              Instant.parse(tree.path("started").asText()),
              tree.path("version").asText(),
              tree.path("redis").asText(),
              Optional.ofNullable(tree.get("password_file")).map(JsonNode::asText).map(Path::of),
              Path.of(tree.path("socket").asText()),
              services,
              ssh);
      return DataDirectory.isInUse(directory) ? Optional.of(run) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (MalformedJsonException | java.time.DateTimeException e) {
      throw new IOException(
          "%s is damaged. Delete it if no group runs.".formatted(directory.resolve(NAME)), e);
    }
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(NAME));
  }

  /** The group's process, if it lives. */
  Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> started(process).equals(started));
  }

  /** When a process began. */
  static Instant started(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }
}
