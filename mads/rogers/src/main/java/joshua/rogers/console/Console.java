package joshua.rogers.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Connection;
import joshua.network.RemoteService;
import joshua.network.RemoteService.NotServedException;
import joshua.network.WebPage;
import joshua.service.ServiceContext;

/**
 * The web console: a page for people who run agents. Its calls of other services go to addresses of
 * this process or of the settings, never to such as were heard on the bus, since the visitor's
 * token goes with them.
 */
public final class Console implements WebPage {
  /** How long an answer may take, besides a wait that was asked for. */
  private static final int MAX_MS = 30_000;

  private static final int MAX_WAIT_MS = 60_000;

  private final ServiceContext context;
  private final Map<String, URI> elsewhere;

  /**
   * The settings.
   *
   * @param recent the number of messages to keep in memory
   * @param services where those are that don't run in this process
   */
  public record Config(int recent, Map<String, URI> services) {
    public static final Config DEFAULT = new Config(5_000, Map.of());
  }

  public Console(ServiceContext context, Config config) {
    this.context = context;
    this.elsewhere = config.services();
  }

  @Override
  public Optional<byte[]> file(String name) {
    try (InputStream file = Console.class.getResourceAsStream("/console/" + name)) {
      return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, URI> addresses() {
    Map<String, URI> addresses = new TreeMap<>();
    elsewhere.forEach((name, address) ->
        addresses.put(name, address.getPath().isEmpty() ? address.resolve("/mcp") : address));
    Map.copyOf(context.addresses())
        .forEach((name, address) -> {
          if (!address.isEmpty()) {
            addresses.put(name, URI.create(address));
          }
        });
    addresses.remove(context.self().name());
    return addresses;
  }

  @Override
  public List<String> services() {
    Set<String> names = new TreeSet<>(elsewhere.keySet());
    names.addAll(Map.copyOf(context.addresses()).keySet()); // also those that start later than this
    names.remove(context.self().name());
    return List.copyOf(names);
  }

  @Override
  public ObjectNode call(String service, String tool, ObjectNode input, Optional<String> token)
      throws InterruptedException {
    URI address = addresses().get(service);
    if (address == null) {
      return away(service + " is starting.");
    }
    RemoteService remote = new RemoteService(service, () -> Optional.of(address), token);
    Connection connection = new Connection("console", () -> false);
    CompletableFuture<ObjectNode> answer =
        connection.runBlocking("console", () -> (ObjectNode) remote.call(tool, input));
    try {
      long wait = Math.clamp(input.path("wait_ms").asLong(), 0, MAX_WAIT_MS);
      return answer.get(MAX_MS + wait, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return e.getCause() instanceof NotServedException refused && !refused.isAway
          ? refused.refusal.tree()
          : away("%s at %s can't be reached.".formatted(service, address));
    } catch (TimeoutException e) {
      return away("%s at %s doesn't answer.".formatted(service, address));
    } finally {
      connection.close();
    }
  }

  private static ObjectNode away(String sentence) {
    return Refusal.of(ErrorCode.UNAVAILABLE, sentence).tree();
  }
}
