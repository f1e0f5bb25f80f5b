package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import joshua.integration.FrameClient;
import joshua.integration.SharedRedis;
import joshua.kernel.Json;
import joshua.testing.FreePort;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Horace is killed at random moments between random changes of some documents: what it answered is
 * there afterwards, as in a model in memory, and followers of its topic have heard of each change.
 */
class KilledHoraceTest {
  private static final int ROUNDS = Integer.getInteger("joshua.horace.rounds", 100);
  private static final int ROUNDS_A_LIFE = 25;
  private static final List<String> PATHS = List.of("a.txt", "b/c.md", "d.txt");

  private final long seed = Long.getLong("joshua.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Map<String, Model> model = new HashMap<>();
  private FrameClient horace;

  /** A document: what each version was, deletions as null, and the fence of its lock. */
  private static final class Model {
    private final List<String> versions = new ArrayList<>();
    private long fence;

    String now() {
      return versions.isEmpty() ? null : versions.getLast();
    }

    int expected() {
      return now() == null ? 0 : versions.size();
    }
  }

  /** A call, and what the document is if it is carried out. */
  private record Step(String path, String tool, List<Object> input, String becomes) {}

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void whatWasAnsweredIsThereAfterwards(@TempDir Path directory) throws Exception {
    System.out.println("seed " + seed);
    PATHS.forEach(path -> model.put(path, new Model()));
    try (RedisServer redis = SharedRedis.another();
        RawRedis follower = redis.connect()) {
      follower.call("SUBSCRIBE", "mad.topic.horace.default");
      Map<String, String> settings = Program.settings(directory, redis.url(), redis.password());
      int port = FreePort.next();
      settings.put("JOSHUA_HORACE_PORT", Integer.toString(port));
      try (Program program = new Program(directory, settings)) {
        Step underWay = null;
        for (int round = 0; round < ROUNDS; round += ROUNDS_A_LIFE) {
          Program.Run run = program.start("up", "horace");
          run.awaitSaid("Joshua");
          horace = new FrameClient(port);
          compare(underWay);
          for (int i = 1; i < ROUNDS_A_LIFE; i++) {
            round();
          }
          underWay = change();
          killDuring(underWay, run);
        }
        program.start("up", "horace").awaitSaid("Joshua");
        horace = new FrameClient(port);
        compare(underWay);
        long last = call("project_changes", List.of()).path("last").asLong();
        assertThat(last).as("seed " + seed).isGreaterThan(ROUNDS / 2);
        awaitEvents(follower, last);
      }
    }
  }

  /** A random change of a document by somebody who has seen it, with the fence of its lock. */
  private Step change() {
    String path = PATHS.get(random.nextInt(PATHS.size()));
    Model its = model.get(path);
    List<Object> input = new ArrayList<>(List.of("path", path));
    if (its.fence > 0) {
      input.addAll(List.of("fence", its.fence));
    }
    String text = "%s %d\n".formatted(path, random.nextInt());
    int kept = Math.max(1, its.versions.size() - 40);
    int old = its.versions.isEmpty() ? 1 : kept + random.nextInt(its.versions.size() - kept + 1);
    switch (random.nextInt(its.now() == null ? 2 : 4)) {
      case 0 -> {
        input.addAll(List.of("append", text));
        return new Step(path, "document_edit", input, its.now() == null ? text : its.now() + text);
      }
      case 1 -> {
        input.addAll(List.of("content", text, "expected_version", its.expected()));
        return new Step(path, "document_write", input, text);
      }
      case 2 -> {
        input.addAll(List.of("expected_version", its.expected()));
        return new Step(path, "document_delete", input, null);
      }
      default -> {
        String then = its.versions.get(old - 1);
        input.addAll(List.of("expected_version", its.expected()));
        input.addAll(then == null ? List.of("content", text) : List.of("restore_version", old));
        return new Step(path, "document_write", input, then == null ? text : then);
      }
    }
  }

  /** Makes a change, or tries one that must be refused, or takes or ends a lock. */
  private void round() {
    Step step = change();
    Model its = model.get(step.path());
    switch (random.nextInt(8)) {
      case 0 -> {
        List<Object> lock = List.of("path", step.path(), "hold_s", 3_600);
        JsonNode answer = call("document_lock", lock);
        assertThat(answer.has("fence")).as("seed %d", seed).isEqualTo(its.fence == 0);
        its.fence = answer.path("fence").asLong(its.fence);
      }
      case 1 -> {
        List<Object> unlock = List.of("path", step.path(), "fence", Math.max(1, its.fence));
        assertThat(call("document_unlock", unlock).path("released").asBoolean())
            .as("seed %d", seed)
            .isEqualTo(its.fence > 0);
        its.fence = 0;
      }
      case 2 -> {
        Object stale = its.versions.size() + 1;
        List<Object> write =
            List.of("path", step.path(), "content", "x", "expected_version", stale);
        assertThat(call("document_write", write).path("code").asText()).isEqualTo("conflict");
      }
      default -> {
        JsonNode answer = call(step.tool(), step.input());
        assertThat(answer.path("status").asText())
            .as("seed %d: %s", seed, answer)
            .isEqualTo("success");
        if (!answer.path("unchanged").asBoolean()) {
          its.versions.add(step.becomes());
        }
        assertThat(answer.path("version").asInt()).isEqualTo(its.versions.size());
      }
    }
  }

  /** Begins a change, and kills the service before, while or after it is carried out. */
  private void killDuring(Step step, Program.Run run) {
    horace.begin(step.tool(), FrameClient.input(step.input().toArray()));
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(10_000)));
    run.process().destroyForcibly();
    run.exitStatus();
  }

  /** Compares all documents; one that was under way when it was killed is there or isn't. */
  private void compare(Step underWay) {
    for (String path : PATHS) {
      Model its = model.get(path);
      JsonNode newest =
          call("document_history", List.of("path", path, "limit", 1)).at("/versions/0");
      if (underWay != null
          && underWay.path().equals(path)
          && newest.path("version").asInt() > its.versions.size()) {
        its.versions.add(underWay.becomes());
      }
      assertThat(newest.path("version").asInt()).as("seed " + seed).isEqualTo(its.versions.size());
      JsonNode read = call("document_read", List.of("path", path, "allow_missing", true));
      assertThat(read.path("content").textValue()).as("seed " + seed).isEqualTo(its.now());
    }
  }

  private JsonNode call(String tool, List<Object> input) {
    return horace.call(tool, FrameClient.input(input.toArray()));
  }

  /** Waits until followers have been told of all changes, each in its place when it came first. */
  private static void awaitEvents(RawRedis follower, long last) throws Exception {
    for (long told = 0; told < last; ) {
      String message = follower.read();
      JsonNode event =
          Json.parse(message.substring(message.indexOf('{'), message.lastIndexOf('}') + 1))
              .path("payload");
      long from = event.path("from").asLong(event.path("change").asLong());
      assertThat(from).isLessThanOrEqualTo(told + 1);
      told = Math.max(told, event.path("to").asLong(from));
    }
  }
}
