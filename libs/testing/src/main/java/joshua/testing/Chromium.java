package joshua.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * A browser without a window, driven by the DevTools protocol. Tests share one, each with a page of
 * its own.
 *
 * <p>It ends when the pipes of the protocol are closed, also by the end of this JVM. The shell
 * between them ends when the last of its processes has, and deletes its directory.
 */
public final class Chromium implements AutoCloseable {
  private static final String FIND_SCRIPT =
      "command -v chromium || command -v chromium-browser || command -v google-chrome";
  private static final String START_SCRIPT =
      """
      program=$(%s) || echo 'no Chromium on the path' >&2
      directory=$(mktemp -d "${TMPDIR:-/tmp}/joshua-test-chromium-XXXXXX")
      exec 4>&1
      "$program" --headless=new --no-sandbox --remote-debugging-pipe --user-data-dir="$directory" \
        --no-first-run --no-proxy-server --disable-background-networking --disable-gpu \
        --disable-dev-shm-usage --log-level=3 3<&0 </dev/null 2>&1 | cat >&2 4>&-
      rm -rf "$directory"
      """
          .formatted(FIND_SCRIPT);
  private static final int TIMEOUT_SECONDS = 60;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();

  private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
  private final Map<String, BiConsumer<String, JsonNode>> listeners = new ConcurrentHashMap<>();
  private final AtomicInteger lastCall = new AtomicInteger();
  private final Process shell;

  /** Starts a browser, for which the first page waits. */
  public Chromium() {
    shell = shell(START_SCRIPT);
    Thread.ofPlatform().daemon().start(this::receive);
  }

  private static Process shell(String script) {
    try {
      return new ProcessBuilder("sh", "-c", script).redirectError(Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the path has one, under any of its names. */
  public static boolean isInstalled() {
    return shell(FIND_SCRIPT).onExit().join().exitValue() == 0;
  }

  /**
   * Opens an empty page, with a window and storage of its own.
   *
   * @param listener gets the page's events: their names and parameters
   */
  public Session openPage(BiConsumer<String, JsonNode> listener) {
    String context =
        call("", "Target.createBrowserContext", "{}").path("browserContextId").asText();
    String blank = "{url: 'about:blank', newWindow: true, browserContextId: %s}";
    String target = call("", "Target.createTarget", blank, context).path("targetId").asText();
    JsonNode attached = call("", "Target.attachToTarget", "{targetId: %s, flatten: true}", target);
    String session = attached.path("sessionId").asText();
    listeners.put(session, listener);
    return new Session(this, context, session);
  }

  private void receive() {
    try (Scanner messages = new Scanner(shell.getInputStream(), UTF_8).useDelimiter("\0")) {
      while (messages.hasNext()) {
        JsonNode message = JSON.readTree(messages.next());
        var call = calls.remove(message.path("id").asInt());
        var listener = listeners.get(message.path("sessionId").asText());
        if (call != null) {
          call.complete(message);
        } else if (listener != null) {
          listener.accept(message.path("method").asText(), message.path("params"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      calls
          .values()
          .forEach(call -> call.completeExceptionally(new EOFException("Chromium ended")));
    }
  }

  private JsonNode call(String session, String method, String parameters, Object... values) {
    int id = lastCall.incrementAndGet();
    String written = parameters.formatted(Stream.of(values).map(JSON::valueToTree).toArray());
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    var answer = new CompletableFuture<JsonNode>().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    calls.put(id, answer);
    try {
      message.set("params", JSON.readTree(written));
      shell.outputWriter(UTF_8).append(message + "\0").flush();
    } catch (IOException e) {
      throw new UncheckedIOException(method, e);
    }
    JsonNode answered = answer.join();
    if (answered.has("error")) {
      throw new IllegalStateException(method + ": " + answered.at("/error/message").asText());
    }
    return answered.path("result");
  }

  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
    } catch (IOException e) {
      // It has ended by itself, which the calls have told.
    }
    Await.until("Chromium has ended", () -> !shell.isAlive());
  }

  /** A page, by the methods that the protocol has for it. */
  public record Session(Chromium browser, String context, String id) implements AutoCloseable {
    /**
     * Calls a method and returns its result; a refusal is an {@link IllegalStateException}.
     *
     * @param parameters as in {@code {url: %s}}, where a value takes the place of {@code %s}
     */
    public JsonNode call(String method, String parameters, Object... values) {
      return browser.call(id, method, parameters, values);
    }

    @Override
    public void close() {
      browser.call("", "Target.disposeBrowserContext", "{browserContextId: %s}", context);
      browser.listeners.remove(id);
    }
  }
}
