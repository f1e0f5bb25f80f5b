package joshua.app;

import java.util.List;
import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.SshKey;

/**
 * A public key in the format of {@code ssh-keygen}, as it is submitted: one line, without options.
 *
 * @param comment the text after the key
 */
record PublicKeyText(SshKey key, Optional<String> comment) {
  /**
   * The size of the largest file that is read: an RSA key of 16384 bits has about 2800 characters.
   */
  static final int LONGEST = 16 * 1024;

  private static final String ONE_LINE =
      "it must be one line, as ssh-keygen writes it into a file that ends with .pub";

  /**
   * Parses a key.
   *
   * @param source where it came from, for messages
   * @throws RequestRefusedException if it isn't an accepted public key
   */
  static PublicKeyText read(String text, String source) throws RequestRefusedException {
    if (text.contains("PRIVATE KEY") || text.startsWith("PuTTY-User-Key-File")) {
      throw new RequestRefusedException(
          "%s holds a private key, which stays with whoever logs in by it: give the public half, a file that ends with .pub."
              .formatted(source));
    }
    List<String> lines =
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .toList();
    if (text.length() > LONGEST || lines.size() != 1) {
      throw new RequestRefusedException("%s isn't a public key: %s.".formatted(source, ONE_LINE));
    }
    return read(AuthorizedKeys.parse(lines.getFirst()).lines().getFirst(), source);
  }

  private static PublicKeyText read(AuthorizedKeys.Line line, String source)
      throws RequestRefusedException {
    return switch (line) {
      case AuthorizedKeys.Line.Usable usable -> {
        AuthorizedKey read = usable.key();
        if (!usable.text().startsWith(read.key().type())) {
          throw new RequestRefusedException(
              "%s has options before the key: take them out, and give --role and --from."
                  .formatted(source));
        }
        yield new PublicKeyText(read.key(), read.comment());
      }
      case AuthorizedKeys.Line.Unusable unusable ->
          throw new RequestRefusedException(
              "%s isn't a public key that is taken: %s.".formatted(source, unusable.reason()));
      case AuthorizedKeys.Line.Remark _ ->
          throw new RequestRefusedException(
              "%s isn't a public key: %s.".formatted(source, ONE_LINE));
    };
  }

  /**
   * The line that allows it to log in.
   *
   * @param name in place of its comment
   * @param from addresses that it may be used from
   * @throws RequestRefusedException if the line would not be understood as intended
   */
  String line(Role role, Optional<String> from, Optional<String> name)
      throws RequestRefusedException {
    StringBuilder line = new StringBuilder();
    if (from.isPresent()) {
      if (from.get().chars().anyMatch(c -> c <= ' ' || c == '"' || c == '\\' || c >= 127)) {
        throw new RequestRefusedException(
            "--from is addresses separated by commas, without blanks and quotation marks.");
      }
      line.append("from=\"").append(from.get()).append("\",");
    }
    line.append("environment=\"JOSHUA_ROLE=").append(role.word()).append("\" ").append(key);
    name.or(() -> comment).ifPresent(text -> line.append(' ').append(text));
    if (AuthorizedKeys.parse(line.toString()).lines().getFirst()
        instanceof AuthorizedKeys.Line.Unusable unusable) {
      throw new RequestRefusedException(
          "--from %s can't be taken: %s.".formatted(from.orElse(""), unusable.reason()));
    }
    return line.toString();
  }

  /** Whether its comment can serve as the name of the admin who logs in with it. */
  boolean isNamed() {
    return comment.filter(BusIdentifiers::isIdentifier).isPresent();
  }
}
