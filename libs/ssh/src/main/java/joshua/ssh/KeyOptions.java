package joshua.ssh;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/**
 * The options before a key in a line of {@code authorized_keys}. A restricting option that can't be
 * enforced makes the line unusable, as does an unknown one: a key never grants more than its line
 * allows.
 */
final class KeyOptions {
  /** The variable in {@code environment=} that sets the role. */
  static final String ROLE = "JOSHUA_ROLE";

  /** Options about forwarding and the like, which is never allowed anyway. */
  private static final Set<String> WITHOUT_MEANING =
      Set.of(
          "agent-forwarding",
          "no-agent-forwarding",
          "no-port-forwarding",
          "no-user-rc",
          "no-x11-forwarding",
          "permitlisten",
          "permitopen",
          "port-forwarding",
          "tunnel",
          "user-rc",
          "x11-forwarding");

  private static final DateTimeFormatter EXPIRY = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");
  private static final String NIGHT = "000000";

  private final Set<String> seen = new HashSet<>();
  private Role role = Role.VIEWER;
  private @Nullable AddressPatterns from;
  private @Nullable Instant expires;
  private boolean terminal = true;

  /**
   * Parses {@code from="192.0.2.1",environment="JOSHUA_ROLE=admin"}; empty if there are no options.
   */
  KeyOptions(String text) throws SshKey.UnfitKeyException {
    if (!text.isEmpty()) {
      for (String option : split(text)) {
        take(option);
      }
    }
  }

  private void take(String option) throws SshKey.UnfitKeyException {
    int equals = option.indexOf('=');
    String name = (equals < 0 ? option : option.substring(0, equals)).toLowerCase(Locale.ROOT);
    switch (name) {
      case "from" -> {
        once(name);
        from = AddressPatterns.read(value(option, equals));
      }
      case "environment" -> environment(value(option, equals));
      case "expiry-time" -> {
        once(name);
        expires = time(value(option, equals));
      }
      case "restrict", "no-pty" -> terminal = false;
      case "pty" -> terminal = true;
      case "command", "principals", "cert-authority", "verify-required" ->
          throw new SshKey.UnfitKeyException(
              "the option %s can't be honoured here, so the key isn't taken".formatted(name));
      default -> {
        if (!WITHOUT_MEANING.contains(name)) {
          throw new SshKey.UnfitKeyException(
              "\"%s\" is not an option that is known".formatted(PrintableText.text(name)));
        }
      }
    }
  }

  private void once(String name) throws SshKey.UnfitKeyException {
    if (!seen.add(name)) {
      throw new SshKey.UnfitKeyException("%s is given twice".formatted(name));
    }
  }

  private void environment(String assignment) throws SshKey.UnfitKeyException {
    if (!assignment.startsWith(ROLE + "=")) {
      return;
    }
    once(ROLE);
    String word = assignment.substring(ROLE.length() + 1);
    for (Role known : Role.values()) {
      if (known.word().equals(word)) {
        role = known;
        return;
      }
    }
    throw new SshKey.UnfitKeyException(
        "%s must be viewer, operator or admin, and is \"%s\""
            .formatted(ROLE, PrintableText.text(word)));
  }

  private static String value(String option, int equals) throws SshKey.UnfitKeyException {
    String written = equals < 0 ? "" : option.substring(equals + 1);
    if (written.length() < 2 || !written.startsWith("\"") || !written.endsWith("\"")) {
      throw new SshKey.UnfitKeyException(
          "%s needs a value in quotation marks"
              .formatted(PrintableText.text(equals < 0 ? option : option.substring(0, equals))));
    }
    return written.substring(1, written.length() - 1).replace("\\\"", "\"");
  }

  private static Instant time(String text) throws SshKey.UnfitKeyException {
    boolean utc = text.endsWith("Z");
    String digits = utc ? text.substring(0, text.length() - 1) : text;
    ZoneId zone = utc ? ZoneOffset.UTC : ZoneId.systemDefault();
    int length = digits.length();
    if (length == 8 || length == 12 || length == 14) {
      try {
        return LocalDateTime.parse(digits + NIGHT.substring(length - 8), EXPIRY)
            .atZone(zone)
            .toInstant();
      } catch (DateTimeException e) {
        // The sentence below says what is wrong.
      }
    }
    throw new SshKey.UnfitKeyException(
        "expiry-time must be YYYYMMDD, or YYYYMMDDHHMM, or with Z in UTC");
  }

  /** Splits at commas outside quotation marks. */
  private static List<String> split(String text) throws SshKey.UnfitKeyException {
    List<String> options = new ArrayList<>();
    int begin = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      if (at == '\\' && quoted && text.startsWith("\"", i + 1)) {
        i++;
      } else if (at == '"') {
        quoted = !quoted;
      } else if (at == ',' && !quoted) {
        options.add(text.substring(begin, i));
        begin = i + 1;
      }
    }
    options.add(text.substring(begin));
    return options;
  }

  AuthorizedKey of(SshKey key, Optional<String> comment) {
    return new AuthorizedKey(
        key, comment, role, Optional.ofNullable(from), Optional.ofNullable(expires), terminal);
  }
}
