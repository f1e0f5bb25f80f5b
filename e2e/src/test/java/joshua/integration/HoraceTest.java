package joshua.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents at Horace, in a project of each test's own. */
class HoraceTest extends GroupTest {
  private static final String PLAN = "progress/plan.md";
  private final String shop = names.of("shop");

  @BeforeEach
  void createProject() {
    succeeded("project_create", "name", "Shop");
  }

  private JsonNode call(String tool, Object... members) {
    return group.callHorace(
        tool, Stream.concat(Stream.of("project", shop), Stream.of(members)).toArray());
  }

  private JsonNode succeeded(String tool, Object... members) {
    return GraceCalls.succeeded(call(tool, members));
  }

  private JsonNode append(String name, String text, Object... more) {
    Object[] members = {"client_id", name, "path", PLAN, "append", text};
    return call("document_edit", Stream.concat(Stream.of(members), Stream.of(more)).toArray());
  }

  private String content(String path) {
    return succeeded("document_read", "path", path, "max_bytes", 4_000_000)
        .path("content")
        .asText();
  }

  private static String code(JsonNode answer) {
    return GraceCalls.code(answer);
  }

  /** Lets eight clients do something at the same time. */
  private static void eight(IntConsumer work) {
    CompletableFuture.allOf(
            IntStream.range(0, 8)
                .mapToObj(each ->
                    meanwhile(() -> {
                      work.accept(each);
                      return each;
                    }))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static <T> CompletableFuture<T> meanwhile(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
  }

  private static ObjectNode object(String member, Object value) {
    return FrameClient.object(member, value);
  }

  private JsonNode writeWhole(String line) {
    JsonNode seen = succeeded("document_read", "path", PLAN);
    String content = seen.path("content").asText() + line;
    int version = seen.path("version").asInt();
    Object[] whole = {
      "client_id", "c0", "path", PLAN, "content", content, "expected_version", version
    };
    return call("document_write", whole);
  }

  @Test
  void editsAtTheSameTimeAreAllThereWithTheirAuthors() {
    append("c0", "");
    eight(each -> {
      for (int i = 0; i < 25; i++) {
        String line = "%d %d\n".formatted(each, i);
        while (code(each == 0 ? writeWhole(line) : append("c" + each, line)).equals("conflict")) {
          // again
        }
      }
    });
    List<String> lines = content(PLAN).lines().toList();
    assertThat(lines).hasSize(200).doesNotHaveDuplicates();
    List<JsonNode> changes = new ArrayList<>();
    for (long since = 0; changes.size() < 202; ) {
      JsonNode page = succeeded("project_changes", "since", since);
      page.path("changes").forEach(changes::add);
      since = page.path("last").asLong();
    }
    for (int i = 0; i < 200; i++) {
      assertThat(changes.get(i + 2).path("version").asInt()).isEqualTo(i + 2);
      assertThat(changes.get(i + 2).path("author").asText())
          .isEqualTo("c" + lines.get(i).charAt(0));
    }
  }

  @Test
  void aCounterThatEightIncrementMissesNone() {
    succeeded("document_write", "path", "n.json", "data", object("n", 0));
    eight(each -> {
      for (int i = 0; i < 25; ) {
        JsonNode read = succeeded("document_read", "path", "n.json", "as", "data");
        ObjectNode next = object("n", read.at("/data/n").asInt() + 1);
        JsonNode written =
            call(
                "document_write",
                "path",
                "n.json",
                "data",
                next,
                "expected_version",
                read.path("version").asInt());
        i += code(written).equals("conflict") ? 0 : 1;
      }
    });
    JsonNode last = succeeded("document_read", "path", "n.json", "as", "data");
    assertThat(last.at("/data/n").asInt()).isEqualTo(200);
    assertThat(last.path("version").asInt()).isEqualTo(201);
  }

  @Test
  void nothingIsOverwrittenUnseen() {
    append(ann, "- one\n", "note", "begin");
    Object[] draft = {"client_id", bob, "path", PLAN, "content", "- mine\n"};
    JsonNode refused = call("document_write", draft);
    assertThat(code(refused)).isEqualTo("conflict");
    assertThat(refused.path("version").asInt()).isEqualTo(1);
    assertThat(refused.path("author").asText()).isEqualTo(ann);
    assertThat(refused.path("message").asText()).contains("is at version 1", "(\"begin\")");
    assertThat(content(PLAN)).isEqualTo("- one\n");
    Object[] seen = Stream.concat(Stream.of(draft), Stream.of("expected_version", 1)).toArray();
    assertThat(succeeded("document_write", seen).path("version").asInt()).isEqualTo(2);
    assertThat(succeeded("document_write", seen).path("unchanged").asBoolean())
        .as("the call is repeated, since its answer was lost")
        .isTrue();
    assertThat(code(call("document_delete", "path", PLAN, "expected_version", 1)))
        .isEqualTo("conflict");
    succeeded("document_delete", "path", PLAN, "expected_version", 2);
    assertThat(code(call("document_read", "path", PLAN))).isEqualTo("not_found");
    succeeded("document_write", "path", PLAN, "restore_version", 1);
    assertThat(content(PLAN)).isEqualTo("- one\n");
    assertThat(
            succeeded("document_history", "path", PLAN).path("versions").findValuesAsText("action"))
        .containsExactly("restore", "delete", "write", "edit");
  }

  @Test
  void partsAreReplacedMergedAndRemoved() {
    append(ann, "a b a\n");
    Object[] edit = {"path", PLAN, "old_text", "a", "new_text", "c"};
    assertThat(call("document_edit", edit).path("message").asText()).contains("occurs 2 times");
    edit[3] = "b a";
    succeeded("document_edit", edit);
    assertThat(content(PLAN)).isEqualTo("a c\n");
    Object[] merge = {"path", "s.json", "merge", object("a", object("b", 1))};
    succeeded("document_edit", merge);
    merge[3] = object("a", object("c", List.of(1, 2)));
    succeeded("document_edit", merge);
    succeeded("document_edit", "path", "s.json", "remove", List.of("/a/b", "/a/c/0", "/x/y"));
    assertThat(succeeded("document_read", "path", "s.json", "as", "data").path("data").toString())
        .isEqualTo("{\"a\":{\"c\":[2]}}");
    assertThat(call("document_write", "path", "b.json", "content", "{\"a\":1,\n}").toString())
        .contains("invalid_input", "line 2");
    assertThat(code(call("document_edit", "path", PLAN, "append", "x", "old_text", "y")))
        .isEqualTo("invalid_input");
  }

  @Test
  void aLockEndsByItselfAndItsFenceIsWorthNothingThen() {
    Object[] lock = {"client_id", ann, "path", PLAN, "hold_s", 3};
    long fence = succeeded("document_lock", lock).path("fence").asLong();
    assertThat(append(bob, "- bob\n").path("message").asText()).startsWith(ann + " holds a lock");
    assertThat(append(ann, "- ann\n", "fence", fence).path("version").asInt()).isEqualTo(1);
    List<CompletableFuture<JsonNode>> waiting =
        IntStream.range(0, 3)
            .mapToObj(each -> {
              Object[] next = {
                "client_id", "w" + each, "path", PLAN, "hold_s", 1, "wait_ms", 60_000
              };
              return meanwhile(() -> call("document_lock", next));
            })
            .toList();
    List<Long> fences =
        waiting.stream().map(each -> each.join().path("fence").asLong()).sorted().toList();
    assertThat(fences).as("one after another").doesNotHaveDuplicates().doesNotContain(0L);
    JsonNode last = succeeded("document_lock", "path", PLAN, "hold_s", 60, "wait_ms", 60_000);
    assertThat(last.at("/held_before/ended").asText()).isEqualTo("expire");
    long next = last.path("fence").asLong();
    assertThat(next).isGreaterThan(fences.getLast());
    assertThat(next).isGreaterThan(fence);
    assertThat(code(append(ann, "- late\n", "fence", fence))).isEqualTo("conflict");
    assertThat(code(call("document_lock", "path", PLAN, "fence", fence))).isEqualTo("conflict");
    assertThat(code(call("document_unlock", "path", PLAN, "fence", fence))).isEqualTo("conflict");
    succeeded("document_lock", "path", PLAN, "fence", next, "hold_s", 60);
    assertThat(
            succeeded("document_unlock", "path", PLAN, "fence", next).path("released").asBoolean())
        .isTrue();
    assertThat(
            succeeded("document_unlock", "path", PLAN, "fence", next).path("released").asBoolean())
        .isFalse();
    assertThat(content(PLAN)).isEqualTo("- ann\n");
  }

  /** Or nobody would know its fence. */
  @Test
  void aLockDoesNotGoToWhoIsGone() throws Exception {
    long fence = succeeded("document_lock", "path", PLAN).path("fence").asLong();
    String body =
        McpClient.call("document_lock", "project", shop, "path", PLAN, "wait_ms", 60_000)
            .toString();
    try (Socket gone = new Socket("127.0.0.1", group.port("horace"))) {
      String head =
          "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n";
      gone.getOutputStream().write((head.formatted(body.length()) + body).getBytes(UTF_8));
      assertThat(gone.getInputStream().read()).as("it waits, which is told").isEqualTo('H');
    }
    succeeded("document_unlock", "path", PLAN, "fence", fence);
    JsonNode next = succeeded("document_lock", "path", PLAN, "wait_ms", 1_000);
    assertThat(next.at("/held_before/ended").asText()).isEqualTo("unlock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../x", "/etc/x", "a//b", "a\\b", "a\u0000b", "-a", "a/.", ""})
  void aPathIsNoPathOfAFileSystem(String path) {
    JsonNode refused = call("document_write", "path", path, "content", "x");
    assertThat(code(refused)).isEqualTo("invalid_input");
    assertThat(refused.path("message").asText()).startsWith("path must");
  }

  @Test
  void aLargeDocumentIsWrittenAndReadInPieces() {
    String piece = "ä€😀x".repeat(100_000); // 1 000 000 bytes
    for (int i = 0; i < 4; i++) {
      append(ann, piece);
    }
    assertThat(append(ann, piece).path("code").asText()).isEqualTo("too_large");
    StringBuilder read = new StringBuilder();
    int offset = 0;
    do {
      JsonNode answer =
          succeeded("document_read", "path", PLAN, "offset", offset, "max_bytes", 777_777);
      read.append(answer.path("content").asText());
      offset = answer.path("next_offset").asInt();
    } while (offset > 0);
    assertThat(read.toString()).isEqualTo(piece.repeat(4));
  }

  @Test
  void linesAreFoundInAnyCaseInAllProjects() {
    append(ann, "nothing\n  Großer ÄRGER\n");
    JsonNode found = succeeded("document_search", "query", "ärger");
    assertThat(found.at("/matches/0/line").asInt()).isEqualTo(2);
    assertThat(found.at("/matches/0/text").asText()).isEqualTo("Großer ÄRGER");
    assertThat(succeeded("document_search", "query", "ärger", "prefix", "x").path("total").asInt())
        .isZero();
    JsonNode elsewhere =
        group.callHorace("document_search", "query", "großer ärger", "everywhere", true);
    assertThat(elsewhere.path("matches").findValuesAsText("project")).contains(shop);
    eight(each -> succeeded("document_search", "query", "ärger"));
  }

  @Test
  void anAddressNamesProjectAndAuthor() throws Exception {
    int port = group.port("horace");
    McpClient here = new McpClient(port, "/documents?project=%s&client_id=%s".formatted(shop, ann));
    JsonNode tools =
        McpClient.tree(here.post(McpClient.request("tools/list", Json.object())))
            .at("/result/tools");
    assertThat(tools.findValuesAsText("name"))
        .hasSize(9)
        .allMatch(tool -> tool.startsWith("document_"));
    assertThat(tools.toString()).doesNotContain("\"project\":{", "\"client_id\":{");
    here.result("document_write", "path", "a.txt", "content", "x");
    JsonNode read = succeeded("document_read", "path", "a.txt");
    assertThat(read.path("author").asText()).isEqualTo(ann);
    ObjectNode params = Json.object();
    params.putObject("clientInfo").put("name", "Visual Studio Code");
    McpClient nameless = new McpClient(port, "?project=" + shop);
    String session =
        nameless
            .post(McpClient.request("initialize", params))
            .headers()
            .firstValue("Mcp-Session-Id")
            .orElseThrow();
    nameless.post(
        McpClient.call("document_edit", "path", "a.txt", "append", "y"), "Mcp-Session-Id", session);
    assertThat(succeeded("document_read", "path", "a.txt").path("author").asText())
        .isEqualTo("Visual-Studio-Code");
    JsonNode unknown = here.result("document_list", "project", "nowhere");
    assertThat(unknown.at("/structuredContent/code").asText(unknown.toString()))
        .contains("not_found");
    assertThat(new McpClient(port, "/nothing").result("x").isMissingNode()).isTrue();
  }

  @Test
  void whoWaitsIsToldOfAChangeAndFollowersHearIt() {
    try (RawRedis follower = redis.connect()) {
      follower.call("SUBSCRIBE", "mad.topic.horace." + shop);
      long last = succeeded("project_changes").path("last").asLong();
      CompletableFuture<JsonNode> waits =
          meanwhile(() ->
              succeeded("project_changes", "since", last, "kind", "document", "wait_ms", 60_000));
      JsonNode written = append(ann, "- one\n", "note", "why");
      JsonNode change = waits.join().at("/changes/0");
      assertThat(change.path("change")).isEqualTo(written.path("change"));
      assertThat(change.path("author").asText()).isEqualTo(ann);
      JsonNode event =
          Await.value(
              "the event",
              () -> GraceCalls.heard(follower),
              heard -> heard.at("/payload/subject").asText().equals(PLAN));
      assertThat(event.path("sender_id").asText()).isEqualTo("horace");
      assertThat(event.at("/payload/change")).isEqualTo(written.path("change"));
      assertThat(event.at("/payload/note").asText()).isEqualTo("why");
      assertThat(event.at("/payload/content").isMissingNode()).isTrue();
    }
  }
}
