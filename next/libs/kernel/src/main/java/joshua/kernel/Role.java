package joshua.kernel;

import java.util.Locale;

/**
 * What a caller may do, least first: the third word of a line of the tokens file, and the role of
 * an SSH key.
 */
public enum Role {
  /** Calls read-only tools and verbs. */
  VIEWER,
  /** Calls every tool, and the verbs that change the work under way. */
  OPERATOR,
  /** Does everything, and may act for others where a tool allows that. */
  ADMIN;

  /** The role as files and answers spell it, {@code operator} for instance. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this role includes {@code needed}. */
  public boolean suffices(Role needed) {
    return compareTo(needed) >= 0;
  }
}
