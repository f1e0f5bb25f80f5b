package joshua.redis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;

/**
 * The file {@code programs.json}: the results of probes, so that a later start needn't repeat them.
 * A program is identified by its path, size and modification time.
 */
final class ProbeRecord {
  /** The maximum number of programs; beyond it the oldest is forgotten. */
  static final int MOST = 8;

  private static final String NAME = "programs.json";

  /** Of the attacks; results of earlier ones don't count. */
  private static final int REVISION = 1;

  private static final long LARGEST_FILE = 65_536;

  private final Path file;

  ProbeRecord(Path directory) {
    this.file = directory.resolve(NAME);
  }

  /** What was found about a program, unless it has changed since. */
  Optional<ProbeVerdict> find(Path program) throws IOException {
    ObjectNode wanted = key(program);
    for (ObjectNode entry : read()) {
      if (isOf(entry, wanted)) {
        String name = entry.path("verdict").asText();
        return Arrays.stream(ProbeVerdict.values())
            .filter(verdict -> verdict.name().equals(name))
            .findFirst();
      }
    }
    return Optional.empty();
  }

  void add(Path program, ProbeVerdict verdict) throws IOException {
    ObjectNode fresh = key(program);
    List<ObjectNode> entries = new ArrayList<>(read());
    entries.removeIf(entry -> entry.path("path").equals(fresh.path("path")));
    entries.add(fresh.put("verdict", verdict.name()));
    ObjectNode all = Json.object().put("revision", REVISION);
    ArrayNode array = all.putArray("programs");
    entries.subList(Math.max(0, entries.size() - MOST), entries.size()).forEach(array::add);
    OwnerOnlyFile.replace(file, Json.write(all) + "\n");
  }

  private static ObjectNode key(Path program) throws IOException {
    Path real = program.toRealPath();
    return Json.object()
        .put("path", real.toString())
        .put("size", Files.size(real))
        .put("modified", Files.getLastModifiedTime(real).toString());
  }

  private static boolean isOf(ObjectNode entry, ObjectNode key) {
    return key.properties().stream()
        .allMatch(
            member -> entry.path(member.getKey()).asText().equals(member.getValue().asText()));
  }

  private List<ObjectNode> read() {
    List<ObjectNode> entries = new ArrayList<>();
    try {
      if (Files.exists(file) && Files.size(file) <= LARGEST_FILE) {
        JsonNode all = Json.parse(Files.readAllBytes(file));
        if (all.path("revision").asInt() == REVISION) {
          all.path("programs")
              .forEach(entry -> {
                if (entry instanceof ObjectNode object) {
                  entries.add(object);
                }
              });
        }
      }
    } catch (IOException | Json.MalformedJsonException e) {
      entries.clear(); // A probe costs a second; it is made again.
    }
    return entries;
  }
}
