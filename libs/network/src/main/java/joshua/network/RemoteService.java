package joshua.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;

/** A service as a client of MCP over HTTP sees it; it may be away for a while. */
public final class RemoteService {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private static final Map<String, String> VERSION = Map.of("MCP-Protocol-Version", "2025-11-25");
  private static final String SESSION = "Mcp-Session-Id";
  private static final String DATA = "data: ";
  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;
  private static final int EXCERPT = 200;

  private final String name;
  private final Address address;
  private final Optional<String> token;

  /** Where it is, if that is known. */
  @FunctionalInterface
  public interface Address {
    Optional<URI> now() throws IOException;
  }

  /** A service that may not run yet. */
  public RemoteService(String name, Address address, Optional<String> token) {
    this.name = name;
    this.address = address;
    this.token = token;
  }

  public String name() {
    return name;
  }

  /** Nothing was carried out. */
  public static final class NotServedException extends IOException {
    private static final long serialVersionUID = 1;

    /** The refusal, as the service gave it. */
    public final transient Refusal refusal;

    /** Whether it may come yet. */
    public final boolean isAway;

    private NotServedException(Refusal refusal, String sentence, boolean isAway) {
      super(sentence);
      this.refusal = refusal;
      this.isAway = isAway;
    }

    /** The failure to reach a service. */
    public static NotServedException away(String sentence) {
      return new NotServedException(
          Refusal.of(ErrorCode.BUS_UNAVAILABLE, sentence), sentence, true);
    }
  }

  /**
   * Sends a message and passes on what is said in return, each a line of JSON.
   *
   * @return the headers of the response
   * @throws NotServedException where nothing was carried out
   * @throws IOException where a response broke off, or never came
   */
  public Map<String, String> post(
      String message, Map<String, String> headers, Consumer<String> said)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(headers)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(message));
    return exchange(request, said);
  }

  /** Calls a tool; empty where the service is away, or its answer broke off. */
  public Optional<JsonNode> callIfThere(String tool, ObjectNode arguments)
      throws IOException, InterruptedException {
    try {
      return Optional.of(call(tool, arguments));
    } catch (IOException e) {
      if (e instanceof NotServedException refused && !refused.isAway) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * Calls a tool.
   *
   * @return what it answers
   * @throws NotServedException where it refuses, or nothing was carried out
   */
  public JsonNode call(String tool, ObjectNode arguments) throws IOException, InterruptedException {
    ObjectNode request =
        Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
    request.putObject("params").put("name", tool).set("arguments", arguments);
    List<String> said = new ArrayList<>();
    post(request.toString(), VERSION, said::add);
    try {
      // An answer wraps messages, which may be as deep as what is read strictly.
      JsonNode answer = Json.parseTrusted(said.getLast().getBytes(UTF_8));
      JsonNode output = answer.at("/result/structuredContent");
      if (output.isObject()) {
        return output;
      }
      ErrorCode code = code(answer.at("/result/_meta/joshua~1error/code").asText("internal"));
      String why =
          answer
              .at("/result/content/0/text")
              .asText(answer.at("/error/message").asText(answer.toString()));
      String prefix = code.wireName() + ": ";
      throw new NotServedException(
          Refusal.of(code, why.startsWith(prefix) ? why.substring(prefix.length()) : why),
          "%s was refused: %s".formatted(tool, why),
          Set.of(ErrorCode.UNAVAILABLE, ErrorCode.OVERLOADED, ErrorCode.RATE_LIMITED)
              .contains(code));
    } catch (IllegalStateException | NoSuchElementException e) {
      throw new IOException("%s was answered by what can't be read".formatted(tool), e);
    }
  }

  private static ErrorCode code(String name) {
    return ErrorCode.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Passes on what a session is told, until that ends. */
  public void listen(Map<String, String> headers, Consumer<String> said)
      throws IOException, InterruptedException {
    exchange(request(headers).GET(), said);
  }

  private HttpRequest.Builder request(Map<String, String> headers) throws IOException {
    URI uri =
        address
            .now()
            .orElseThrow(() ->
                NotServedException.away(
                    "%s isn't running here; ./joshua up starts it.".formatted(name)));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).header("Accept", "application/json, text/event-stream");
    token.ifPresent(shown -> request.header("Authorization", "Bearer " + shown));
    headers.forEach(request::header);
    return request;
  }

  private Map<String, String> exchange(HttpRequest.Builder request, Consumer<String> said)
      throws IOException, InterruptedException {
    HttpResponse<Stream<String>> response;
    try {
      response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofLines());
    } catch (ConnectException e) {
      throw NotServedException.away("%s can't be reached at present.".formatted(name));
    }
    String type = response.headers().firstValue("Content-Type").orElse("");
    try (Stream<String> lines = response.body()) {
      if (type.startsWith("text/event-stream")) {
        events(lines, said);
      } else {
        String message = lines.collect(Collectors.joining());
        int status = response.statusCode();
        boolean isAway =
            status == UNAVAILABLE && response.headers().firstValue("Retry-After").isPresent();
        if (message.startsWith("{\"jsonrpc\"") && !isAway) {
          said.accept(message);
        } else if (status >= BAD_REQUEST) {
          String where = "%s at %s answers with status %d".formatted(name, response.uri(), status);
          Refusal refusal = refusal(where, message);
          throw isAway || status < SERVER_ERROR
              ? new NotServedException(refusal, refusal.message(), isAway)
              : new IOException(refusal.message());
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return response
        .headers()
        .firstValue(SESSION)
        .<Map<String, String>>map(id -> Map.of(SESSION, id))
        .orElse(Map.of());
  }

  /** What a refusal says; of something else, its beginning. */
  private static Refusal refusal(String where, String body) {
    try {
      JsonNode said = Json.parse(body);
      return Refusal.of(
          code(said.path("code").asText()), where + ": " + said.path("message").asText());
    } catch (MalformedJsonException | IllegalArgumentException e) {
      // It isn't a service of this kind.
      String beginning = body.substring(0, Math.min(body.length(), EXCERPT));
      return Refusal.of(ErrorCode.BUS_UNAVAILABLE, where + ": " + beginning);
    }
  }

  /** Passes on the messages of a stream of events, each of which a blank line ends. */
  private static void events(Stream<String> lines, Consumer<String> said) {
    StringBuilder message = new StringBuilder();
    lines.forEach(line -> {
      if (line.startsWith(DATA)) {
        message.append(line, DATA.length(), line.length());
      } else if (line.isEmpty() && !message.isEmpty()) {
        said.accept(message.toString());
        message.setLength(0);
      }
    });
  }

  /** Whether a message is a response, and not something said before it. */
  public static boolean isResponse(String message) {
    try {
      return !Json.parse(message).has("method");
    } catch (MalformedJsonException e) {
      return true; // it isn't what else may come
    }
  }
}
