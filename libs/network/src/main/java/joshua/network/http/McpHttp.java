package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.TimedWait;
import joshua.network.AnswerTurns;
import joshua.network.Caller;
import joshua.network.InFlight;
import joshua.network.MessageBudget;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.McpClient;
import joshua.network.mcp.McpEngine;
import joshua.network.mcp.McpReply;
import joshua.network.mcp.RequestContext;
import joshua.network.mcp.RpcError;

/**
 * MCP over Streamable HTTP, in both eras, at {@code /mcp}.
 *
 * <p>The thread of the HTTP request writes; work that may wait runs on another one, so that a
 * client's going is noticed by writing comments to it. At 2026-07-28 that cancels the work; before,
 * only {@code notifications/cancelled} does.
 */
final class McpHttp {
  static final String PATH = "/mcp";

  /** The most requests that are worked on at once; one more is answered with 503. */
  static final int MAX_WORKING = 4096;

  /** The most requests that listen at once, however many connections there may be. */
  static final int MAX_LISTENING = 10_000;

  private static final String TOO_SLOW =
      "The body came too slowly: %d bytes a second are the least."
          .formatted(TransferBudget.BYTES_A_SECOND);

  private static final String SESSION = "Mcp-Session-Id";

  private final McpEngine engine;
  private final McpHeaders headers;
  private final LegacySessions sessions;
  private final long bodyLimit;
  private final int mostListening;
  private final ResponseWriter writer;
  private final TimedWait timedWait;

  private final TransferBudget coming;
  private final TransferBudget going;
  private final InFlight inFlight = new InFlight();
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger answering = new AtomicInteger();
  private final Set<McpClient> listening = ConcurrentHashMap.newKeySet();
  private final MessageBudget budget;
  private volatile boolean stopping;

  /**
   * Creates it, with no request under way.
   *
   * @param mostListening requests that may listen at once
   * @param budget for the requests that are worked on
   * @param passing for bodies that come, and answers that go
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  McpHttp(
      McpEngine engine,
      long bodyLimit,
      int mostListening,
      MessageBudget budget,
      TransferBudget.Directions passing,
      ResponseWriter writer,
      TimedWait timedWait,
      LongSupplier nanoTime) {
    this.writer = writer;
    this.engine = engine;
    this.headers = new McpHeaders(engine.service().tools().specs());
    this.sessions = new LegacySessions(timedWait, nanoTime);
    this.bodyLimit = bodyLimit;
    this.mostListening = mostListening;
    this.budget = budget;
    this.coming = passing.coming();
    this.going = passing.going();
    this.timedWait = timedWait;
  }

  void mount(RoutesConfig routes) {
    routes.post(PATH, this::post);
    routes.get(PATH, this::get);
    routes.delete(PATH, this::delete);
  }

  /** Whether every request has its whole answer; those that listen count once they should end. */
  boolean idle() {
    return working.get() == 0 && answering.get() == 0 && (!stopping || listening.isEmpty());
  }

  /** Registers gauges: requests worked on and listening, sessions, bytes of bodies on their way. */
  void measure(MeterRegistry meters) {
    meters.gauge("joshua.mcp.working", working);
    meters.gauge("joshua.mcp.listening", listening, Set::size);
    meters.gauge("joshua.mcp.sessions", sessions, LegacySessions::count);
    meters.gauge("joshua.mcp.bytes", this, mcp -> mcp.coming.bytes() + mcp.going.bytes());
  }

  /** Ends the requests whose bodies come, or whose answers are read, too slowly. */
  void endLate() {
    coming.endLate();
    going.endLate();
  }

  /** Ends what lasts until the service stops; answers that are under way are still made. */
  void stopListening() {
    stopping = true;
    listening.forEach(McpClient::endListening);
    sessions.endPushes();
  }

  /** Ends the rest: no client waits for answers any more. */
  void end() {
    sessions.endAll();
    inFlight.end();
  }

