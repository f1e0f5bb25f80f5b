package joshua.e2e;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The tokens of an attacked group: attackers are viewers, the least privileged role, or operators
 * where they need queues; a herald fills those queues.
 */
final class AttackTokens {
  /** The number of identities for attackers that need queues. */
  static final int HOSTILE = 3_000;

  private static final int VIEWERS = 100;

  static final String HERALD = "herald";
  static final String ADMIN = "warden";

  /** The clients that behave. */
  static final List<String> CALM = List.of("calm-ws", "calm-mcp-http");

  private AttackTokens() {}

  /** The name of an attacker; numbers beyond the last start again. */
  static String hostile(int number) {
    return "hostile-" + number % HOSTILE;
  }

  /** The name of an attacker with the role viewer; numbers beyond the last start again. */
  static String viewer(int number) {
    return "viewer-" + number % VIEWERS;
  }

  static String token(String client) {
    return "jt_of_" + client;
  }

  /** The header by which a client identifies itself. */
  static String header(String client) {
    return "Authorization: Bearer " + token(client);
  }

  /** The same for a request that is written as text. */
  static McpText as(String client, McpText request) {
    return request.with("Authorization", "Bearer " + token(client));
  }

  /** Lines for a tokens file. */
  static String lines() {
    StringBuilder lines = new StringBuilder();
    CALM.forEach(client -> lines.append(line(client, "operator")));
    lines.append(line(HERALD, "operator")).append(line(ADMIN, "admin"));
    for (int i = 0; i < HOSTILE; i++) {
      lines.append(line(hostile(i), "operator"));
    }
    for (int i = 0; i < VIEWERS; i++) {
      lines.append(line(viewer(i), "viewer"));
    }
    return lines.toString();
  }

  private static String line(String client, String role) {
    try {
      byte[] token = token(client).getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(token);
      return "%s %s %s%n".formatted(HexFormat.of().formatHex(hash), client, role);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
