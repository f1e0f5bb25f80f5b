package joshua.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.ValueSchema.InvalidInputException;

/**
 * Default values of inputs, taken from a connection's URL such as {@code /mcp?client_id=ann} (wire
 * contract §3). Calls without these members get them, and listed schemas omit them.
 *
 * @param values by name in the URL
 * @param problem with which all calls at an invalid URL are refused
 */
public record AddressDefaults(Map<String, TextNode> values, Optional<Refusal> problem) {
  public static final AddressDefaults NONE = new AddressDefaults(Map.of(), Optional.empty());

  private static final String CLIENT_ID = "client_id";

  /** The name in a URL that sets a member; empty for a member that a URL can't set. */
  static String nameFor(String member) {
    return switch (member) {
      case CLIENT_ID, "requester_id", "worker_id", "agent_id", "from" -> CLIENT_ID;
      case "conversation_id", "project" -> member;
      default -> "";
    };
  }

  /**
   * Reads the query of a URL.
   *
   * @param allowed the allowed names, with the schemas of the members that each sets
   */
  static AddressDefaults parse(String query, Map<String, List<ValueSchema>> allowed) {
    Map<String, TextNode> values = new LinkedHashMap<>();
    try {
      for (String pair : query.split("&", -1)) {
        if (!pair.isEmpty()) {
          add(pair, allowed, values);
        }
      }
      return new AddressDefaults(values, Optional.empty());
    } catch (InvalidInputException e) {
      Refusal refusal =
          Refusal.of(ErrorCode.INVALID_INPUT, "In this URL %s.".formatted(e.getMessage()));
      return new AddressDefaults(Map.of(), Optional.of(refusal));
    }
  }

  private static void add(
      String pair, Map<String, List<ValueSchema>> allowed, Map<String, TextNode> values) {
    String[] sides = pair.split("=", 2);
    String name = decoded(sides[0]);
    List<ValueSchema> schemas = allowed.get(name);
    if (schemas == null) {
      throw new InvalidInputException(
          "%s can't stand behind the ?; only %s can"
              .formatted(ValueSchema.excerpt(name), String.join(", ", allowed.keySet())));
    }
    TextNode value = TextNode.valueOf(sides.length == 1 ? "" : decoded(sides[1]));
    for (ValueSchema schema : schemas) {
      value = TextNode.valueOf(schema.read(value, name).toString());
    }
    if (values.put(name, value) != null) {
      throw new InvalidInputException(name + " must stand once, not twice");
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          ValueSchema.excerpt(text) + " must be percent-encoded, which it isn't");
    }
  }

  /** The caller's name on the bus, if the URL has it. */
  public Optional<String> clientId() {
    return Optional.ofNullable(values.get(CLIENT_ID)).map(TextNode::textValue);
  }

  /** A service's instructions for a model, after the values that it needn't send. */
  public String instructions(String usual) {
    StringBuilder text = new StringBuilder();
    values.forEach((name, value) -> {
      String what = name.equals(CLIENT_ID) ? "name" : name;
      text.append("Your %s here is %s. ".formatted(what, value.textValue()));
    });
    String rest = clientId().isEmpty() ? usual : usual.replace(Catalog.CHOOSE_A_NAME, "");
    return text.isEmpty() ? rest : text + "Calls have this by themselves. " + rest;
  }
}