  private void post(Context context) throws IOException {
    HttpServletRequest request = context.req();
    HttpServletResponse response = context.res();
    if (!MediaTypes.bringsJson(request)) {
      refuse(response, 415, "The Content-Type must be application/json.");
      return;
    }
    if (!MediaTypes.takes(request, MediaTypes.JSON)
        || !MediaTypes.takes(request, MediaTypes.EVENTS)) {
      refuse(response, 406, "The Accept header must list application/json and text/event-stream.");
      return;
    }
    switch (RequestBody.read(request.getInputStream(), bodyLimit, coming)) {
      case RequestBody.TooLarge() ->
          refuse(response, 413, "The body is larger than %d bytes.".formatted(bodyLimit));
      case RequestBody.Malformed() -> HttpErrors.answer(response, 400);
      case RequestBody.NoRoom() -> {
        response.setHeader("Retry-After", "1");
        new McpResponse(response, NullNode.getInstance(), true, going)
            .json(503, JsonRpc.failure(NullNode.getInstance(), RpcError.noRoomToRead()));
      }
      case RequestBody.TooSlow() -> refuse(response, 408, TOO_SLOW);
      case RequestBody.Whole(byte[] body) -> post(body, request, response);
    }
  }

  private void post(byte[] body, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (budget.admit(body)) {
      case MessageBudget.Admission.Refused(Refusal refusal) -> {
        boolean busy = refusal.code() == ErrorCode.OVERLOADED;
        if (busy) {
          response.setHeader("Retry-After", "1");
        }
        JsonRpc.Malformed unread = JsonRpc.unread(body, refusal);
        McpReply.Response told =
            engine.refuse(unread.id(), unread.error(), RequestFilter.rate(request));
        boolean slowEnough = told.error().equals(Optional.of(unread.error()));
        int status = slowEnough ? busy ? 503 : 413 : 429;
        new McpResponse(response, unread.id(), true, going).json(status, told.message());
      }
      case MessageBudget.Admission.Admitted(long bytes) -> {
        AdmittedMessage message = AdmittedMessage.of(request, budget, bytes);
        try {
          read(body, request, response);
        } finally {
          message.release();
        }
      }
    }
  }

  private void read(byte[] body, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (JsonRpc.read(body)) {
      case JsonRpc.Malformed(JsonNode id, RpcError error) ->
          new McpResponse(response, id, true, going)
              .json(engine.refuse(id, error, RequestFilter.rate(request)));
      case JsonRpc.Notification notification -> notified(notification, request, response);
      case JsonRpc.Response answer -> {
        engine.answered(answer, RequestFilter.caller(request));
        response.setStatus(202);
      }
      case JsonRpc.Request asked -> {
        if (McpHeaders.isModern(request, asked.params())) {
          modern(asked, request, response);
        } else {
          legacy(asked, request, response);
        }
      }
    }
  }

  /** An unknown session has nothing to be notified of, so it isn't adopted for that. */
  private void notified(
      JsonRpc.Notification notification, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> id = Optional.ofNullable(request.getHeader(SESSION));
    Caller caller = RequestFilter.caller(request);
    Optional<RpcError> over = engine.overRate(RequestFilter.rate(request));
    if (over.isPresent()) {
      new McpResponse(response, NullNode.getInstance(), true, going)
          .json(over.get().httpStatus(), JsonRpc.failure(NullNode.getInstance(), over.get()));
    } else {
      id.flatMap(known -> sessions.find(known, caller))
          .ifPresent(client -> engine.notified(notification, client));
      boolean refused = id.filter(named -> sessions.refuses(named, caller)).isPresent();
      response.setStatus(refused ? 404 : 202);
    }
  }

  private void modern(
      JsonRpc.Request asked, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<RpcError> problem =
        McpHeaders.versionProblem(request, asked.params())
            .or(() -> engine.problem(asked))
            .or(() -> headers.problem(request, asked));
    McpResponse answer = answer(request, response, asked, true);
    if (problem.isPresent()) {
      answer.json(engine.refuse(asked.id(), problem.get(), RequestFilter.rate(request)));
      return;
    }
    serve(asked, request, answer, new McpClient(timedWait), true);
  }

  private void legacy(
      JsonRpc.Request asked, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    McpResponse answer = answer(request, response, asked, false);
    String id = request.getHeader(SESSION);
    if (asked.method().equals("initialize")) {
      id = sessions.newId();
      response.setHeader(SESSION, id);
    }
    if (id == null && asked.method().equals("resources/subscribe")) {
      answer.json(engine.refuse(asked.id(), RpcError.needsSession(), RequestFilter.rate(request)));
      return;
    }
    Caller caller = RequestFilter.caller(request);
    Optional<McpClient> client =
        id == null ? Optional.of(new McpClient(timedWait)) : sessions.takeOn(id, caller);
    if (client.isEmpty()) {
      boolean refused = id != null && sessions.refuses(id, caller);
      RpcError error =
          refused ? RpcError.noSession() : RpcError.tooMany(LegacySessions.MAX_SESSIONS);
      answer.json(refused ? 404 : 503, McpReply.failure(asked, error).message());
      return;
    }
    serve(asked, request, answer, client.get(), false);
  }

