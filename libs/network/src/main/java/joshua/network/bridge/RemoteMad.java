package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.ClientQuestion;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.McpCatalog;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;

/**
 * One MAD as the bridge sees it: what it is known to offer, and the client that connects to it.
 * While disconnected it is taken to offer what it last did, or what this build knows of it.
 */
final class RemoteMad implements ReconnectingMcpClient.Listener {
  /** How many rounds of questions one request may have. */
  private static final int MAX_ROUNDS = 16;

  private static final List<String> QUESTIONS =
      List.of("elicitation/create", "sampling/createMessage", "roots/list");

  private final String name;
  private final String at;
  private final AtomicReference<McpCatalog> catalogue;
  private final ChangeNotifier changeNotifier;
  private final ReconnectingMcpClient link;
  private final MadListings madListings;

  /** Creates the connection to a MAD, given the listener to it. */
  @FunctionalInterface
  interface Way {
    ReconnectingMcpClient to(ReconnectingMcpClient.Listener listener);
  }

  /**
   * A MAD that is taken to offer {@code catalogue} until it has listed that itself.
   *
   * @param at distinguishes it from other instances of the name
   */
  RemoteMad(String name, String at, McpCatalog mcpCatalog, ChangeNotifier changeNotifier, Way way) {
    this.name = name;
    this.at = at;
    this.catalogue = new AtomicReference<>(mcpCatalog);
    this.changeNotifier = changeNotifier;
    this.link = way.to(this);
    this.madListings = new MadListings(link);
  }

  String name() {
    return name;
  }

  String at() {
    return at;
  }

  ReconnectingMcpClient link() {
    return link;
  }

  McpCatalog catalogue() {
    return catalogue.get();
  }

  /** Notifies the client whenever a MAD connects, since calls that failed before work now. */
  @Override
  public void came() {
    refresh();
    changeNotifier.toolsChanged();
    changeNotifier.promptsChanged();
    changeNotifier.resourcesChanged();
  }

  @Override
  public void changed() {
    McpCatalog before = catalogue.get();
    McpCatalog now = refresh();
    if (!now.tools().equals(before.tools())) {
      changeNotifier.toolsChanged();
    }
    if (!now.prompts().equals(before.prompts())) {
      changeNotifier.promptsChanged();
    }
    changeNotifier.resourcesChanged();
  }

  private McpCatalog refresh() {
    try {
      McpCatalog read = madListings.read(catalogue.get());
      catalogue.set(read);
      return read;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return catalogue.get();
    }
  }

  /** The resources, as they are now if that can be had. */
  List<ResourceProvider.Resource> resources() {
    try {
      return madListings.resources().orElse(catalogue.get().resources());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return catalogue.get().resources();
    }
  }

  Optional<ResourceSubscription> watch(String uri, Runnable changed) throws InterruptedException {
    return link.watch(uri, changed);
  }

  /** Sends a request whose progress is reported to the peer; never blocks. */
  MadCall begin(String method, ObjectNode params, CallContext callContext) {
    Set<String> answers =
        QUESTIONS.stream().filter(callContext::answers).collect(Collectors.toSet());
    MadCall madCall = new MadCall(method, params, answers, told -> progress(told, callContext));
    link.ask(madCall);
    return madCall;
  }

  /**
   * Waits for the outcome of a request; the MAD's questions are passed to the peer, and the request
   * is repeated with the answers.
   */
  MadCallOutcome await(MadCall begun, CallContext callContext) throws InterruptedException {
    MadCall madCall = begun;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      MadCallOutcome madCallOutcome = madCall.await();
      if (!(madCallOutcome instanceof MadCallOutcome.Result(ObjectNode result))
          || !asksBack(result)) {
        return madCallOutcome;
      }
      Map<String, ObjectNode> answers = callContext.ask(questions(result.path("inputRequests")));
      ObjectNode again = Json.object();
      again.setAll(begun.params());
      ObjectNode responses = again.putObject("inputResponses");
      answers.forEach(responses::set);
      if (result.has("requestState")) {
        again.set("requestState", result.get("requestState"));
      }
      madCall = begin(begun.method(), again, callContext);
    }
    return MadCallOutcome.refused(
        ErrorCode.INTERNAL, "%s asks back more than %d times.".formatted(name, MAX_ROUNDS));
  }

  private static boolean asksBack(ObjectNode result) {
    return result.path("resultType").asText().equals("input_required");
  }

  private static Map<String, ClientQuestion> questions(JsonNode requests) {
    Map<String, ClientQuestion> questions = new LinkedHashMap<>();
    requests
        .properties()
        .forEach(request ->
            questions.put(
                request.getKey(),
                new ClientQuestion(
                    request.getValue().path("method").asText(),
                    request.getValue().get("params") instanceof ObjectNode params
                        ? params
                        : Json.object())));
    return questions;
  }

  private static void progress(ObjectNode told, CallContext callContext) {
    JsonNode total = told.path("total");
    callContext.progress(
        told.path("progress").asDouble(),
        total.isNumber() ? OptionalDouble.of(total.asDouble()) : OptionalDouble.empty(),
        told.path("message").asText());
  }

  /** Whether it probably has the resource. */
  boolean mayHave(String uri) {
    return uri.startsWith(name + "://") || catalogue.get().mayHave(uri);
  }
}
