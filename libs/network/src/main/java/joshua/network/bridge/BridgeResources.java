package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import joshua.network.Peer;
import joshua.network.mcp.McpRefusal;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The resources of all MADs together. A URI is asked for at the MAD whose name is its scheme, or
 * that lists it or a template that it may fit; then at the others.
 */
final class BridgeResources implements ResourceProvider {
  private final List<Instances> mads;

  BridgeResources(List<Instances> mads) {
    this.mads = List.copyOf(mads);
  }

  @Override
  public List<Resource> list(Caller caller) {
    return mads.stream().flatMap(mad -> mad.any().resources().stream()).toList();
  }

  @Override
  public List<Template> templates() {
    return mads.stream().flatMap(mad -> mad.any().catalogue().templates().stream()).toList();
  }

  @Override
  public Optional<Contents> read(String uri, Caller caller, Peer peer) throws InterruptedException {
    Refusal refusal = null;
    for (RemoteMad mad : Instances.candidates(mads, uri)) {
      Call call = mad.begin("resources/read", Json.object().put("uri", uri), peer);
      switch (mad.await(call, peer)) {
        case Outcome.Result(ObjectNode result) -> {
          return Optional.of(contents(result.path("contents").path(0)));
        }
        case Outcome.Failed(ObjectNode error) -> {
          if (!Faults.notFound(error)) {
            throw new McpRefusal(Faults.refusal(error));
          }
        }
        case Outcome.Unanswered unanswered ->
            refusal = refusal == null ? unanswered.refusal() : refusal;
      }
    }
    return none(refusal);
  }

  private static Optional<Contents> none(@Nullable Refusal refusal) {
    if (refusal != null) {
      throw new McpRefusal(refusal);
    }
    return Optional.empty();
  }

  private static Contents contents(JsonNode contents) {
    String mimeType = contents.path("mimeType").asText("text/plain");
    return contents.has("blob")
        ? new Contents.Blob(mimeType, contents.path("blob").asText())
        : new Contents.Text(mimeType, contents.path("text").asText());
  }

  @Override
  public Optional<Subscription> watch(String uri, Caller caller, Runnable changed) {
    try {
      for (RemoteMad mad : Instances.candidates(mads, uri)) {
        Optional<Subscription> watch = mad.watch(uri, changed);
        if (watch.isPresent()) {
          return watch;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }
}
