package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import joshua.ssh.socket.AdminSocketClient;
import org.jspecify.annotations.Nullable;

/**
 * Completes abbreviated ids of exchanges with the help of Rogers' journal, which knows the full
 * ones.
 */
record KnownIds(Settings settings) {
  /** The kinds of ids. */
  enum Kind {
    CONVERSATION("--conversation", "conversation_id"),
    CORRELATION("--correlation", "correlation_id");

    private final String flag;
    private final String member;

    Kind(String flag, String member) {
      this.flag = flag;
      this.member = member;
    }
  }

  /**
   * Returns the id that was typed, or the one that begins with it.
   *
   * @param problems receives the reason if there is none
   */
  Optional<UUID> find(Kind kind, @Nullable String typed, List<String> problems) {
    if (typed == null) {
      return Optional.empty();
    }
    Optional<UUID> whole = BusIdentifiers.parseUuid(typed);
    if (whole.isEmpty()) {
      Optional<String> prefix = BusIdentifiers.parseUuidPrefix(typed);
      if (prefix.isPresent()) {
        return begunSo(kind, prefix.get(), problems);
      }
      problems.add(kind.flag + " " + BusIdentifiers.UUID_PREFIX_RULE);
    }
    return whole;
  }

  private Optional<UUID> begunSo(Kind kind, String prefix, List<String> problems) {
    List<String> words =
        kind == Kind.CONVERSATION
            ? List.of("trace", "--conversation", prefix, "-o", "json")
            : List.of("trace", prefix, "-o", "json");
    try {
      VerbAnswer answer = VerbAnswer.of(Rogers.NAME, words, settings);
      if (answer.status() == 0) {
        JsonNode first = Json.parse(answer.text()).at("/messages/0");
        return BusIdentifiers.parseUuid(first.path(kind.member).asText());
      }
      problems.add(
          "%s %s: %s".formatted(kind.flag, prefix, answer.remarks().replaceFirst("^joshua: ", "")));
    } catch (AdminSocketClient.NoServerException | Json.MalformedJsonException e) {
      problems.add(
          "%s must be a whole UUID: which one begins with %s, Rogers would know, and it doesn't answer here"
              .formatted(kind.flag, prefix));
    }
    return Optional.empty();
  }
}
