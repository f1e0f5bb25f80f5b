package joshua.kernel;

import java.util.Locale;

/**
 * What somebody may do, least first: the third word of a line of the tokens file, and the role of
 * an SSH key.
 */
public enum Role {
  /** Calls tools, and runs verbs, that only read. */
  VIEWER,
  /** Calls every tool, and runs the verbs that change the work under way. */
  OPERATOR,
  /** Does everything, and may act for others where a tool allows that. */
  ADMIN;

  /** The role as files and answers have it, {@code operator} for instance. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this role is enough where {@code needed} is asked for. */
  public boolean suffices(Role needed) {
    return compareTo(needed) >= 0;
  }
}