  private McpResponse answer(
      HttpServletRequest request,
      HttpServletResponse response,
      JsonRpc.Request asked,
      boolean modern) {
    String caller = AnswerTurns.of(RequestFilter.caller(request));
    return new McpResponse(response, asked.id(), modern, going, caller);
  }

  private void serve(
      JsonRpc.Request asked,
      HttpServletRequest request,
      McpResponse answer,
      McpClient client,
      boolean modern)
      throws IOException {
    boolean listens = modern && asked.method().equals("subscriptions/listen");
    if (listens ? listening.size() >= mostListening : working.get() >= MAX_WORKING) {
      int most = listens ? mostListening : MAX_WORKING;
      answer.json(503, McpReply.failure(asked, RpcError.tooMany(most)).message());
      return;
    }
    ResponseQueue queue = writer.newQueue();
    RequestContext requestContext =
        new RequestContext(
            RequestFilter.caller(request), client, queue, RequestFilter.rate(request));
    switch (engine.begin(asked, requestContext, modern)) {
      case McpReply.Ready(McpReply.Response ready) -> answering(() -> answer.json(ready, queue));
      case McpReply.Later(McpReply.Work work) when listens -> {
        listening.add(client);
        try {
          Thread worker = start(asked, work, client, queue, request, () -> {});
          writer.write(request, queue, worker, may -> answer.listen(queue, may), true);
        } finally {
          listening.remove(client);
        }
      }
      case McpReply.Later(McpReply.Work work) ->
          answering(() -> {
            working.incrementAndGet();
            Thread worker = start(asked, work, client, queue, request, working::decrementAndGet);
            writer.write(request, queue, worker, _ -> answer.work(queue), modern);
          });
    }
  }

  private interface Answering {
    void write() throws IOException;
  }

  /** A stop waits for the write: when the work ends, its client has received nothing yet. */
  private void answering(Answering answer) throws IOException {
    answering.incrementAndGet();
    try {
      answer.write();
    } finally {
      answering.decrementAndGet();
    }
  }

  private Thread start(
      JsonRpc.Request asked,
      McpReply.Work work,
      McpClient client,
      ResponseQueue queue,
      HttpServletRequest request,
      Runnable after) {
    AdmittedMessage message = AdmittedMessage.hold(request);
    AtomicReference<Thread> worker = new AtomicReference<>(Thread.currentThread());
    inFlight.start(
        "mcp-" + asked.method(),
        () -> {
          try {
            queue.finish(work.await());
          } catch (InterruptedException e) {
            queue.abandon();
          } finally {
            client.done(asked.id());
            message.release();
            after.run();
          }
        },
        thread -> {
          worker.set(thread);
          client.working(asked.id(), thread);
        });
    return worker.get();
  }

  /** Opens the stream on which a legacy session is pushed to. */
  private void get(Context context) throws IOException {
    Optional<McpClient> client =
        Optional.ofNullable(context.req().getHeader(SESSION))
            .flatMap(id -> sessions.takeOn(id, RequestFilter.caller(context.req())));
    if (client.isEmpty() || !MediaTypes.takes(context.req(), MediaTypes.EVENTS)) {
      context.res().setHeader("Allow", "POST");
      refuse(context.res(), 405, "Messages come in by POST.");
      return;
    }
    ResponseQueue queue = writer.newQueue();
    AtomicReference<Thread> worker = new AtomicReference<>(Thread.currentThread());
    inFlight.start(
        "mcp-push",
        () -> {
          try {
            engine.push(client.get(), queue);
          } catch (InterruptedException e) {
            // The client has gone, or the service stops.
          } finally {
            queue.abandon();
          }
        },
        worker::set);
    McpResponse answer = new McpResponse(context.res(), NullNode.getInstance(), false, going);
    writer.write(context.req(), queue, worker.get(), may -> answer.listen(queue, may), true);
  }

  private void delete(Context context) throws IOException {
    String id = context.req().getHeader(SESSION);
    if (id == null) {
      context.res().setHeader("Allow", "POST");
      refuse(context.res(), 405, "Messages come in by POST.");
    } else if (!sessions.end(id, RequestFilter.caller(context.req()))) {
      refuse(context.res(), 404, "There is no session of that id.");
    }
  }

  private void refuse(HttpServletResponse response, int status, String sentence)
      throws IOException {
    new McpResponse(response, NullNode.getInstance(), true, going).refuse(status, sentence);
  }
}
