package joshua.kernel;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The roles of callers, least privileged first, as the tokens file and SSH keys name them. */
public enum Role {
  /** May call read-only tools and verbs. */
  VIEWER,
  /** May call every tool, and the verbs that change running work. */
  OPERATOR,
  /** May do everything, and act for others where a tool allows that. */
  ADMIN;

  /** The role of a word, if it is one's. */
  public static Optional<Role> of(String word) {
    return Stream.of(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** The role as files and answers spell it, {@code operator} for instance. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this role includes {@code needed}. */
  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }
}
