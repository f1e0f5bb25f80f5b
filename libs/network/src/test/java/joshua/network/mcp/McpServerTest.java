package joshua.network.mcp;

import static joshua.network.Tool.Audience.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.CallContext.Question;
import joshua.network.Caller;
import joshua.network.Catalog;
import joshua.network.Connection;
import joshua.network.ResourceProvider;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.mcp.JsonRpc.Request;
import joshua.network.mcp.McpServer.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens between a request and its reply, in both eras (+JN-07). */
class McpServerTest {
  private static final Question NAME = new Question("elicitation/create", Json.object());

  private final CountDownLatch release = new CountDownLatch(1);
  private final Resource resource = new Resource();
  private final BlockingQueue<ObjectNode> said = new LinkedBlockingQueue<>();
  private final McpSession session = new McpSession();
  private final Connection connection = new Connection("test", () -> false);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private Instant now = Instant.EPOCH;
  private final ToolRegistry tools =
      new ToolRegistry(
          List.of(
              tool("wait", this::released),
              tool("count", this::counted),
              tool("greet", call -> "Hello " + name(call, "name")),
              tool("both", call -> name(call, "first") + " " + name(call, "last"))),
          () -> now,
          new PrometheusRegistry());
  private final McpServer server =
      new McpServer(
          new Catalog("test", "Test", "1", "", tools).with(resource, List.of()),
          () -> now,
          timer,
          Duration.ofMillis(1));

  record Input() {}

  record Output(String status, String text) {}

  /** A resource that has changed whenever the test says so. */
  private static final class Resource implements ResourceProvider {
    private final BlockingQueue<Runnable> watchers = new LinkedBlockingQueue<>();

    @Override
    public Optional<Contents> read(String uri, Caller caller) {
      return Optional.empty();
    }

    @Override
    public Optional<Runnable> watch(String uri, Caller caller, Runnable changed) {
      watchers.add(changed);
      return Optional.of(() -> watchers.remove(changed));
    }
  }

  @FunctionalInterface
  private interface Work {
    String run(ToolCall call) throws InterruptedException;
  }

  private static Tool<Input> tool(String name, Work work) {
    Tool.Function<Input> works =
        (_, call) ->
            call.runBlocking(() -> new ToolResult.Success(new Output("success", work.run(call))));
    return new Tool<>(
        name, name, "", Input.class, Output.class, MODEL, Role.VIEWER, ToolHints.READS, works);
  }

  private String released(ToolCall call) throws InterruptedException {
    release.await();
    return "done";
  }

  private String counted(ToolCall call) throws InterruptedException {
    call.context().progress(500_000, 1_000_000, "half");
    return released(call);
  }

  private static String name(ToolCall call, String question) throws InterruptedException {
    return call.context().ask(question, NAME).at("/content/name").asText();
  }

  @AfterEach
  void close() {
    release.countDown();
    server.close();
    timer.shutdownNow();
  }

  // --- Progress and cancelling --------------------------------------------------------------

  @Test
  void whoWantsProgressHearsThatALongCallIsWorkedOn() throws Exception {
    ObjectNode params = Json.object().put("name", "wait");
    params.putObject("_meta").put("progressToken", "p");
    CompletableFuture<Reply> reply = legacy("tools/call", params);
    assertThat(said.take().at("/params/progress").asInt()).isEqualTo(1);
    JsonNode second = said.take();
    assertThat(second.at("/params/progress").asInt()).isEqualTo(2);
    assertThat(second.at("/params/progressToken").asText()).isEqualTo("p");
    release.countDown();
    assertThat(text(reply.get())).contains("done");
  }

  @Test
  void toolThatTellsItsProgressIsNotInterruptedByOthers() throws Exception {
    ObjectNode params = Json.object().put("name", "count");
    params.putObject("_meta").put("progressToken", 7);
    CompletableFuture<Reply> reply = legacy("tools/call", params);
    JsonNode first = said.take();
    while (first.at("/params/message").asText().equals("still working")) {
      first = said.take(); // the timer may have been first
    }
    release.countDown();
    reply.get();
    assertThat(first.at("/params/total").asInt()).isEqualTo(1_000_000);
    assertThat(said).isEmpty();
  }

  // --- Asking -------------------------------------------------------------------------------

  @Test
  void olderClientIsAskedByARequest() throws Exception {
    declareElicitation();
    CompletableFuture<Reply> reply = legacy("tools/call", Json.object().put("name", "greet"));
    ObjectNode question = said.take();
    assertThat(question.path("method").asText()).isEqualTo("elicitation/create");
    new McpSession().take(answer(question.path("id"), "Eve"));
    session.take(answer(question.path("id"), "Ann"));
    assertThat(text(reply.get())).contains("Hello Ann");
  }

  @Test
  void clientThatAnswersWithAnErrorOrCannotBeAskedIsToldSo() throws Exception {
    assertThat(text(legacy("tools/call", Json.object().put("name", "greet")).get()))
        .startsWith("conflict: ")
        .contains("elicitation");
    declareElicitation();
    CompletableFuture<Reply> reply = legacy("tools/call", Json.object().put("name", "greet"));
    ObjectNode error = Json.object().set("id", said.take().path("id"));
    error.putObject("error").put("message", "not now");
    session.take(new JsonRpc.Response(error));
    assertThat(text(reply.get())).startsWith("conflict: ").contains("not now");
  }

