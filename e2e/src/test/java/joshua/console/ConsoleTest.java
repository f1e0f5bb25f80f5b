package joshua.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import joshua.app.Services;
import joshua.integration.FrameClient;
import joshua.integration.SharedGroup;
import joshua.integration.SharedRedis;
import joshua.integration.TestGroup;
import joshua.kernel.Json;
import joshua.network.TokenFile;
import joshua.testing.Await;
import joshua.testing.FaultProxy;
import joshua.testing.FaultProxy.Fault;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The console in a browser, on the shared group; one test after another, since a flood pushes the
 * messages of the others out of Rogers' memory.
 */
@Execution(ExecutionMode.SAME_THREAD)
@ExtendWith({SharedChromium.class, SharedGroup.class})
class ConsoleTest {
  private static final String COUNTERS = "document.getElementById('counters').dataset";

  /** What a participant may send to do harm. */
  private static final String MARKUP =
      "<img src=x onerror=alert(1)><script>alert(1)</script>\u001b[2J\u202eevil";

  private final String name = "c-" + UUID.randomUUID().toString().substring(0, 8);
  private final String topic = "mad.topic." + name;
  private String address;
  private RawRedis raw;

  @BeforeEach
  void connect(TestGroup group, RedisServer redis) {
    address = "http://127.0.0.1:%d/".formatted(group.port("rogers"));
    raw = redis.connect();
  }

  @AfterEach
  void end() {
    raw.close();
  }

  private void say(RawEnvelope envelope, String text) {
    String payload = "{\"text\":%s}".formatted(TextNode.valueOf(text));
    raw.publish(topic, envelope.payload(payload).json());
  }

  private static String text(String selector) {
    return "document.querySelector('%s').textContent".formatted(selector);
  }

