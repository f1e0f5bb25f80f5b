package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the maximum number of idle clients, with the launcher's heap. */
@Tag("alone")
final class TenThousandClientsIT {
  private static final int CLIENTS = 10_000;
  private static final int SOCKETS = 4;
  private static final int MESSAGES = 100;

  /** The heap of configs/jvm.options, and what a JVM needs besides it. */
  private static final long MOST_MEBIBYTES = 512 + 256;

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void tenThousandIdleClientsFitAndTheLeastRecentlyUsedGoesFirst() {
    TestRequirements.thing(
        Files.isDirectory(Path.of("/proc/self")), "needs Linux, to measure memory");
    // Rogers logs when it no longer counts senders separately.
    GroupUnderTest groupUnderTest = environment.up("JOSHUA_ROGERS_NAMES_LIMIT=20000");
    long started = memory(groupUnderTest);

    List<FrameSocketClient> sockets = new ArrayList<>();
    for (int i = 0; i < SOCKETS; i++) {
      sockets.add(groupUnderTest.client());
    }
    subscribeAll(sockets);
    long subscribed = memory(groupUnderTest);
    FrameSocketClient sender = groupUnderTest.client();
    for (int n = 1; n <= MESSAGES; n++) {
      JsonNode sent =
          sender.send(
              "herald", "mad.broadcast", "{'n':%d,'x':'%s'}".formatted(n, "x".repeat(1_000)));
      assertThat(sent.path("queues").asInt()).isEqualTo(CLIENTS);
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> groupUnderTest.metric("joshua_grace_waiting") == (double) CLIENTS * MESSAGES);
    long filled = memory(groupUnderTest);
    System.out.printf(
        "resident: %d MiB started, %d MiB with %d clients, %d MiB with %d messages waiting for each%n",
        started, subscribed, CLIENTS, filled, MESSAGES);
    assertThat(filled).isLessThan(MOST_MEBIBYTES);

    // The first client polls, so that the second is the one that was used least recently.
    assertThat(sockets.getFirst().pollNow(name(0)).path("messages")).hasSize(MESSAGES);
    sockets.getFirst().subscribe("one-too-many", "mad.broadcast");

    JsonNode evicted = sockets.getLast().pollNow(name(1));
    assertThat(evicted.path("code").asText()).isEqualTo("not_subscribed");
    assertThat(evicted.path("gap").path("reason").asText()).isEqualTo("evicted");
    assertThat(evicted.path("gap").path("missed").isNull()).isTrue();
    assertThat(sockets.getFirst().pollNow(name(0)).path("status").asText()).isEqualTo("success");
    assertThat(sockets.getFirst().pollNow(name(2)).path("messages")).hasSize(MESSAGES);
    assertThat(groupUnderTest.metric("joshua_grace_clients")).isEqualTo(CLIENTS);
    assertThat(groupUnderTest.run().err()).isEmpty();
  }

  private static void subscribeAll(List<FrameSocketClient> sockets) {
    List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      answers.add(
          sockets
              .get(i % SOCKETS)
              .begin(
                  "grace_subscribe",
                  FrameSocketClient.object(
                      "{'client_id':'%s','topics':['mad.direct.%s','mad.broadcast']}"
                          .formatted(name(i), name(i)))));
      // The first few one after the other: which of them was used least recently is then certain.
      if (i < 3 || i % 200 == 199) {
        answers.forEach(answer ->
            assertThat(FrameSocketClient.await(answer).path("status").asText())
                .isEqualTo("success"));
        answers.clear();
      }
    }
  }

  private static String name(int client) {
    return "client-" + client;
  }

  /** The program's resident memory in MiB. */
  private static long memory(GroupUnderTest groupUnderTest) {
    try {
      String line =
          Files.readAllLines(Path.of("/proc/%d/status".formatted(groupUnderTest.run().pid())))
              .stream()
              .filter(each -> each.startsWith("VmRSS:"))
              .findFirst()
              .orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