  @Test
  void clientOfTodayRepeatsItsRequestWithTheAnswers() throws Exception {
    ObjectNode first = result(modern("both", null, Json.object()));
    assertThat(first.path("resultType").asText()).isEqualTo("input_required");
    assertThat(first.path("inputRequests").fieldNames()).toIterable().containsExactly("first");
    ObjectNode second = result(modern("both", first.path("requestState"), answers("first", "Ann")));
    assertThat(second.path("inputRequests").fieldNames()).toIterable().containsExactly("last");
    ObjectNode third = result(modern("both", second.path("requestState"), answers("last", "Lee")));
    assertThat(third.path("resultType").asText()).isEqualTo("complete");
    assertThat(third.at("/content/0/text").asText()).contains("Ann Lee");
  }

  @Test
  void stateIsGoodForItsRequestAndAQuarterOfAnHour() throws Exception {
    JsonNode state = result(modern("both", null, Json.object())).path("requestState");
    assertThat(errorCode(modern("greet", state, answers("name", "Eve")))).isEqualTo(-32602);
    now = now.plus(Duration.ofMinutes(16));
    assertThat(errorCode(modern("both", state, answers("first", "Ann")))).isEqualTo(-32602);
  }

  @Test
  void clientOfTodayMustDeclareWhatItIsAsked() {
    CompletableFuture<Reply> reply = begin(modernRequest("greet", Json.object()), true);
    assertThat(errorCode(reply)).isEqualTo(-32021);
    assertThat(reply.join().status()).isEqualTo(400);
    assertThat(reply.join().message().at("/error/data/requiredCapabilities").has("elicitation"))
        .isTrue();
  }

  // --- Listening ----------------------------------------------------------------------------

  @Test
  void changesThatCameTogetherAreToldOnce() throws Exception {
    legacy("resources/subscribe", Json.object().put("uri", "test://one")).get();
    legacy("resources/subscribe", Json.object().put("uri", "test://two")).get();
    Runnable changeOne = resource.watchers.take();
    Runnable changeTwo = resource.watchers.take();
    changeOne.run();
    changeOne.run();
    ended(server.push(Caller.local(connection), session, said::offer));
    JsonNode first = said.take();
    changeTwo.run();
    JsonNode second = said.take();
    assertThat(first.at("/params/uri").asText()).isEqualTo("test://one");
    assertThat(second.at("/params/uri").asText()).isEqualTo("test://two");
  }

  @Test
  void listenerThatReadsTooSlowlyIsToldLater() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    Predicate<ObjectNode> full = message -> refused.getAndIncrement() > 2 && said.offer(message);
    legacy("resources/subscribe", Json.object().put("uri", "test://one")).get();
    resource.watchers.element().run();
    ended(server.push(Caller.local(connection), session, full));
    assertThat(said.take().at("/params/uri").asText()).isEqualTo("test://one");
  }

  @Test
  void stopEndsListeningWithItsResult() throws Exception {
    ObjectNode params = Json.object();
    params.putObject("notifications").putArray("resourceSubscriptions").add("test://one");
    CompletableFuture<Reply> reply =
        ended(begin(new Request(IntNode.valueOf(1), "subscriptions/listen", params), true));
    said.take();
    server.close();
    assertThat(reply.get().message().at("/result/resultType").asText()).isEqualTo("complete");
    assertThat(resource.watchers).isEmpty();
  }

  /** Says when it has ended that its reply has been written. */
  private static CompletableFuture<Reply> ended(CompletableFuture<Reply> listening) {
    var _ = listening.thenAccept(reply -> reply.written().accept(true));
    return listening;
  }

  @Test
  void ofWhatAClientDeclaresOnlyWhatMayBeAskedForIsKept() throws Exception {
    ObjectNode declared = Json.object().put("sampling", true);
    declared.putObject("elicitation").putObject("form");
    declared.putObject("experimental").putObject("x");
    McpSession session = new McpSession();
    session.initialize(Json.object().set("capabilities", declared));
    assertThat(session.capabilities()).isEqualTo(Json.parse("{\"elicitation\":{}}"));
  }

  // --- Requests -----------------------------------------------------------------------------

  private CompletableFuture<Reply> legacy(String method, ObjectNode params) {
    return begin(new Request(IntNode.valueOf(1), method, params), false);
  }

  private void declareElicitation() throws Exception {
    ObjectNode params = Json.object();
    params.putObject("capabilities").putObject("elicitation");
    legacy("initialize", params).get();
  }

  private static JsonRpc.Response answer(JsonNode id, String name) {
    ObjectNode message = Json.object().set("id", id);
    return new JsonRpc.Response(message.set("result", accepted(name)));
  }

  private static ObjectNode accepted(String name) {
    ObjectNode answer = Json.object().put("action", "accept");
    answer.putObject("content").put("name", name);
    return answer;
  }

  private static ObjectNode answers(String question, String name) {
    return Json.object().set(question, accepted(name));
  }

  private CompletableFuture<Reply> modern(
      String tool, @Nullable JsonNode state, ObjectNode answers) {
    ObjectNode capabilities = Json.object();
    capabilities.putObject("elicitation");
    Request request = modernRequest(tool, capabilities);
    request.params().set("inputResponses", answers);
    if (state != null) {
      request.params().set("requestState", state);
    }
    return begin(request, true);
  }

  private static Request modernRequest(String tool, ObjectNode capabilities) {
    ObjectNode params = Json.object().put("name", tool);
    params.putObject("_meta").set("io.modelcontextprotocol/clientCapabilities", capabilities);
    return new Request(IntNode.valueOf(1), "tools/call", params);
  }

  private CompletableFuture<Reply> begin(Request request, boolean modern) {
    return server.begin(request, modern, Caller.local(connection), session, said::offer);
  }

  private static ObjectNode result(CompletableFuture<Reply> reply) {
    return (ObjectNode) reply.join().message().path("result");
  }

  private static int errorCode(CompletableFuture<Reply> reply) {
    return reply.join().message().at("/error/code").asInt();
  }

  private static String text(Reply reply) {
    return reply.message().at("/result/content/0/text").asText();
  }
}
