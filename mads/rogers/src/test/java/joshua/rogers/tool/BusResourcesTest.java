package joshua.rogers.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.DirectReaders;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.ChangeWatchers;
import joshua.network.mcp.ResourceProvider.Contents;
import joshua.network.mcp.ResourceSubscription;
import joshua.rogers.RogersQueryFixture;
import joshua.rogers.journal.JournalExchanges;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the bus as resources: what they return, and that watchers are notified of changes. */
class BusResourcesTest {
  private static final Caller ANYBODY = new Caller(Optional.empty(), Role.ADMIN, "test");
  private static final Caller VIEWER = new Caller(Optional.of("carol"), Role.VIEWER, "test");

  private final RogersQueryFixture fixture = new RogersQueryFixture();
  private final JournalExchanges journalExchanges =
      new JournalExchanges(fixture.database(), RogersQueryFixture.JOURNAL, DirectReaders.ADMINS);
  private final ChangeWatchers changeWatchers = new ChangeWatchers();
  private final AtomicInteger looks = new AtomicInteger();
  private final ResourceChangePoller resourceChangePoller =
      new ResourceChangePoller(
              changeWatchers,
              fixture.database(),
              journalExchanges,
              _ -> {
                looks.incrementAndGet();
                TimedWait.system().pause(Duration.ofMillis(5));
              })
          .start();
  private final BusResources resources =
      new BusResources(
          fixture.database(), journalExchanges, () -> RogersQueryFixture.NOW, changeWatchers);

  BusResourcesTest() throws Exception {}

  @AfterEach
  void close() {
    resourceChangePoller.close();
    fixture.close();
  }

  private Optional<JsonNode> read(String uri, Caller caller) throws Exception {
    Optional<Contents> contents = resources.read(uri, caller, CallContext.SILENT);
    return contents.isEmpty()
        ? Optional.empty()
        : Optional.of(Json.parse(((Contents.Text) contents.get()).text()));
  }

  private void said(int entry, String exchange, String text) throws Exception {
    fixture.row(
        "journal",
        entry,
        "15:00:00",
        exchange,
        exchange,
        UUID.randomUUID().toString(),
        "alice",
        "bob",
        "mad.direct.bob",
        "{\"text\":\"%s\"}".formatted(text),
        12,
        0);
  }

  @Test
  void theyReadAsTheToolsAnswer() throws Exception {
    String exchange = UUID.randomUUID().toString();
    fixture.row("hourly_metrics", "15:00:00", "alice", "mad.direct", 5);
    said(1, exchange, "hello");
    assertThat(read("rogers://connections", ANYBODY).orElseThrow().path("connections")).isEmpty();
    assertThat(read("rogers://stats", ANYBODY).orElseThrow().at("/stats/0/message_count").asInt())
        .isEqualTo(5);
    JsonNode conversation = read("rogers://conversations/" + exchange, ANYBODY).orElseThrow();
    assertThat(conversation.at("/messages/0/payload/text").asText()).isEqualTo("hello");
    assertThat(conversation.path("complete").asBoolean()).isTrue();
    assertThat(read("rogers://conversations/" + exchange, VIEWER).orElseThrow().path("messages"))
        .isEmpty();
    // An operator may not read direct messages between others either.
    Caller operator = new Caller(Optional.of("olga"), Role.OPERATOR, "test");
    JsonNode hidden = read("rogers://conversations/" + exchange, operator).orElseThrow();
    assertThat(hidden.path("messages")).isEmpty();
    assertThat(hidden.path("incomplete_because").toString()).contains("that you may read");
    Caller admin = new Caller(Optional.of("ada"), Role.ADMIN, "test");
    assertThat(read("rogers://conversations/" + exchange, admin).orElseThrow().path("messages"))
        .hasSize(1);
    assertThat(new DirectReaders(Set.of("olga")).include(operator.identity(), operator.role()))
        .isTrue();
    assertThat(read("rogers://conversations/nonsense", ANYBODY)).isEmpty();
    assertThat(read("rogers://else", ANYBODY)).isEmpty();
    assertThat(resources.watch("rogers://else", ANYBODY, () -> {})).isEmpty();
    assertThat(resources.list(ANYBODY)).hasSize(2);
  }

  @Test
  void whoWatchesIsToldOfEachChangeAndOfNothingElse() throws Exception {
    String exchange = UUID.randomUUID().toString();
    AtomicInteger connections = new AtomicInteger();
    AtomicInteger stats = new AtomicInteger();
    AtomicInteger conversation = new AtomicInteger();
    watch("rogers://connections", connections);
    watch("rogers://stats", stats);
    ResourceSubscription last = watch("rogers://conversations/" + exchange, conversation);
    // The first check notifies every watcher: what came before it is unknown.
    await().until(() -> connections.get() == 1 && stats.get() == 1 && conversation.get() == 1);

    said(1, exchange, "hello");
    await().until(() -> conversation.get() == 2);
    fixture.row("connection_events", 1, "15:00:00", "bob", null, "HEALTHY", "beats");
    await().until(() -> connections.get() == 2);
    fixture.row("watermark", 1, "15:00:00", 7);
    await().until(() -> stats.get() == 2);
    said(2, UUID.randomUUID().toString(), "elsewhere");
    awaitLooks();
    assertThat(conversation).hasValue(2);
    assertThat(connections).hasValue(2);
    assertThat(stats).hasValue(2);

    last.close();
    said(3, exchange, "again");
    awaitLooks();
    assertThat(conversation).hasValue(2);
  }

  /** Security: watching another's exchange reveals nothing, not even that it continues. */
  @Test
  void aViewerIsToldOfWhatItSeesAlone() throws Exception {
    String theirs = UUID.randomUUID().toString();
    AtomicInteger told = new AtomicInteger();
    AtomicInteger admin = new AtomicInteger();
    resources
        .watch("rogers://conversations/" + theirs, VIEWER, told::incrementAndGet)
        .orElseThrow();
    watch("rogers://conversations/" + theirs, admin);
    await().until(() -> told.get() == 1 && admin.get() == 1);
    said(1, theirs, "private");
    await().until(() -> admin.get() == 2);
    awaitLooks();
    assertThat(told).hasValue(1);
    fixture.change("update journal set channel = 'mad.topic.news'");
    said(2, theirs, "more");
    await().until(() -> told.get() == 2);
  }

  private ResourceSubscription watch(String uri, AtomicInteger told) {
    return resources.watch(uri, ANYBODY, told::incrementAndGet).orElseThrow();
  }

  private void awaitLooks() {
    int now = looks.get();
    await().until(() -> looks.get() > now + 3);
  }
}