  @Test
  void nowShowsWhoIsThereAndWhatIsWrongAsItChanges(Page page) {
    page.open(address);
    page.until(text("h1") + ".includes('participant')");
    say(RawEnvelope.on(topic).from(name), "Hello");
    page.until(text("main") + ".includes('%s')".formatted(name));
    raw.publish(topic, "no envelope");
    page.until(
        "%s.includes('%s') && %s.includes('wrong')"
            .formatted(text(".problems"), topic, text("h1")));
    raw.publish(
        "mad.system.presence",
        RawEnvelope.on("mad.system.presence").from(name).payload("{\"event\":\"leave\"}").json());
    page.until(
        "[...document.querySelectorAll('details li')].some(li => li.textContent.includes('%s'))"
            .formatted(name));
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void messagesAreFilteredPausedAndOpenedByKeys(Page page) {
    page.open(address + "#/messages?channel=" + topic);
    page.until("document.getElementById('filter-text')");
    say(RawEnvelope.on(topic).from("ann"), MARKUP);
    say(RawEnvelope.on(topic).from("bob"), "x".repeat(300_000));
    say(RawEnvelope.on(topic).from("a".repeat(128)), "The last word");
    raw.publish(topic, "{".repeat(1_000));
    page.until(COUNTERS + ".shown === '4'");
    assertThat(page.evaluate(text(".tail")).asText())
        .contains("<img src=x onerror=alert(1)><script>", "\\u001b[2J\\u202eevil", "malformed");
    assertThat(page.evaluate("document.querySelectorAll('main img, main script').length").asInt())
        .isZero();

    page.key("p");
    say(RawEnvelope.on(topic).from("ann"), "meanwhile");
    page.until(COUNTERS + ".waiting === '1'");
    assertThat(page.evaluate(COUNTERS + ".shown").asText()).isEqualTo("4");
    page.key("p");
    page.until(COUNTERS + ".shown === '5'");

    page.key("/");
    page.type("LAST word");
    page.until(COUNTERS + ".shown === '1' && location.hash.includes('LAST')");
    page.key("Escape");
    page.key("j");
    page.key("Enter");
    page.until(text(".opened") + ".includes('The last word')");
    page.key("Escape");
    page.until("!document.querySelector('.opened')");
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void ofAFloodAllIsShownOrCounted(Page page) {
    page.open(address + "#/messages?channel=" + topic);
    page.until(COUNTERS + ".shown === '0' && " + text(".tail") + ".includes('Nothing matches')");
    for (int i = 0; i < 20_000; i++) {
      raw.publish(topic, RawEnvelope.on(topic).json());
    }
    page.until(
        "(c => Number(c.shown) + Number(c.skipped) + Number(c.unread) >= 20000)(%s)"
            .formatted(COUNTERS));
    say(RawEnvelope.on(topic), "after the flood");
    page.until(text(".tail") + ".includes('after the flood')");
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void whereRogersIsAwayThePageSaysSoUntilHeIsBack(Page page, TestGroup group) {
    try (FaultProxy proxy = FaultProxy.before(group.port("rogers"))) {
      page.open("http://127.0.0.1:%d/#/messages?channel=%s".formatted(proxy.port(), topic));
      page.until(text(".tail") + ".includes('Nothing matches')");
      proxy.set(Fault.CUT);
      page.until(text(".bar") + ".includes(\"Rogers can't be reached since\")");
      say(RawEnvelope.on(topic), "while it was away");
      proxy.set(Fault.NONE);
      page.until("!document.querySelector('.bar')");
      page.until(text(".tail") + ".includes('while it was away')");
    }
  }

  @Test
  void aMessageIsSentFromAnyScreenAndItsReplySeen(Page page) {
    page.open(address + "#/tasks");
    page.until("document.querySelector('main.tasks h1')");
    page.key("s");
    page.until("document.activeElement.id === 'to'");
    page.type(name);
    page.key("Tab");
    page.type("Are you there?");
    page.key("Control+Enter");
    page.until(text(".drawer") + ".includes('nobody of that name was heard')");
    String toHuman = "mad.direct.human";
    String reply = RawEnvelope.on(toHuman).from(name).payload("{\"text\":\"I am\"}").json();
    raw.publish(toHuman, reply);
    page.until(text(".drawer") + ".includes('I am')");
    page.key("Escape");
    page.until("!document.querySelector('.drawer')");
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void aQuestionIsAnsweredWithItsEvidence(Page page, TestGroup group) {
    say(RawEnvelope.on(topic).from(name), "Hello");
    try (FrameClient rogers = new FrameClient(group.port("rogers"))) {
      String connections = FrameClient.input("name", "connections");
      Await.until(
          "Rogers knows it",
          () -> rogers.call("rogers_query", connections).toString().contains(name));
    }
    page.open(address + "#/ask");
    page.click("#prompt");
    page.type("Who is here?");
    page.key("Enter");
    page.until(
        "[...document.querySelectorAll('td')].some(td => td.textContent === '%s')".formatted(name));
    page.evaluate(
        "location.hash = '#/ask?service=rogers&query=connections&participant=%s'".formatted(name));
    page.until(text("main section [role=status] b") + ".includes('%s')".formatted(name));
    page.evaluate("location.hash = '#/ask?service=fiedler&query=tasks&limit=9999'");
    page.until(text("main .refusal") + ".includes('limit')");
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void aConversationIsDrawnAsItGoesOn(Page page) {
    String id = UUID.randomUUID().toString();
    RawEnvelope inIt = RawEnvelope.on(topic).withText("conversation_id", id).from(name);
    say(inIt, MARKUP);
    page.open(address + "#/conversation?id=" + id);
    page.until("document.querySelectorAll('svg [data-id]').length === 1");
    say(inIt.withText("message_id", UUID.randomUUID().toString()).from("bob"), "And so on");
    page.until("document.querySelectorAll('svg [data-id]').length === 2");
    page.key("j");
    page.key("Enter");
    page.until(text(".opened") + ".includes('And so on')");
    page.key("Escape");
    page.until("!document.querySelector('.opened')");
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void aPersonAnswersFromTheInbox(Page page) {
    String toPerson = "mad.direct." + name;
    String question = "{\"text\":\"Which branch?\"}";
    raw.publish(toPerson, RawEnvelope.on(toPerson).from(name + "-asks").payload(question).json());
    page.open(address + "#/inbox?as=" + name);
    page.until(
        text("h1") + ".includes('may wait for an answer from %s: %1$s-asks.')".formatted(name));
    page.click("main a[href*='message=']");
    page.click("#reply");
    page.until("document.activeElement.id === 'message'");
    page.type("main");
    page.key("Control+Enter");
    page.until(text(".drawer") + ".includes('Sent to mad.direct.%s-asks')".formatted(name));
    page.key("Escape");
    page.evaluate("location.hash = '#/inbox?as=%s'".formatted(name));
    page.until(text("h1") + ".includes('Nobody is known to wait')");
    assertThat(page.problems()).isEmpty();
  }

  @Test
  void aDocumentOfSeveralIsShownWithItsVersionsAsTheyCome(Page page, TestGroup group)
      throws Exception {
    try (FrameClient horace = new FrameClient(group.port("horace"))) {
      horace.call("project_create", FrameClient.input("name", MARKUP, "project", name));
      append(horace, "ann", "begun\n");
      append(horace, "bob", MARKUP);
      page.open(address + "#/memory?project=" + name);
      page.until(text("h1") + ".includes('plan.md changed')");
      page.click("main a[href*='document=']");
      page.until(text(".posts") + ".includes('edit by bob')");
      assertThat(page.evaluate(text(".posts")).asText()).contains("edit by ann", "Why <img");
      append(horace, "carol", "done\n");
      page.until(text(".posts") + ".includes('edit by carol')");
      page.until(text(".code") + ".includes('done')");
    }
    assertThat(Axe.violations(page)).isEmpty();
    page.click("li:last-child a[href*='with=']");
    page.until("document.querySelectorAll('main ins').length === 1");
    assertThat(page.evaluate("document.querySelectorAll('main img').length").asInt()).isZero();
    assertThat(page.problems()).isEmpty();
  }

  private void append(FrameClient horace, String who, String text) {
    ObjectNode edit = Json.object().put("project", name).put("path", "plan.md");
    edit.put("append", text).put("client_id", who).put("note", "Why " + MARKUP);
    horace.call("document_edit", edit.toString());
  }

  @Test
  void whoHasATokenLogsInByItOrByACode(Page page, @TempDir Path directory) throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens"), TokenFile.hash("secret") + " ann operator\n");
    TokenFile authenticator = new TokenFile(tokens, Services.ACCESS, System::nanoTime);
    try (RedisServer redis = SharedRedis.another();
        TestGroup group = new TestGroup(redis, authenticator)) {
      URI console = URI.create("http://127.0.0.1:%d/".formatted(group.port("rogers")));
      page.open(console.toString());
      page.until("document.activeElement.id === 'token'");
      page.type("wrong");
      page.key("Enter");
      page.until("document.querySelector('.refusal')");
      page.type("secret");
      page.key("Enter");
      page.until(text("#who") + " === 'ann operator'");
      page.click("#logout");
      page.until("document.getElementById('token')");

      HttpRequest request =
          HttpRequest.newBuilder(console.resolve("/console/code"))
              .header("Authorization", "Bearer secret")
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      String answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      page.open("about:blank");
      page.open(console.resolve("#code=" + Json.parse(answer).path("code").asText()).toString());
      page.until(text("#who") + " === 'ann operator'");
      assertThat(page.evaluate("location.hash").asText()).isEqualTo("#/");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "messages", "tasks", "ask", "inbox", "memory", "memory?project=default"})
  void aScreenIsForEverybody(String screen, Page page) throws Exception {
    page.open(address + "#/" + screen);
    page.until("document.querySelector('h1') && !document.querySelector('.greyed')");
    say(RawEnvelope.on(topic).from("ann"), "Hello");
    for (boolean dark : List.of(false, true)) {
      page.viewport(390, 844, dark);
      page.until("innerWidth === 390");
      assertThat(Axe.violations(page)).isEmpty();
      String overflow = "document.documentElement.scrollWidth - innerWidth";
      assertThat(page.evaluate(overflow).asInt()).isNotPositive();
    }
    assertThat(page.problems()).isEmpty();
  }
}
