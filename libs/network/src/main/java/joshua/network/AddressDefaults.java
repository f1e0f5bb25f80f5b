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
import joshua.network.JsonForm.InvalidInputException;

/**
 * Members of inputs that stand in a connection's URL, as in {@code /mcp?client_id=ann} (wire
 * contract §3). They are filled into calls that lack them, and left out of the schemas that are
 * listed there.
 *
 * @param values by their names in the URL
 * @param problem why nothing is answered at that URL, if so
 */
public record AddressDefaults(Map<String, TextNode> values, Optional<Refusal> problem) {
  public static final AddressDefaults NONE = new AddressDefaults(Map.of(), Optional.empty());

  private static final String CLIENT_ID = "client_id";

  /** The name in a URL whose value fills a member; empty for a member that none fills. */
  static String nameFor(String member) {
    return switch (member) {
      case CLIENT_ID, "requester_id", "worker_id" -> CLIENT_ID;
      case "conversation_id", "project" -> member;
      default -> "";
    };
  }

  /**
   * Reads the query of a URL.
   *
   * @param taken the names that may stand there, and the forms of the members that each fills
   */
  static AddressDefaults parse(String query, Map<String, List<JsonForm>> taken) {
    Map<String, TextNode> values = new LinkedHashMap<>();
    try {
      for (String pair : query.split("&", -1)) {
        if (!pair.isEmpty()) {
          add(pair, taken, values);
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
      String pair, Map<String, List<JsonForm>> taken, Map<String, TextNode> values) {
    String[] sides = pair.split("=", 2);
    String name = decoded(sides[0]);
    List<JsonForm> forms = taken.get(name);
    if (forms == null) {
      throw new InvalidInputException(
          "%s can't stand behind the ?; only %s can"
              .formatted(JsonForm.excerpt(name), String.join(", ", taken.keySet())));
    }
    TextNode value = TextNode.valueOf(sides.length == 1 ? "" : decoded(sides[1]));
    for (JsonForm form : forms) {
      value = TextNode.valueOf(form.read(value, name).toString());
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
          JsonForm.excerpt(text) + " must be percent-encoded, which it isn't");
    }
  }

  /** The name that whoever calls has on the bus, if it stands there. */
  public Optional<String> clientId() {
    return Optional.ofNullable(values.get(CLIENT_ID)).map(TextNode::textValue);
  }

  /** What a model is told of a service, first what it needn't say in its calls. */
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
