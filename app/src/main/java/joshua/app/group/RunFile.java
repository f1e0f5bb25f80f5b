package joshua.app.group;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.PrivateFile;
import joshua.ssh.LocalSocketClient;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code run.json}, by which commands find the group that runs.
 *
 * @param started when its process began, which tells it from a later one of the same number
 * @param build which build of that version, if it is a built one
 * @param redis where Redis is, without the password
 * @param passwordFile the file with the password of the embedded Redis, if it is that
 * @param socket of the commands
 * @param services where the tools of each are served by MCP
 * @param tokens whether services ask for a token
 * @param ssh the ports on which services let administrators in, if any
 */
public record RunFile(
    long pid,
    String started,
    String version,
    @Nullable String build,
    String redis,
    @Nullable String passwordFile,
    String socket,
    Map<String, String> services,
    boolean tokens,
    Map<String, Integer> ssh) {
  private static final String NAME = "run.json";
  private static final ObjectReader READER =
      Json.mapper()
          .readerFor(RunFile.class)
          // Groups of other versions are read, too.
          .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** Checks the members that all versions have. */
  public RunFile {
    for (Object needed : Arrays.asList(started, version, redis, socket, services, ssh)) {
      Objects.requireNonNull(needed);
    }
  }

  /** Writes it at once, readable by its owner alone. */
  void write(Path directory) throws IOException {
    String text = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
    PrivateFile.write(directory.resolve(NAME), text + "\n");
  }

  /** Reads what a group that is still running has written; empty where there is none. */
  public static Optional<RunFile> read(Path directory) throws IOException {
    try {
      RunFile run = READER.readValue(Files.readAllBytes(directory.resolve(NAME)));
      return DataDirectory.isInUse(directory) ? Optional.of(run) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s is damaged. Delete it if no group runs.".formatted(directory.resolve(NAME)), e);
    }
  }

  /** The notice that this command is of another version or build; empty if it isn't. */
  public Optional<String> difference(String ownVersion) throws IOException {
    return difference(ownVersion, Build.ofThisProgram());
  }

  Optional<String> difference(String ownVersion, Optional<String> ownBuild) {
    String which;
    if (!version.equals(ownVersion)) {
      which = "version %s, and this command is of %s".formatted(version, ownVersion);
    } else if (build != null && ownBuild.isPresent() && !build.equals(ownBuild.get())) {
      which = "another build of %s than this command".formatted(version);
    } else {
      return Optional.empty();
    }
    return Optional.of("The group runs %s: ./joshua stop, then up.".formatted(which));
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(NAME));
  }

  /** What a verb of a service answers as JSON. */
  public JsonNode ask(String service, String verb) throws IOException {
    var said = new ByteArrayOutputStream();
    var complained = new ByteArrayOutputStream();
    List<String> words = List.of(verb, "-o", "json");
    LocalSocketClient.run(Path.of(socket), service, words, 0, said, complained);
    try {
      return Json.parse(said.toByteArray());
    } catch (MalformedJsonException e) {
      complained.writeTo(said);
      throw new IOException("It said: " + said.toString(StandardCharsets.UTF_8), e);
    }
  }

  /** The group's process, if it lives. */
  Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> started(process).equals(started));
  }

  /** When a process began. */
  static String started(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH).toString();
  }
}
