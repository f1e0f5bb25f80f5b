package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.McpRefusalException;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;
import org.jspecify.annotations.Nullable;

/**
 * The resources of all MADs together. A URI is first looked up at the MAD whose name is its scheme,
 * or that lists it or a template that it may fit; then at the others.
 */
final class BridgeResources implements ResourceProvider {
  private final List<MadInstances> mads;

  BridgeResources(List<MadInstances> mads) {
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
  public Optional<Contents> read(String uri, Caller caller, CallContext callContext)
      throws InterruptedException {
    Refusal refusal = null;
    for (RemoteMad mad : MadInstances.candidates(mads, uri)) {
      MadCall madCall = mad.begin("resources/read", Json.object().put("uri", uri), callContext);
      switch (mad.await(madCall, callContext)) {
        case MadCallOutcome.Result(ObjectNode result) -> {
          return Optional.of(contents(result.path("contents").path(0)));
        }
        case MadCallOutcome.Failed(ObjectNode error) -> {
          if (!MadFailures.notFound(error)) {
            throw new McpRefusalException(MadFailures.refusal(error));
          }
        }
        case MadCallOutcome.Unanswered unanswered ->
            refusal = refusal == null ? unanswered.refusal() : refusal;
      }
    }
    return none(refusal);
  }

  private static Optional<Contents> none(@Nullable Refusal refusal) {
    if (refusal != null) {
      throw new McpRefusalException(refusal);
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
  public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
    try {
      for (RemoteMad mad : MadInstances.candidates(mads, uri)) {
        Optional<ResourceSubscription> watch = mad.watch(uri, changed);
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
