package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.network.CallContext;

/**
 * The instances of one MAD. A tool call for a client whose id it requires goes to that client's
 * home only, since its queue is there; other calls go to any instance, connected ones first.
 */
record MadInstances(List<RemoteMad> all) {
  private static final String CLIENT = "client_id";
  private static final String CLIENT_IN_TEMPLATE = "{client_id}";

  MadInstances {
    all = List.copyOf(all);
  }

  /** Those MADs by their names, in the order in which each name comes first. */
  static List<MadInstances> of(List<RemoteMad> mads) {
    Map<String, List<RemoteMad>> named = new LinkedHashMap<>();
    mads.forEach(mad -> named.computeIfAbsent(mad.name(), _ -> new ArrayList<>()).add(mad));
    return named.values().stream().map(MadInstances::new).toList();
  }

  /** Any one of them, for what they have in common. */
  RemoteMad any() {
    return connectedFirst(all).getFirst();
  }

  boolean hasTool(String name) {
    return any().catalogue().tools().stream().anyMatch(spec -> spec.name().equals(name));
  }

  /** Begins a call to a tool; never blocks. */
  FailoverCall begin(String tool, ObjectNode input, CallContext callContext) {
    ObjectNode params = Json.object().put("name", tool);
    params.set("arguments", input);
    Optional<String> client =
        Optional.ofNullable(input.get(CLIENT)).filter(JsonNode::isTextual).map(JsonNode::asText);
    List<RemoteMad> ranked = client.map(this::ranked).orElse(all);
    return all.size() > 1 && client.isPresent() && requiresClient(tool)
        ? FailoverCall.begin(ranked.subList(0, 1), params, callContext, client)
        : FailoverCall.begin(connectedFirst(ranked), params, callContext, Optional.empty());
  }

  private boolean requiresClient(String tool) {
    return any().catalogue().tools().stream()
        .filter(spec -> spec.name().equals(tool))
        .flatMap(spec -> spec.inputSchema().path("required").valueStream())
        .anyMatch(member -> member.asText().equals(CLIENT));
  }

  /** The MADs in the order in which to ask them for a URI: the home of its client first. */
  static List<RemoteMad> candidates(List<MadInstances> mads, String uri) {
    List<RemoteMad> ordered = mads.stream().flatMap(mad -> mad.forUri(uri).stream()).toList();
    return Stream.concat(
            ordered.stream().filter(mad -> mad.mayHave(uri)),
            ordered.stream().filter(mad -> !mad.mayHave(uri)))
        .toList();
  }

  private List<RemoteMad> forUri(String uri) {
    return any().catalogue().templates().stream()
        .flatMap(template -> client(template.uriTemplate(), uri).stream())
        .findFirst()
        .map(this::ranked)
        .orElseGet(() -> connectedFirst(all));
  }

  /** The client that a URI names in the place that a template has for it. */
  private static Optional<String> client(String template, String uri) {
    int place = template.indexOf(CLIENT_IN_TEMPLATE);
    if (place < 0) {
      return Optional.empty();
    }
    String before = template.substring(0, place);
    String after = template.substring(place + CLIENT_IN_TEMPLATE.length());
    return uri.length() > before.length() + after.length()
            && uri.startsWith(before)
            && uri.endsWith(after)
        ? Optional.of(uri.substring(before.length(), uri.length() - after.length()))
        : Optional.empty();
  }

  private List<RemoteMad> ranked(String client) {
    return RendezvousHash.ranked(client, all, RemoteMad::at);
  }

  private static List<RemoteMad> connectedFirst(List<RemoteMad> mads) {
    return Stream.concat(
            mads.stream().filter(mad -> mad.link().isConnected()),
            mads.stream().filter(mad -> !mad.link().isConnected()))
        .toList();
  }
}
