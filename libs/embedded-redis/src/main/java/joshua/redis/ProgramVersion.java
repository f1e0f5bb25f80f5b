package joshua.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version that a Redis or Valkey program prints for {@code --version}.
 *
 * @param major of 7.2.4, the 7
 * @param minor of 7.2.4, the 2
 */
record ProgramVersion(int major, int minor) {
  private static final Pattern PRINTED = Pattern.compile("\\bv=([0-9]{1,4})\\.([0-9]{1,4})\\b");
  private static final int PRINTED_WITHIN_SECONDS = 5;
  private static final int MOST_BYTES = 4096;

  /** Asks the program; empty where it doesn't answer in time, or not with a version. */
  static Optional<ProgramVersion> of(Path program) throws InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
    } catch (IOException e) {
      return Optional.empty();
    }
    try {
      if (!process.waitFor(PRINTED_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        return Optional.empty();
      }
      byte[] printed = process.getInputStream().readNBytes(MOST_BYTES);
      return parse(new String(printed, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    } finally {
      process.destroyForcibly();
    }
  }

  static Optional<ProgramVersion> parse(String printed) {
    Matcher version = PRINTED.matcher(printed);
    return version.find()
        ? Optional.of(
            new ProgramVersion(
                Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2))))
        : Optional.empty();
  }

  /**
   * Whether it knows {@code CLIENT SETINFO}, by which client libraries name themselves. An earlier
   * one doesn't start with a permission for it.
   */
  boolean knowsSetInfo() {
    return major > 7 || (major == 7 && minor >= 2);
  }
}
