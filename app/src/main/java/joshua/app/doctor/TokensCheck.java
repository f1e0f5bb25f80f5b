package joshua.app.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import joshua.network.TokenFile;

/**
 * Checks the tokens file, and the token that this command line itself calls with. That tokens are
 * needed beyond loopback is a matter of the settings.
 *
 * @param tokens the file with the hashes
 * @param own the file with the command line's token
 * @param nanoTime a clock like {@link System#nanoTime}
 */
public record TokensCheck(
    InetAddress bind, Optional<Path> tokens, Optional<Path> own, LongSupplier nanoTime)
    implements HealthCheck {
  private static final String CHECK = "tokens";

  @Override
  public List<CheckFinding> look() {
    if (tokens.isEmpty()) {
      return List.of(
          bind.isLoopbackAddress()
              ? CheckFinding.ok(CHECK, "none: whoever is on this machine may call, as anybody")
              : CheckFinding.leftOut(CHECK, "there is no tokens file"));
    }
    try {
      TokenFile known = TokenFile.open(tokens.get(), nanoTime);
      return List.of(own.isEmpty() ? withoutOwn() : own(known, own.get()));
    } catch (TokenFile.InvalidTokenFileException e) {
      return String.valueOf(e.getMessage())
          .lines()
          .map(line ->
              CheckFinding.bad(
                  CHECK,
                  line,
                  "Correct or delete the line; joshua token create and revoke write right ones."))
          .toList();
    }
  }

  private static CheckFinding withoutOwn() {
    return CheckFinding.ok(
        CHECK,
        "every line is understood; only joshua mcp calls with a token, from the file that JOSHUA_TOKEN_FILE names");
  }

  private static CheckFinding own(TokenFile known, Path file) {
    try {
      String token = Files.readString(file, UTF_8).strip();
      return known.caller("Bearer " + token, "doctor").isPresent()
          ? CheckFinding.ok(
              CHECK, "every line is understood, and the command line's token is known")
          : CheckFinding.bad(
              CHECK,
              "The token in %s isn't one of those in the tokens file.".formatted(file),
              "Make a new one with joshua token create NAME, and put it there.");
    } catch (IOException e) {
      return CheckFinding.bad(
          CHECK,
          "%s can't be read (%s).".formatted(file, e.getClass().getSimpleName()),
          "Set JOSHUA_TOKEN_FILE to a file that can.");
    }
  }
}
