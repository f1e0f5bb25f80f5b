package joshua.network.mcp;

import java.util.List;

/** The protocol versions that are spoken, newest first. */
public final class ProtocolVersions {
  /** Stateless: every request has its version and capabilities. */
  public static final String MODERN = "2026-07-28";

  /** Opened by {@code initialize}. */
  static final List<String> LEGACY =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  static final List<String> SUPPORTED =
      List.of(MODERN, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  private ProtocolVersions() {}

  public static boolean isLegacy(String version) {
    return LEGACY.contains(version);
  }

  /** The answer to {@code initialize}: the version asked for if it is spoken, else our newest. */
  static String negotiated(String asked) {
    return LEGACY.contains(asked) ? asked : LEGACY.getFirst();
  }
}
