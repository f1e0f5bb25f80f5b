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
import joshua.network.Peer;
import joshua.network.Question;
import joshua.network.mcp.Catalogue;
import joshua.network.mcp.Changes;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.Subscription;

/**
 * One MAD as the bridge sees it: what it is known to offer, and the way to it. While it isn't there
 * it is taken to offer what it last did, or what this build knows of it.
 */
final class RemoteMad implements MadLink.Listener {
  /** How often one request may be asked back about. */
  private static final int MAX_ROUNDS = 16;

  private static final List<String> QUESTIONS =
      List.of("elicitation/create", "sampling/createMessage", "roots/list");

  private final String name;
  private final String at;
  private final AtomicReference<Catalogue> catalogue;
  private final Changes changes;
  private final MadLink link;
  private final Listings listings;

  /** Makes the way to a MAD, given who listens to it. */
  @FunctionalInterface
  interface Way {
    MadLink to(MadLink.Listener listener);
  }

  /**
   * A MAD that is known to offer {@code catalogue}, until it says otherwise itself.
   *
   * @param at what tells it from other instances of the name
   */
  RemoteMad(String name, String at, Catalogue catalogue, Changes changes, Way way) {
    this.name = name;
    this.at = at;
    this.catalogue = new AtomicReference<>(catalogue);
    this.changes = changes;
    this.link = way.to(this);
    this.listings = new Listings(link);
  }

  String name() {
    return name;
  }

  String at() {
    return at;
  }

  MadLink link() {
    return link;
  }

  Catalogue catalogue() {
    return catalogue.get();
  }

  /** The client is told whenever a MAD comes, since all that it was refused can be had now. */
  @Override
  public void came() {
    refresh();
    changes.toolsChanged();
    changes.promptsChanged();
    changes.resourcesChanged();
  }

  @Override
  public void changed() {
    Catalogue before = catalogue.get();
    Catalogue now = refresh();
    if (!now.tools().equals(before.tools())) {
      changes.toolsChanged();
    }
    if (!now.prompts().equals(before.prompts())) {
      changes.promptsChanged();
    }
    changes.resourcesChanged();
  }

  private Catalogue refresh() {
    try {
      Catalogue read = listings.read(catalogue.get());
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
      return listings.resources().orElse(catalogue.get().resources());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return catalogue.get().resources();
    }
  }

  Optional<Subscription> watch(String uri, Runnable changed) throws InterruptedException {
    return link.watch(uri, changed);
  }

  /** Sends a request whose progress the peer is told; never blocks. */
  Call begin(String method, ObjectNode params, Peer peer) {
    Set<String> answers = QUESTIONS.stream().filter(peer::answers).collect(Collectors.toSet());
    Call call = new Call(method, params, answers, told -> progress(told, peer));
    link.ask(call);
    return call;
  }

  /**
   * Waits for the outcome of a request; what the MAD asks back is put to the peer, and the request
   * made again with the answers.
   */
  Outcome await(Call begun, Peer peer) throws InterruptedException {
    Call call = begun;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      Outcome outcome = call.await();
      if (!(outcome instanceof Outcome.Result(ObjectNode result)) || !asksBack(result)) {
        return outcome;
      }
      Map<String, ObjectNode> answers = peer.ask(questions(result.path("inputRequests")));
      ObjectNode again = Json.object();
      again.setAll(begun.params());
      ObjectNode responses = again.putObject("inputResponses");
      answers.forEach(responses::set);
      if (result.has("requestState")) {
        again.set("requestState", result.get("requestState"));
      }
      call = begin(begun.method(), again, peer);
    }
    return Outcome.refused(
        ErrorCode.INTERNAL, "%s asks back more than %d times.".formatted(name, MAX_ROUNDS));
  }

  private static boolean asksBack(ObjectNode result) {
    return result.path("resultType").asText().equals("input_required");
  }

  private static Map<String, Question> questions(JsonNode requests) {
    Map<String, Question> questions = new LinkedHashMap<>();
    requests
        .properties()
        .forEach(request ->
            questions.put(
                request.getKey(),
                new Question(
                    request.getValue().path("method").asText(),
                    request.getValue().get("params") instanceof ObjectNode params
                        ? params
                        : Json.object())));
    return questions;
  }

  private static void progress(ObjectNode told, Peer peer) {
    JsonNode total = told.path("total");
    peer.progress(
        told.path("progress").asDouble(),
        total.isNumber() ? OptionalDouble.of(total.asDouble()) : OptionalDouble.empty(),
        told.path("message").asText());
  }

  /** Whether it is likely to have something. */
  boolean mayHave(String uri) {
    return uri.startsWith(name + "://") || catalogue.get().mayHave(uri);
  }
}
