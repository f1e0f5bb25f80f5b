package joshua.testing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * An envelope built by hand as JSON text, member by member, which may be invalid (wire contract
 * §1).
 */
public record RawEnvelope(Map<String, String> members) {
  public RawEnvelope {
    members = new LinkedHashMap<>(members);
  }

  /** A valid envelope with fresh ids, from {@code by-hand}, with the payload {@code {}}. */
  public static RawEnvelope on(String channel) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("message_id", quoted(UUID.randomUUID().toString()));
    members.put("conversation_id", quoted(UUID.randomUUID().toString()));
    members.put("correlation_id", quoted(UUID.randomUUID().toString()));
    members.put("timestamp", quoted("2026-01-31T23:59:59.000Z"));
    members.put("sender_id", quoted("by-hand"));
    members.put("recipient_id", "null");
    members.put("channel", quoted(channel));
    members.put("payload", "{}");
    return new RawEnvelope(members);
  }

  /** Sets or adds a member; {@code json} is inserted as it is. */
  public RawEnvelope with(String member, String json) {
    Map<String, String> more = new LinkedHashMap<>(members);
    more.put(member, json);
    return new RawEnvelope(more);
  }

  /** As {@link #with}, for a value that is a plain string. */
  public RawEnvelope withText(String member, String text) {
    return with(member, quoted(text));
  }

  public RawEnvelope from(String sender) {
    return withText("sender_id", sender);
  }

  public RawEnvelope payload(String json) {
    return with("payload", json);
  }

  public RawEnvelope without(String member) {
    Map<String, String> fewer = new LinkedHashMap<>(members);
    fewer.remove(member);
    return new RawEnvelope(fewer);
  }

  /** The value of a member that is a plain string. */
  public String text(String member) {
    String json = members.getOrDefault(member, "");
    return json.substring(1, json.length() - 1);
  }

  public String json() {
    return members.entrySet().stream()
        .map(member -> quoted(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Override
  public String toString() {
    return json();
  }
}
